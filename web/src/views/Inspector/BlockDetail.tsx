import { wordOfFact } from '../../model/commandWords';
import type { Node } from '../../model/engine.generated';
import { count } from '../../model/words';

/** The parts of one block. */
export function BlockDetail(props: {
  /** The block, as a selection. */
  block: string;
  parts: readonly Node[];
  hidden: number;
}) {
  const { block, parts, hidden } = props;
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
        {parts.map((part) => (
          <tr
            key={`${part.kind}:${part.number}`}
            className={part.kind === 'damaged' ? 'bad' : ''}
            data-object={block}
            data-key={wordOfFact(part.fact) ?? undefined}
          >
            <td className="mono">{count(part.offset)}</td>
            <td className="mono">{count(part.bytes)}</td>
            <td>
              {part.name} {part.value !== '' && <code>{part.value}</code>}
            </td>
          </tr>
        ))}
        {hidden > 0 && (
          <tr>
            <td colSpan={3} className="dim">
              {count(hidden)} more parts
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
