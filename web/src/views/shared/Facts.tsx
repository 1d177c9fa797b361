import './Facts.css';

import type { ReactNode } from 'react';
import type { LevelView, MemtableView, View, WalView } from '../../model/engine.generated';
import { fileName, memtableOfLog } from '../../model/files';
import { count, counted, ratio, size } from '../../model/words';
import { Action, TextLink } from './buttons';
import { useCommands, useSelection } from './contexts';
import { KeyRange } from './KeyText';
import { Term } from './Term';

type Row = readonly [name: ReactNode, value: ReactNode];

/** A list of names and values; `false` in place of one that there is not. */
export function Facts({ rows }: { rows: readonly (Row | false)[] }) {
  return (
    <dl className="facts">
      {rows
        .filter((row) => row !== false)
        .map(([name, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be more than a text
          <div key={place}>
            <dt className="dim">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A link that selects something. */
export function Pick({ to, children }: { to: string; children: ReactNode }) {
  const { select } = useSelection();
  return (
    <TextLink data-object={to} onClick={() => select(to)}>
      {children}
    </TextLink>
  );
}

/** A button that types a command. */
export function Command({ line }: { line: string }) {
  const { type } = useCommands();
  return (
    <Action onClick={() => type(line)}>
      <code>{line}</code>
    </Action>
  );
}

/** Buttons that type commands, in a line. */
export function Commands({ lines }: { lines: readonly string[] }) {
  return (
    <div className="commands">
      {lines.map((line) => (
        <Command key={line} line={line} />
      ))}
    </div>
  );
}

export function MemtableFacts({ memtable, view }: { memtable: MemtableView; view: View }) {
  const job = view.jobs.find((known) => known.memtable === memtable.memtable);
  const percent = Math.round((100 * memtable.bytes) / Math.max(memtable.limitBytes, 1));
  return (
    <>
      <h2>
        memtable {memtable.memtable}{' '}
        <small>
          <Term name={memtable.immutable ? 'immutable memtable' : 'memtable'}>
            {memtable.immutable ? 'immutable' : 'active'}
          </Term>
        </small>
      </h2>
      <Facts
        rows={[
          ['Size', `${count(memtable.bytes)} of ${count(memtable.limitBytes)} B (${percent} %)`],
          [
            'Entries',
            `${count(memtable.entries)}, ${
              memtable.tombstones === 0
                ? 'no tombstones'
                : counted(memtable.tombstones, 'tombstone')
            }`,
          ],
          [
            'Log',
            <Pick key="log" to={`wal:${memtable.wal}`}>
              {fileName('wal', memtable.wal)}
            </Pick>,
          ],
          [
            'Flush',
            job
              ? `job ${job.job}: ${count(job.entriesDone)} of ${counted(job.entriesTotal, 'entry')}`
              : memtable.immutable
                ? 'pending'
                : 'not before it rotates',
          ],
        ]}
      />
      {!memtable.immutable && <Commands lines={['rotate', 'flush']} />}
      <p className="dim">
        {memtable.immutable
          ? 'It takes no more writes; readers still ask it, until its table is installed.'
          : 'All writes go here and to its log. The tab Bytes shows the same entries in the log.'}
      </p>
    </>
  );
}

export function LogFacts({ wal, view }: { wal: WalView; view: View }) {
  const owner = memtableOfLog(view, wal.wal);
  const unsynced = wal.records - wal.syncedRecords;
  return (
    <>
      <h2>
        <code>{fileName('wal', wal.wal)}</code> <small>{wal.closed ? 'closed' : 'active'}</small>
      </h2>
      <Facts
        rows={[
          ['Records', `${count(wal.records)}, ${count(wal.syncedRecords)} of them synced`],
          ['Length', `${count(wal.bytes)} B, durable up to ${count(wal.syncedBytes)} B`],
          wal.bytes > wal.writtenBytes && [
            'In memory',
            `the last ${count(wal.bytes - wal.writtenBytes)} B`,
          ],
          [
            'Holds',
            owner ? (
              <Pick key="m" to={`memtable:${owner.memtable}`}>
                the writes of memtable {owner.memtable}
              </Pick>
            ) : (
              'only writes that tables hold: it is obsolete and will be deleted'
            ),
          ],
        ]}
      />
      <p className="dim">
        {unsynced > 0
          ? `A crash of the machine now could lose the last ${counted(unsynced, 'record')}.`
          : wal.records === 0
            ? 'It has no record of a write yet.'
            : 'Everything in it survives a crash.'}
      </p>
    </>
  );
}

/** Tables of a level that are listed, the first ones. */
const LISTED_MAX = 200;

export function LevelFacts({ level }: { level: LevelView }) {
  const { score, tables } = level;
  const entries = tables.reduce((sum, table) => sum + table.entries, 0);
  const more = tables.length - LISTED_MAX;
  const limit = score.unit === 'runs' ? counted(score.limit, 'run') : size(score.limit);
  return (
    <>
      <h2>
        L{score.level} <small>{counted(tables.length, 'table')}</small>
      </h2>
      <Facts
        rows={[
          ['Size', `${size(score.bytes)}, ${counted(entries, 'entry')}`],
          ['Sorted runs', count(score.runs)],
          [
            'Score',
            score.limit === 0
              ? 'none: the level has no limit'
              : `${ratio(score.score)} = ${score.unit === 'runs' ? counted(score.runs, 'run') : size(score.bytes)} ÷ ${limit}`,
          ],
          [
            'Compaction',
            score.limit === 0
              ? 'never: it is the deepest level'
              : score.due
                ? 'due: the score is at least 1'
                : 'at a score of 1',
          ],
        ]}
      />
      {score.canCompact && <Commands lines={[`compact ${score.level}`]} />}
      <ul className="plain-list">
        {tables.slice(0, LISTED_MAX).map(({ table, smallest, largest, bytes }) => (
          <li key={table}>
            <Pick to={`table:${table}`}>table {table}</Pick>{' '}
            <code>
              <KeyRange from={smallest} to={largest} limit={16} />
            </code>{' '}
            <span className="dim">{size(bytes)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="dim">and {counted(more, 'table')}</p>}
    </>
  );
}
