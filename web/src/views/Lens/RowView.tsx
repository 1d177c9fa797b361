import { count } from '../../model/words';
import { Facts } from '../shared/Facts';
import { ValueText } from './ShownText';
import type { RowLine, ShownKey } from './scene/answers';

/** The value of an entry: plain bytes, columns with their names, or operands of a merge as they were written. */
export function EntryValue({ row }: { row: RowLine }) {
  const { kind, value, parts } = row;
  if (kind === 'columns') {
    const nameOf = ({ text }: ShownKey) =>
      text === '' ? <em key="name">default column</em> : <code key="name">{text}</code>;
    return (
      <Facts
        rows={parts.map(([name, part]) => [
          nameOf(name),
          <ValueText key={name.hex} shown={part} />,
        ])}
      />
    );
  }
  if (kind === 'merge') {
    return (
      <>
        <em>merge operands, oldest first; the operator is not known</em>
        <ol>
          {value.text !== '' && (
            <li value={0}>
              <span className="dim">base</span> <ValueText shown={value} />
            </li>
          )}
          {parts.map(([, operand], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: operands have no name but their position
            <li key={index}>
              <ValueText shown={operand} />
            </li>
          ))}
        </ol>
      </>
    );
  }
  return <ValueText shown={value} />;
}

/** An entry in a sentence: its value and its place. */
export function RowView({ row }: { row: RowLine }) {
  return (
    <>
      = <EntryValue row={row} />
      <span className="lens-cost">
        sequence {count(row.sequence)}, found in {row.foundIn}
        {row.timestamp !== null && `, timestamp ${count(row.timestamp)}`}
      </span>
    </>
  );
}
