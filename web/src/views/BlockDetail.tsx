import type { Node } from '../model/engine.generated';
import { count } from '../model/words';

const ROWS_MAX = 200;

/** The parts of one block, log record or other piece of a file. */
export function BlockDetail({ node }: { node: Node }) {
  const parts = [...node.children, ...node.inside];
  const shown = parts.flatMap(entriesOf);
  return (
    <table className="parts">
      <thead>
        <tr>
          <th scope="col">at</th>
          <th scope="col">bytes</th>
          <th scope="col">part</th>
        </tr>
      </thead>
      <tbody>
        {shown.slice(0, ROWS_MAX).map(({ part, key }) => (
          <tr key={key} className={part.kind === 'damaged' ? 'bad' : ''}>
            <td className="mono">{count(part.offset)}</td>
            <td className="mono">{count(part.bytes)}</td>
            <td>
              {part.name} {part.value !== '' && <code>{part.value}</code>}
            </td>
          </tr>
        ))}
        {shown.length > ROWS_MAX && (
          <tr>
            <td colSpan={3} className="dim">
              {count(shown.length - ROWS_MAX)} more parts
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** A part that only wraps others is replaced by them; one that says something stays. */
function entriesOf(part: Node): { part: Node; key: string }[] {
  const inner = [...part.children, ...part.inside];
  const wraps = inner.length > 0 && part.value === '';
  if (wraps) return inner.flatMap(entriesOf);
  return [{ part, key: `${part.name} ${part.offset} ${part.bytes}` }];
}
