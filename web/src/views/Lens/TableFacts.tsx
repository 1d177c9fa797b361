import { useState } from 'react';
import { count, counted, size } from '../../model/words';
import { Action, TextLink } from '../shared/buttons';
import { Facts } from '../shared/Facts';
import { useTold } from './asking';
import { useFamilies } from './families';
import type { InspectorActions } from './LensInspector';
import type { LevelLine, Levels, LifeLine, ShownKey, TableLine } from './scene/answers';
import { moment, percent, tombstoneShare } from './scene/words';

interface Props extends InspectorActions {
  number: number;
  answer: Levels;
  /** `null`: it is in no level at this step. */
  table: TableLine | null;
  level: LevelLine | null;
  step: number;
  isPast: boolean;
}

/** Everything that is known of a table, and its life. */
export function TableFacts(props: Props) {
  const { number, table, level, isPast, onCover, onScan, onBytes } = props;
  const of = useFamilies() ? ' of this family' : '';
  return (
    <>
      <h2>
        {table ? <code>{table.file}</code> : `table ${number}`}{' '}
        <small>{level ? `L${level.level}` : `in no level${of} at this step`}</small>
      </h2>
      {table?.isMissing && !isPast && (
        <p className="problem">▲ The file is not in the directory: its entries are lost here.</p>
      )}
      {table?.isDamaged && (
        <p className="problem">
          ▲ The file is damaged: Problems says where, and which keys it concerns.
        </p>
      )}
      {table?.isMissing && isPast && (
        <p className="dim">
          Its file was deleted since. What the manifest says of it is still known, its entries are
          not.
        </p>
      )}
      {table && level && <Known {...props} table={table} level={level} />}
      {table && !table.isMissing && (
        <div className="commands">
          <Action onClick={() => onCover(table.smallest.hex)}>What covers its first key?</Action>
          <Action onClick={() => onScan(table.smallest.hex)}>Read from its first key</Action>
          <Action onClick={() => onBytes(table.file)}>Every byte of its file</Action>
        </div>
      )}
      <Life {...props} />
    </>
  );
}

function Known({ table, level, answer }: Props & { table: TableLine; level: LevelLine }) {
  const share = tombstoneShare(table);
  const { entries, deletions, smallestSequence: first, largestSequence: last } = table;
  const below = answer.levels
    .find((one) => one.level > level.level && one.tables.length > 0)
    ?.tables.filter((other) => other.from <= table.to && other.to >= table.from);
  const under = answer.levels.find((one) => one.level > level.level && one.tables.length > 0);
  const bytes = below?.reduce((sum, other) => sum + other.bytes, 0) ?? 0;
  return (
    <Facts
      rows={[
        ...(table.isVirtual
          ? [['Number', `${table.number}, a slice of ${table.file}`] as const]
          : []),
        ['Size', `${size(table.bytes)} (${count(table.bytes)} B)`],
        ['First key', <KeyText key="first" shown={table.smallest} />],
        ['Last key', <KeyText key="last" shown={table.largest} />],
        [
          'Entries',
          entries === null ? 'not read' : `${table.isVirtual ? 'about ' : ''}${count(entries)}`,
        ],
        [
          'Tombstones',
          deletions === null
            ? 'not read'
            : `${count(deletions)}${share === null ? '' : `, ${percent(share)} of the entries`}`,
        ],
        [
          'Sequence',
          first === null || last === null ? 'not told' : `${count(first)} – ${count(last)}`,
        ],
        ...(under && below
          ? [
              [
                'Overlaps',
                `${counted(below.length, 'table')} of L${under.level} (${size(bytes)})`,
              ] as const,
            ]
          : []),
        ...(table.createdSeconds
          ? [['Made', moment(table.createdSeconds * 1e6).replace('.000', '')] as const]
          : []),
        ...(table.epoch === null ? [] : [['Epoch', count(table.epoch)] as const]),
        ...(table.oldestBlobFile === null
          ? []
          : [['Blob files', `${table.oldestBlobFile} is the oldest that it needs`] as const]),
      ]}
    />
  );
}

/** A key as text; its bytes as digits when asked for. */
export function KeyText({ shown }: { shown: ShownKey }) {
  const [asHex, setAsHex] = useState(false);
  const { text, hex, leftOut } = shown;
  const words = asHex ? hex : text;
  return (
    <span className="lens-key">
      <code>{words === '' ? '""' : words}</code>
      {leftOut > 0 && <span className="dim"> and {counted(leftOut, 'byte')} more</span>}{' '}
      <button
        type="button"
        className="lens-hex"
        aria-pressed={asHex}
        title="The bytes of the key as hexadecimal digits"
        onClick={() => setAsHex(!asHex)}
      >
        hex
      </button>
    </span>
  );
}

/** The steps in which it was born, moved and died. */
function Life({ number: table, step, onStep }: Props) {
  const { result, isCurrent, failure } = useTold({ ask: 'table', number: table });
  if (failure !== null) return <p className="problem">{failure}</p>;
  if (result === null || !isCurrent) return null;
  if (result.length === 0) {
    return <p className="dim">No version edit of this manifest names table {table}.</p>;
  }
  return (
    <>
      <h3>Its life</h3>
      <ol className="lens-life">
        {result.map((life) => (
          <li key={life.edit} aria-current={life.step?.step === step ? 'step' : undefined}>
            <strong>{eventWords(life)}</strong>{' '}
            {life.step ? (
              <TextLink onClick={() => life.step && onStep(life.step.step)}>
                step {count(life.step.step)}
              </TextLink>
            ) : (
              <span className="dim">by an edit that could not be applied</span>
            )}
            {life.step && <span className="dim"> {life.step.sentence}</span>}
            {life.step?.reason != null && <span className="dim"> {life.step.reason}.</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function eventWords({ event }: LifeLine): string {
  if ('born' in event) return `born in L${event.born.level}`;
  if ('moved' in event) return `moved from L${event.moved.from} to L${event.moved.to}`;
  if ('not_applied' in event) return `added to L${event.not_applied.level}`;
  return `died in L${event.died.level}`;
}
