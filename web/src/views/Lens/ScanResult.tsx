import './Sheets.css';

import { count, counted, size } from '../../model/words';
import { Action } from '../shared/buttons';
import { type Column, DataTable } from '../shared/DataTable';
import { Cautions, ProblemLines } from './ProblemLines';
import { EntryValue } from './RowView';
import type { Passed, RowLine, Rows } from './scene/answers';
import { percent } from './scene/words';

const TIMESTAMP: Column<RowLine> = [
  'timestamp',
  ({ timestamp }) => (timestamp === null ? '' : count(timestamp)),
  'number',
];

interface Props {
  rows: Rows;
  onNext(from: string): void;
}

/** Live entries in order, below the entries that the scan passed over. */
export function ScanResult({ rows, onNext }: Props) {
  const { rows: entries, next, passed, readBytes, reads, problems, cautions } = rows;
  const hasTimestamps = entries.some(({ timestamp }) => timestamp !== null);
  return (
    <div className="lens-scan">
      <p className="lens-verdict" role="status">
        <strong>{counted(entries.length, 'live entry')}</strong> of{' '}
        {counted(passed.entries, 'entry')} read
        <span className="dim lens-cost">
          {counted(reads, 'read')} of files, {size(readBytes)}
        </span>
      </p>
      <PassedBar passed={passed} />
      <Cautions sentences={cautions} />
      <ProblemLines problems={problems} />
      <DataTable
        className="chart-table lens-entries"
        caption={<span className="visually-hidden">Live entries</span>}
        rows={entries}
        columns={[
          ['key', ({ key: { text } }) => <code>{text === '' ? '""' : text}</code>, 'head'],
          ['value', (row) => <EntryValue row={row} />],
          ['sequence', ({ sequence }) => count(sequence), 'number'],
          ...(hasTimestamps ? [TIMESTAMP] : []),
          ['found in', ({ foundIn }) => foundIn],
        ]}
      />
      {next !== null && (
        <p>
          <Action onClick={() => onNext(next.hex)}>
            Go on from <code>{next.text}</code>
          </Action>
        </p>
      )}
    </div>
  );
}

/** The scanned entries to scale: those returned and those passed over. */
function PassedBar({ passed }: { passed: Passed }) {
  const { entries } = passed;
  if (entries === 0) return null;
  const shown = partsOf(passed).filter(([, , number]) => number > 0);
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
      <ul className="wraps bare">
        {shown.map(([kind, words, number]) => (
          <li key={kind}>
            <i className={`is-${kind}`} aria-hidden="true" /> {words} ({percent(number / entries)})
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The parts of the scanned entries; each entry is in one part. */
function partsOf(passed: Passed) {
  const { entries, tombstones, rangeDeleted, shadowed, joined, unread } = passed;
  const live = Math.max(entries - tombstones - rangeDeleted - shadowed - joined - unread, 0);
  return [
    ['live', `${count(live)} live`, live],
    ['joined', `${count(joined)} joined with a newer merge operand`, joined],
    ['shadowed', `${counted(shadowed, 'older version')}, shadowed`, shadowed],
    ['tombstones', counted(tombstones, 'tombstone'), tombstones],
    ['deleted', `${count(rangeDeleted)} hidden by range deletions`, rangeDeleted],
    ['unread', `${count(unread)} with a value that could not be read`, unread],
  ] as const;
}
