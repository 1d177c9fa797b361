import type { Leaf } from '../../model/bytes';
import { count, hex } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { Columns } from '../shared/Columns';

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
    <section className="parts-table grows" aria-label="Fields, one a row" tabIndex={0} data-pages>
      <table className="parts">
        <Columns names={['hex', 'decimal', 'bytes', 'field', 'value']} />
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
                <TextLink onClick={() => onPin(path)}>
                  {trail.map(({ name }) => name).join(' › ')}
                </TextLink>
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
