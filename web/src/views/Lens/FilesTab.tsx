import './Sheets.css';

import { type ReactNode, useMemo, useState } from 'react';
import { count, counted, size } from '../../model/words';
import { TextLink } from '../shared/buttons';
import { MoreLines, useFirst } from './MoreLines';
import { Name } from './Name';
import type { FileLine, Problem } from './scene/answers';

interface Props {
  files: readonly FileLine[];
  /** Findings so far: damaged files are marked, missing ones added. */
  problems: readonly Problem[];
  /** The manifest that counts; `null`: there is none. */
  manifest: string | null;
  /** Whether the files are read without an engine. */
  isOfFiles?: boolean;
  /** Actions for all of them. */
  children?: ReactNode;
  /** Shows the bytes of a file. */
  onBytes(file: string): void;
}

const KINDS: Readonly<Record<FileLine['kind'], string>> = {
  table: 'table',
  log: 'write-ahead log',
  manifest: 'manifest',
  options: 'options',
  blob: 'blob file',
  info_log: 'LOG',
  marker: 'marker',
  other: 'other',
};

/** The filter of the list. */
interface Wanted {
  /** A part of the name, in letters of any size. */
  text: string;
  kind: FileLine['kind'] | 'all' | 'idle';
}

const ALL: Wanted = { text: '', kind: 'all' };

function fits(
  { name, kind, counts }: Pick<FileLine, 'name' | 'kind' | 'counts'>,
  wanted: Wanted,
): boolean {
  const isOfKind =
    wanted.kind === 'all' || (wanted.kind === 'idle' ? !counts : kind === wanted.kind);
  return isOfKind && name.toLowerCase().includes(wanted.text.trim().toLowerCase());
}

/** How many files there are of each kind, and how many count. */
function numbersOf(files: readonly FileLine[]) {
  const numbers = new Map<FileLine['kind'], number>();
  let counting = 0;
  for (const { kind, counts } of files) {
    numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
    if (counts) counting += 1;
  }
  return { kinds: [...numbers], counting };
}

interface FilterProps {
  files: readonly FileLine[];
  /** How many of them are listed. */
  shown: number;
  wanted: Wanted;
  onWanted(wanted: Wanted): void;
}

/** Narrows the list by name and by kind. */
function Filter({ files, shown, wanted, onWanted }: FilterProps) {
  const numbers = useMemo(() => numbersOf(files), [files]);
  const idle = files.length - numbers.counting;
  return (
    <div className="lens-filter in-row wraps">
      <label htmlFor="lens-files-text">Name contains</label>
      <input
        id="lens-files-text"
        type="search"
        value={wanted.text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onWanted({ ...wanted, text: event.target.value })}
      />
      <label htmlFor="lens-files-kind">Kind</label>
      <select
        id="lens-files-kind"
        value={wanted.kind}
        onChange={(event) => onWanted({ ...wanted, kind: event.target.value as Wanted['kind'] })}
      >
        <option value="all">all ({count(files.length)})</option>
        {numbers.kinds.map(([kind, number]) => (
          <option key={kind} value={kind}>
            {KINDS[kind]} ({count(number)})
          </option>
        ))}
        {idle > 0 && <option value="idle">those that do not count ({count(idle)})</option>}
      </select>
      <span className="dim" role="status">
        {shown < files.length && `${count(shown)} of ${counted(files.length, 'file')}`}
      </span>
    </div>
  );
}

interface MissingLine {
  name: string;
  why: string;
}

/** Files of the database by their number, as findings name them. */
const NUMBERED = /^\d+\.(sst|ldb|blob|log)$/;

/** The first finding about each file; and the files that findings are about, but which are not there. */
function damageOf(files: readonly FileLine[], problems: readonly Problem[]) {
  const damage = new Map<string, string>();
  for (const { file, severity, state, message } of problems) {
    // A sound table in no level is not damaged: its row shows why it does not count.
    const isBad = severity === 'error' && state !== 'in_no_level' && state !== 'left_out';
    if (isBad && !damage.has(file)) damage.set(file, message);
  }
  const there = new Set(files.map(({ name }) => name));
  const missing = [...damage].flatMap(([name, why]): MissingLine[] =>
    NUMBERED.test(name) && !there.has(name) ? [{ name, why }] : [],
  );
  return { damage, missing };
}

function kindOf(name: string): FileLine['kind'] {
  if (name.endsWith('.log')) return 'log';
  return name.endsWith('.blob') ? 'blob' : 'table';
}

/** The missing files that match the filter. */
function MissingRows({ lines, wanted }: { lines: readonly MissingLine[]; wanted: Wanted }) {
  const shown = lines.filter(({ name }) =>
    fits({ name, kind: kindOf(name), counts: true }, wanted),
  );
  return shown.map((line) => <MissingRow key={line.name} {...line} />);
}

/** A file that the database needs and the directory does not have. */
function MissingRow({ name, why }: MissingLine) {
  return (
    <tr>
      <th scope="row">
        <code>
          <Name of={name} />
        </code>
      </th>
      <td>{KINDS[kindOf(name)]}</td>
      <td className="number">–</td>
      <td />
      <td className="problem">▲ missing</td>
      <td>{why}</td>
    </tr>
  );
}

/** The files that do not count, in words. */
function idleWords(files: readonly FileLine[]): string {
  // An empty file, such as LOCK, is not mentioned.
  const idle = files.filter((file) => !(file.counts || file.inNoLevel) && file.bytes > 0);
  const lost = files.filter((file) => file.inNoLevel);
  const idleBytes = idle.reduce((sum, { bytes }) => sum + bytes, 0);
  const verb = idle.length === 1 ? 'does' : 'do';
  const normal = `${counted(idle.length, 'file')} of ${size(idleBytes)} ${verb} not count, which is normal in a copy of a running database.`;
  const cut = `${counted(lost.length, 'file')} ${lost.length === 1 ? 'is' : 'are'} in no level, because the history ends too early.`;
  return [idle.length > 0 ? normal : '', lost.length > 0 ? cut : ''].filter(Boolean).join(' ');
}

/** Explains which files count. */
function Counting({ manifest }: Pick<Props, 'manifest'>) {
  if (manifest === null) return 'there is no manifest, so every table and log counts.';
  return (
    <>
      <code>
        <Name of={manifest} />
      </code>{' '}
      lists the tables that count.
    </>
  );
}

/** Every file of the directory, and whether the database would read it. */
export function FilesTab({ files, problems, manifest, isOfFiles, children, onBytes }: Props) {
  const found = useMemo(() => damageOf(files, problems), [files, problems]);
  const most = files.reduce((longest, { bytes }) => Math.max(longest, bytes), 1);
  const [wanted, setWanted] = useState<Wanted>(ALL);
  const shown = useMemo(() => files.filter((file) => fits(file, wanted)), [files, wanted]);
  const first = useFirst(shown);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-sheet" aria-label="Files" tabIndex={0}>
      {children}
      <p className="lens-verdict">
        {isOfFiles ? (
          `${counted(files.length, 'file')}, recognized by their content.`
        ) : (
          <>
            {counted(files.length, 'file')}; <Counting manifest={manifest} /> {idleWords(files)}
          </>
        )}
      </p>
      <Filter files={files} shown={shown.length} wanted={wanted} onWanted={setWanted} />
      <table className="chart-table lens-files">
        <caption className="visually-hidden">Files of the directory</caption>
        <thead>
          <tr>
            <th scope="col">file</th>
            <th scope="col">kind</th>
            <th scope="col">size</th>
            <th scope="col">
              <span className="visually-hidden">size to scale</span>
            </th>
            <th scope="col">{isOfFiles ? 'known' : 'counts'}</th>
            <th scope="col">{isOfFiles ? 'format' : 'why'}</th>
          </tr>
        </thead>
        <tbody>
          <MissingRows lines={found.missing} wanted={wanted} />
          {first.lines.map(({ name, bytes, kind, counts, why }) => (
            <tr key={name} className={counts ? '' : 'dim'}>
              <th scope="row">
                <TextLink onClick={() => onBytes(name)}>
                  <code>
                    <Name of={name} />
                  </code>
                </TextLink>
              </th>
              <td>{KINDS[kind]}</td>
              <td className="number" title={`${count(bytes)} B`}>
                {size(bytes)}
              </td>
              <td>
                <span className="lens-bar" aria-hidden="true">
                  <i style={{ width: `${(100 * bytes) / most}%` }} />
                </span>
              </td>
              <td>{counts ? '✓ yes' : '– no'}</td>
              <td>
                {why}
                {found.damage.has(name) && (
                  <span className="problem"> ▲ {found.damage.get(name)}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="dim">No file has such a name and kind.</p>}
      <MoreLines first={first} nouns="files" />
    </section>
  );
}
