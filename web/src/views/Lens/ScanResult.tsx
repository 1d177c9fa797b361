import './Sheets.css';

import { count, counted, size } from '../../model/words';
import { ProblemLines } from './ProblemLines';
import { EntryValue } from './RowView';
import type { Passed, Rows } from './scene/answers';
import { percent } from './scene/words';

interface Props {
  rows: Rows;
  onNext(from: string): void;
}

/** Live entries in order, after what the scan had to go over for them. */
export function ScanResult({ rows, onNext }: Props) {
  const { rows: entries, next, passed, read_bytes, reads, problems } = rows;
  const hasTimestamps = entries.some(({ timestamp }) => timestamp !== null);
  return (
    <div className="lens-scan">
      <p className="lens-verdict" role="status">
        <strong>{counted(entries.length, 'live entry')}</strong> of{' '}
        {counted(passed.entries, 'entry')} read
        <span className="dim lens-cost">
          {counted(reads, 'read')} of files, {size(read_bytes)}
        </span>
      </p>
      <PassedBar passed={passed} rows={entries.length} hasNext={next !== null} />
      <ProblemLines problems={problems} />
      <table className="chart-table lens-entries">
        <caption className="visually-hidden">Live entries</caption>
        <thead>
          <tr>
            <th scope="col">key</th>
            <th scope="col">value</th>
            <th scope="col" className="number">
              sequence
            </th>
            {hasTimestamps && (
              <th scope="col" className="number">
                timestamp
              </th>
            )}
            <th scope="col">found in</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((row) => (
            <tr key={`${row.key.hex} ${row.sequence}`}>
              <th scope="row">
                <code>{row.key.text === '' ? '""' : row.key.text}</code>
              </th>
              <td>
                <EntryValue row={row} />
              </td>
              <td className="number">{count(row.sequence)}</td>
              {hasTimestamps && (
                <td className="number">{row.timestamp === null ? '' : count(row.timestamp)}</td>
              )}
              <td>{row.found_in}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next !== null && (
        <p>
          <button type="button" className="command" onClick={() => onNext(next.hex)}>
            Go on from <code>{next.text}</code>
          </button>
        </p>
      )}
    </div>
  );
}

interface PassedProps {
  passed: Passed;
  /** Entries that the scan returned. */
  rows: number;
  hasNext: boolean;
}

/** The entries that the scan went over, to scale: what it returned, and what it had to pass. */
function PassedBar(props: PassedProps) {
  const { entries, tombstones, range_deleted } = props.passed;
  if (entries === 0) return null;
  const shown = partsOf(props).filter(([, , number]) => number > 0);
  return (
    <div className="lens-passed">
      <span className="lens-passed-bar" aria-hidden="true">
        {shown.map(([kind, , number]) => (
          <i
            key={kind}
            className={`is-${kind}`}
            style={{ width: `${(100 * number) / entries}%` }}
          />
        ))}
      </span>
      <ul>
        {shown.map(([kind, words, number]) => (
          <li key={kind}>
            <i className={`is-${kind}`} aria-hidden="true" /> {count(number)} {words} (
            {percent(number / entries)})
          </li>
        ))}
      </ul>
      {tombstones > 0 && range_deleted > 0 && (
        <p className="dim">
          Range deletions hide {count(range_deleted)} of them, tombstones included.
        </p>
      )}
    </div>
  );
}

/**
 * Parts that no entry is in twice. A tombstone may be hidden by a newer entry or by a range deletion, too, and is counted
 * as each of these: so all that are neither live nor tombstones are one part, unless there is no tombstone.
 */
function partsOf({ passed, rows, hasNext }: PassedProps) {
  const { entries, tombstones, range_deleted } = passed;
  const live = Math.min(rows + (hasNext ? 1 : 0), entries);
  const isApart = tombstones === 0;
  const deleted = isApart ? range_deleted : 0;
  const others = Math.max(entries - live - tombstones - deleted, 0);
  return [
    ['live', hasNext ? 'live, the next one included' : 'live', live],
    ['shadowed', otherWords(others, !isApart && range_deleted > 0), others],
    ['tombstones', tombstones === 1 ? 'tombstone' : 'tombstones', tombstones],
    ['deleted', 'hidden by range deletions', deleted],
  ] as const;
}

function otherWords(number: number, withDeleted: boolean): string {
  if (number === 1) {
    return withDeleted
      ? 'other version, operand or entry that range deletions hide'
      : 'other version or operand';
  }
  return withDeleted
    ? 'other versions, operands and entries that range deletions hide'
    : 'other versions and operands';
}
