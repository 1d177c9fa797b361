import type { OutputView, ShownKey, TableInfo, View } from '../../model/engine.generated';
import { fileName } from '../../model/files';
import { count, counted, size } from '../../model/words';
import { overlapping } from '../Stage/scene/tree';
import { Commands, Facts, Pick } from '../shared/Facts';
import { KeyRange } from '../shared/KeyText';
import { PrefixIndexes } from './PrefixIndexes';

interface TableProps {
  info: TableInfo;
  level: number;
  view: View;
  block: number | null;
}

/** A table that readers use. */
export function TableFacts(props: TableProps) {
  const { info, level, view, block } = props;
  const next = overlapping(view.levels[level + 1], info);
  const bytes = next.reduce((sum, table) => sum + table.bytes, 0);
  const job = view.jobs.find((known) => known.inputs.includes(info.table));
  return (
    <>
      <h2>
        <code>{fileName('table', info.table)}</code>{' '}
        <small>
          <Pick to={`level:${level}`}>L{level}</Pick>
        </small>
      </h2>
      <Facts
        rows={[
          keysOf(info.smallest, info.largest),
          [
            'Entries',
            `${count(info.entries)}${info.tombstones > 0 ? `, ${counted(info.tombstones, 'tombstone')}` : ''}`,
          ],
          ['Run', `${count(info.run)} of L${level}`],
          ['Sequence', `${count(info.sequenceMin)} – ${count(info.sequenceMax)}`],
          ['Size', `${count(info.bytes)} B in ${counted(info.blocks, 'data block')}`],
          level + 1 < view.levels.length && [
            'Overlaps',
            `${counted(next.length, 'table')} of L${level + 1} (${size(bytes)})`,
          ],
          job !== undefined && ['Job', `input of compaction job ${job.job}`],
        ]}
      />
      {block !== null && <Commands lines={[`hex ${info.table} --block ${block}`]} />}
      <PrefixIndexes table={info.table} />
    </>
  );
}

function keysOf(from: ShownKey, to: ShownKey) {
  const keys = (
    <code key="keys">
      <KeyRange from={from} to={to} limit={24} />
    </code>
  );
  return ['Keys', keys] as const;
}

/** A table that a job is writing; readers do not use it yet. */
export function WritingFacts({ table, view }: { table: OutputView; view: View }) {
  const job = view.jobs.find((known) => known.job === table.job);
  const last = table.blocks[table.blocks.length - 1];
  const blocks = last ? last.offset + last.storedBytes : 0;
  const written = table.fileBytes ?? blocks + (table.filterBytes ?? 0) + (table.indexBytes ?? 0);
  const first = table.blocks[0];
  const entries = table.blocks.reduce((sum, block) => sum + block.entries, 0);
  const state = table.synced
    ? 'synced, not yet installed'
    : table.fileBytes !== null
      ? 'written, not yet synced'
      : 'being written';
  return (
    <>
      <h2>
        <code>{fileName('table', table.table)}</code>{' '}
        <small>
          {state}, L{table.level}
        </small>
      </h2>
      <Facts
        rows={[
          ['Written by', job ? `${job.what} job ${job.job}` : 'a job'],
          typeof job?.memtable === 'number' && [
            'From',
            <Pick key="from" to={`memtable:${job.memtable}`}>
              memtable {job.memtable}
            </Pick>,
          ],
          first !== undefined && last !== undefined && keysOf(first.first, last.last),
          ['Entries', `${count(entries)} so far`],
          ['Blocks', count(table.blocks.length)],
          ['Size', `${count(written)} B${table.fileBytes === null ? ' so far' : ''}`],
        ]}
      />
      <p className="dim">
        Readers do not see it before the manifest names it. A crash now would leave an orphan file,
        which the next opening deletes.
      </p>
    </>
  );
}
