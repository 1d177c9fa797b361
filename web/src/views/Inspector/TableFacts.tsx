import { type ReactNode, useCallback } from 'react';
import { partQuery, ribbonQuery } from '../../model/ask';
import { wordOfFact } from '../../model/commandWords';
import type { Damage, Node, OutputView, TableInfo, View } from '../../model/engine.generated';
import { fileName } from '../../model/files';
import { count, counted, hex, size } from '../../model/words';
import { Ribbon } from '../Ribbon/Ribbon';
import { writtenStretches } from '../Ribbon/scene';
import { overlapping } from '../Stage/scene/tree';
import { useSelection } from '../shared/contexts';
import { DataTable } from '../shared/DataTable';
import { Command, Facts, Pick } from '../shared/Facts';
import { KeyRange } from '../shared/KeyText';
import { useAnswer } from '../shared/useAnswer';
import { PrefixIndexes } from './PrefixIndexes';

interface TableProps {
  info: TableInfo;
  level: number;
  view: View;
  block: number | null;
  /** Bytes of it that were flipped. */
  damages: readonly Damage[];
}

/** A table that readers use. */
export function TableFacts(props: TableProps) {
  const { info, level, view, block, damages } = props;
  const { select } = useSelection();
  const file = `table:${info.table}`;
  const ribbon = useAnswer(ribbonQuery(file));
  const next = overlapping(view.levels[level + 1], info);
  const bytes = next.reduce((sum, table) => sum + table.bytes, 0);
  const job = view.jobs.find((known) => known.inputs.includes(info.table));
  const pickPart = useCallback((path: string) => select(`${file}/${path}`), [file, select]);
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
          [
            'Keys',
            <code key="keys">
              <KeyRange from={info.smallest} to={info.largest} limit={24} />
            </code>,
          ],
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
      {ribbon.state === 'ready' && ribbon.result.stretches.length > 0 && (
        <Ribbon
          name={`The file ${fileName('table', info.table)}`}
          file={`table:${info.table}`}
          damages={damages}
          stretches={ribbon.result.stretches}
          total={info.bytes}
          level={level}
          selected={block === null ? null : `block:${block}`}
          onPick={pickPart}
        />
      )}
      {ribbon.state === 'failed' && <p className="problem">{ribbon.message}</p>}
      {block === null ? (
        <>
          <p className="dim">Click a block of the ribbon to see its entries.</p>
          <PrefixIndexes table={info.table} />
        </>
      ) : (
        <BlockPart file={file} block={block}>
          <Command line={`hex ${info.table} --block ${block}`} />
        </BlockPart>
      )}
    </>
  );
}

/** Parts of a block that are shown here; all of them are under Bytes. */
const PARTS_MAX = 100;

function BlockPart(props: { file: string; block: number; children: ReactNode }) {
  const { file, block, children } = props;
  const path = `block:${block}`;
  const answer = useAnswer(partQuery(file, path, 0, PARTS_MAX));
  const part = answer.state === 'ready' ? answer.result.part : null;
  const encoded = part?.parts.find((node) => node.kind === 'compressed');
  const inside = useAnswer(encoded ? partQuery(file, `${path}/compressed:1`, 0, PARTS_MAX) : null);
  if (answer.state === 'failed') return <p className="problem">{answer.message}</p>;
  const node = part?.trail[part.trail.length - 1]?.node;
  if (!part || !node) return null;
  const decoded = inside.state === 'ready' ? inside.result.part : null;
  const parts: Node[] = [...(decoded?.parts ?? []), ...part.parts];
  const hidden = (decoded ?? part).count - (decoded ?? part).parts.length;
  return (
    <>
      <h3>
        {node.name}{' '}
        <small>
          bytes {hex(node.offset)} – {hex(node.offset + node.bytes - 1)}
        </small>
      </h3>
      <div className="commands">{children}</div>
      <DataTable
        className="parts"
        rows={parts}
        rowProps={({ kind, fact }) => {
          const marks = {
            'data-object': `${file}/${path}`,
            'data-key': wordOfFact(fact) ?? undefined,
          };
          return { className: kind === 'damaged' ? 'bad' : '', ...marks };
        }}
        columns={[
          ['at', ({ offset }) => count(offset), 'mono'],
          ['bytes', ({ bytes }) => count(bytes), 'mono'],
          ['part', PartText],
        ]}
      />
      {hidden > 0 && <p className="dim">{count(hidden)} more parts</p>}
    </>
  );
}

function PartText({ name, value }: Node) {
  return (
    <>
      {name} {value !== '' && <code>{value}</code>}
    </>
  );
}

/** A table that a job is writing; readers do not use it yet. */
export function WritingFacts({ table, view }: { table: OutputView; view: View }) {
  const job = view.jobs.find((known) => known.job === table.job);
  const stretches = writtenStretches(table);
  const last = stretches[stretches.length - 1];
  const written = table.fileBytes ?? (last ? last.offset + last.bytes : 0);
  const first = table.blocks[0];
  const end = table.blocks[table.blocks.length - 1];
  const entries = table.blocks.reduce((sum, block) => sum + block.entries, 0);
  const state = table.synced
    ? 'synced, not yet installed'
    : table.fileBytes !== null
      ? 'written, not yet synced'
      : 'being written';
  // The final size of the file is not known; the ribbon assumes a quarter more.
  const total = table.fileBytes ?? Math.max(written * 1.25, 1);
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
          [
            'Written by',
            job ? (
              <span key="job">
                {job.what} job {job.job}
                {job.memtable !== null && (
                  <>
                    , from <Pick to={`memtable:${job.memtable}`}>memtable {job.memtable}</Pick>
                  </>
                )}
              </span>
            ) : (
              'a job'
            ),
          ],
          first !== undefined &&
            end !== undefined && [
              'Keys',
              <code key="keys">
                <KeyRange from={first.first} to={end.last} limit={24} />
              </code>,
            ],
          ['Entries', `${count(entries)} so far`],
          ['Blocks', count(table.blocks.length)],
          ['Size', `${count(written)} B${table.fileBytes === null ? ' so far' : ''}`],
        ]}
      />
      <Ribbon
        name={`The file ${fileName('table', table.table)}`}
        file={`table:${table.table}`}
        stretches={stretches}
        total={total}
        level={table.level}
        selected={null}
      />
      <p className="dim">
        Readers do not see it before the manifest names it. A crash now would leave an orphan file,
        which the next opening deletes.
      </p>
    </>
  );
}
