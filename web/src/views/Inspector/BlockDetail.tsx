import { wordOfFact } from '../../model/commandWords';
import type { Node } from '../../model/engine.generated';
import { count } from '../../model/words';
import { Columns } from '../shared/Columns';

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
      <Columns names={['at', 'bytes', 'part']} />
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
