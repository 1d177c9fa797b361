import './LensInspector.css';

import { counted, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { Facts } from '../shared/Facts';
import { Breakable } from './Breakable';
import { useFamilies } from './families';
import type { BlobLine, FamilyLine, LevelLine, Levels, LogLine } from './scene/answers';
import { noTarget, percent } from './scene/words';
import { TableFacts } from './TableFacts';

export interface InspectorActions {
  onSelect(id: string | null): void;
  onStep(step: number): void;
  /** Shows which tables cover a key. */
  onCover(key: string): void;
  /** Shows the bytes of a file. */
  onBytes(file: string): void;
  /** Reads the family from a key on. */
  onScan(from: string): void;
}

interface Props extends InspectorActions {
  answer: Levels;
  family: FamilyLine;
  selected: string | null;
  /** The step on show. */
  step: number;
  /** A step before the last one. */
  isPast: boolean;
}

/** What is known of the selected object; without one, of the family. */
export function LensInspector(props: Props) {
  return (
    <aside className="inspector in-column lens-inspector" aria-label="Details">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="panel grows" tabIndex={0}>
        <Content {...props} />
      </div>
    </aside>
  );
}

function Content(props: Props) {
  const { answer, selected } = props;
  const [kind, name = ''] = selected?.split(/:(.*)/s, 2) ?? [];
  if (kind === 'table') {
    const number = Number(name);
    const level = answer.levels.find(({ tables }) => tables.some((one) => one.number === number));
    const table = level?.tables.find((one) => one.number === number) ?? null;
    return (
      <TableFacts key={number} {...props} number={number} table={table} level={level ?? null} />
    );
  }
  if (kind === 'level') {
    const level = answer.levels.find((one) => String(one.level) === name);
    if (level) return <LevelFacts level={level} style={answer.style} onSelect={props.onSelect} />;
  }
  if (kind === 'log') {
    const log = answer.logs.find(({ file }) => file === name);
    if (log) return <LogFacts log={log} />;
  }
  if (kind === 'blob') {
    const blob = answer.blobFiles.find(({ number }) => String(number) === name);
    if (blob) return <BlobFacts blob={blob} isPast={props.isPast} />;
  }
  return <FamilyFacts {...props} />;
}

function FamilyFacts({ answer, family, isPast }: Props) {
  const hasFamilies = useFamilies();
  const tables = answer.levels.flatMap((level) => level.tables);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const known = tables.filter((table) => table.entries !== null);
  const sum = (figure: (table: (typeof tables)[number]) => number | null) =>
    known.reduce((total, table) => total + (figure(table) ?? 0), 0);
  const [entries, deletions] = [sum((one) => one.entries), sum((one) => one.deletions)];
  const missing = tables.filter((table) => table.isMissing).map(({ number }) => number);
  return (
    <>
      <h2>
        {hasFamilies ? (
          <>
            {family.name} <small>column family {family.id}</small>
          </>
        ) : (
          'The database'
        )}
      </h2>
      <Facts
        rows={[
          ['Tables', `${counted(tables.length, 'table')}, ${size(bytes)}`],
          ...(known.length > 0
            ? ([
                ['Entries', `${counted(entries, 'entry')} in ${counted(known.length, 'table')}`],
                [
                  'Tombstones',
                  deletions === 0
                    ? 'none'
                    : `${counted(deletions, 'tombstone')}, ${percent(deletions / Math.max(entries, 1))} of the entries`,
                ],
              ] as const)
            : []),
          ...(missing.length > 0 ? [missingRow(missing, isPast)] : []),
          ['Compaction', family.compactionStyle ?? 'not known: no OPTIONS tell it'],
          [
            'Keys',
            <>
              {family.orderKnown ? (family.isReverse ? 'descending' : 'ascending') : 'unknown'}{' '}
              order,{' '}
              <code>
                <Breakable text={family.comparator} />
              </code>
            </>,
          ],
        ]}
      />
      <p className="dim">
        {family.orderKnown
          ? 'Select a table, a level, a log or a blob file. Places on the key axis are ranks among the first and last keys of tables.'
          : 'The order of these keys is not known, so tables stand in the order of the manifest, and keys cannot be searched.'}
      </p>
      <Keys />
    </>
  );
}

/** Tables without a file: of a step of the past they were deleted since. */
function missingRow(missing: readonly number[], isPast: boolean) {
  const all = missing.length;
  if (isPast) return ['Deleted since', `${counted(all, 'file')} of tables`] as const;
  const words =
    all === 1
      ? `▲ Table ${missing[0]} is missing from the directory.`
      : `▲ ${counted(all, 'table')} are missing from the directory.`;
  return [
    'Missing',
    <span key="missing" className="problem">
      {words}
    </span>,
  ] as const;
}

/** What the keyboard does here. */
function Keys() {
  return (
    <p className="lens-keys">
      <kbd>←</kbd> <kbd>→</kbd> one step, with <kbd>Shift</kbd> ten; <kbd>Page Up</kbd>{' '}
      <kbd>Page Down</kbd> from change to change; <kbd>Home</kbd> <kbd>End</kbd> first and last;{' '}
      <kbd>Space</kbd> plays. <kbd>Tab</kbd> to the picture: arrows walk through it.
    </p>
  );
}

interface LevelProps {
  level: LevelLine;
  /** The compaction style, where it is known. */
  style: string | null;
  onSelect(id: string): void;
}

function LevelFacts({ level, style, onSelect }: LevelProps) {
  const { tables, bytes, targetBytes } = level;
  return (
    <>
      <h2>
        L{level.level} <small>{counted(tables.length, 'table')}</small>
      </h2>
      <Facts
        rows={[
          ['Size', size(bytes)],
          [
            'Target',
            targetBytes === null
              ? noTarget(level.level, style)
              : `${size(targetBytes)}; it is at ${percent(bytes / Math.max(targetBytes, 1))}`,
          ],
        ]}
      />
      <ul className="plain-list">
        {tables.slice(0, 200).map(({ number, bytes: own, smallest, largest }) => (
          <li key={number}>
            <TextLink onClick={() => onSelect(`table:${number}`)}>table {number}</TextLink>{' '}
            <code>
              {smallest.text.slice(0, 16)} … {largest.text.slice(0, 16)}
            </code>{' '}
            <span className="dim">{size(own)}</span>
          </li>
        ))}
      </ul>
      {tables.length > 200 && <p className="dim">and {counted(tables.length - 200, 'table')}</p>}
    </>
  );
}

function LogFacts({ log }: { log: LogLine }) {
  const of = useFamilies() ? ' of this family' : '';
  return (
    <>
      <h2>
        <code>{log.file}</code> <small>write-ahead log</small>
      </h2>
      <Facts
        rows={[
          ['Entries', `${counted(log.entries, 'entry')}${of}`],
          ['Tombstones', counted(log.deletes, 'tombstone')],
          ['Length', size(log.bytes)],
          ['End', `it ${log.end}`],
        ]}
      />
      {log.isDamaged && (
        <p className="problem">▲ The file is damaged: Problems says where, and what is lost.</p>
      )}
      <p className="dim">
        {log.entries === 0
          ? `It holds no entry${of} that is not in a table: opening the database takes none${of} from it.`
          : 'Its entries are in no table yet: opening the database would read them into memory. They are newer than everything in L0.'}
      </p>
    </>
  );
}

function BlobFacts({ blob, isPast }: { blob: BlobLine; isPast: boolean }) {
  const { totalBytes, garbageBytes, garbageCount, count } = blob;
  return (
    <>
      <h2>
        <code>{blob.file}</code> <small>blob file</small>
      </h2>
      <Facts
        rows={[
          ['Values', `${counted(count, 'value')}, ${size(totalBytes)}`],
          [
            'Garbage',
            `${counted(garbageCount, 'value')}, ${size(garbageBytes)} (${percent(garbageBytes / Math.max(totalBytes, 1))})`,
          ],
          ['Live', size(Math.max(totalBytes - garbageBytes, 0))],
          [
            'File',
            `${size(blob.bytes)}${blob.isMissing ? (isPast ? ', deleted since' : ', missing') : ''}${blob.isDamaged ? ', damaged' : ''}`,
          ],
        ]}
      />
      {blob.isMissing && !isPast && (
        <p className="problem">▲ The file is not in the directory: its values are lost here.</p>
      )}
      {blob.isDamaged && (
        <p className="problem">
          ▲ The file is damaged: Problems says where, and which values it concerns.
        </p>
      )}
      <p className="dim">
        Tables hold references to these values. A value is garbage when no table refers to it any
        more; its space comes back with the whole file.
      </p>
    </>
  );
}
