import '../Stage/StageTable.css';

import type { ReactNode } from 'react';
import { count, size } from '../../model/words';
import { type Column, DataTable } from '../shared/DataTable';
import { Pick } from '../shared/Facts';
import type { Levels, TableLine } from './scene/answers';
import { moment, ofTarget, percent, shortKey, tombstoneShare } from './scene/words';

interface Props {
  answer: Levels;
  /** Whether it is a step before the last one: absent files were deleted since. */
  isPast: boolean;
}

/** The levels as tables of text, newest data first. */
export function LevelsTable({ answer, isPast }: Props) {
  const sheets = sheetsOf(answer);
  return (
    <section
      className="stage-table grows"
      aria-label="Levels as tables"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {sheets.map(({ title, detail, names, rows }) => (
        <DataTable
          key={title}
          caption={
            <>
              {title} <span className="dim">{detail}</span>
            </>
          }
          rows={rows}
          columns={names.map((name, place): Column<Sheet['rows'][number]> => {
            if (place > 0) return [name, ({ cells }) => cells[place - 1]];
            const head = (row: Sheet['rows'][number]) => (
              <>
                <Pick to={row.id}>{row.name}</Pick>
                <State file={row.file} isPast={isPast} />
              </>
            );
            return [name, head, 'head'];
          })}
        />
      ))}
      {sheets.length === 0 && <p>No table at this step.</p>}
    </section>
  );
}

interface FileState {
  isNew?: boolean;
  isMissing?: boolean;
  isDamaged: boolean;
}

interface Sheet {
  title: string;
  detail: string;
  names: string[];
  rows: { id: string; name: string | number; file: FileState; cells: ReactNode[] }[];
}

/** Logs, levels and blob files, as far as there are any. */
function sheetsOf({ levels, logs, blobFiles }: Levels): Sheet[] {
  const sheets: Sheet[] = [
    {
      ...{ title: 'Logs', detail: '', names: ['file', 'entries', 'deletes', 'size', 'end'] },
      rows: logs.map((log) => ({
        ...{ id: `@${log.file}`, name: log.file, file: log },
        cells: [count(log.entries), count(log.deletes), size(log.bytes), `it ${log.end}`],
      })),
    },
    ...levels.map(({ level, bytes, targetBytes, noTarget, tables }) => ({
      title: `L${level}`,
      detail: targetBytes === null ? `${size(bytes)}; ${noTarget}` : ofTarget(bytes, targetBytes),
      names: ['table', 'first key', 'last key', 'size', 'entries', 'tombstones', 'made'],
      rows: tables.map((table) => ({
        ...{ id: `table:${table.number}`, name: table.number, file: table },
        cells: cellsOf(table),
      })),
    })),
    {
      ...{ title: 'Blob files', detail: '', names: ['file', 'values', 'size', 'garbage'] },
      rows: blobFiles.map((blob) => ({
        ...{ id: `@${blob.file}`, name: blob.file, file: blob },
        cells: [
          blob.count === null ? 'not counted' : count(blob.count),
          size(blob.bytes),
          `${size(blob.garbageBytes)}, ${percent(blob.garbageBytes / (blob.totalBytes || 1))}`,
        ],
      })),
    },
  ];
  return sheets.filter(({ rows }) => rows.length > 0);
}

function cellsOf(table: TableLine): ReactNode[] {
  const { smallest, largest, bytes, deletions, entries, createdSeconds, isVirtual } = table;
  const share = tombstoneShare(table);
  const dead = deletions === null ? '–' : count(deletions);
  return [
    ...[smallest, largest].map((key) => (
      <span className="mono" key={key.hex}>
        {shortKey(key, 28)}
      </span>
    )),
    size(bytes),
    entries === null ? '–' : `${isVirtual ? 'about ' : ''}${count(entries)}`,
    share !== null && share > 0 ? `${dead}, ${percent(share)}` : dead,
    createdSeconds ? moment(createdSeconds * 1e6).slice(0, 19) : '–',
  ];
}

/** A file's state, after its name. */
function State({ file, isPast }: { file: FileState; isPast: boolean }) {
  const { isNew, isMissing, isDamaged } = file;
  if (isMissing && isPast) return <span className="dim">{isNew && ' new'} deleted since</span>;
  const words = [isMissing ? 'missing' : '', isDamaged ? 'damaged' : ''].filter(Boolean);
  return (
    <>
      {isNew && ' new'}
      {words.length > 0 && <span className="problem"> ▲ {words.join(', ')}</span>}
    </>
  );
}
