import type { Leaf } from '../../model/bytes';
import { count, hex } from '../../model/words';

interface Props {
  leaves: readonly Leaf[];
  pinned: string | null;
  decoded: boolean;
  onPin(path: string): void;
}

/** The bytes on show as a table of fields, in words. */
export function PartsTable({ leaves, pinned, decoded, onPin }: Props) {
  const plus = decoded ? '+' : '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="parts-table" aria-label="Fields, one a row" tabIndex={0} data-pages>
      <table className="parts">
        <thead>
          <tr>
            <th scope="col">hex</th>
            <th scope="col">decimal</th>
            <th scope="col">bytes</th>
            <th scope="col">field</th>
            <th scope="col">says</th>
          </tr>
        </thead>
        <tbody>
          {leaves.map(({ node, path, trail }) => (
            <tr key={path} className={`${path === pinned ? 'pinned' : ''}`}>
              <td className="mono">
                {plus}
                {hex(node.offset)}
              </td>
              <td className="mono">
                {plus}
                {count(node.offset)}
              </td>
              <td className="mono">{count(node.bytes)}</td>
              <td>
                <button type="button" className="link" onClick={() => onPin(path)}>
                  {trail.map(({ name }) => name).join(' › ')}
                </button>
              </td>
              <td className={node.kind === 'damaged' ? 'problem' : ''}>
                <code>{node.value}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
