import './Sheets.css';

import { type ReactNode, useMemo } from 'react';
import { counted, joined, size } from '../../model/words';
import { FileTable, type ListedFile } from '../Bytes/FileTable';
import { Name } from '../shared/Name';
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

/** Files of the database by their number, as findings name them. */
const NUMBERED = /^\d+\.(sst|ldb|blob|log)$/;

/** The files with the first finding about each, below those that findings are about, but which are not there. */
function listed(files: readonly FileLine[], problems: readonly Problem[]): ListedFile[] {
  const damage = new Map<string, string>();
  for (const { file, severity, state, message } of problems) {
    // A sound table in no level is not damaged: its row shows why it does not count.
    const isBad = severity === 'error' && state !== 'in_no_level' && state !== 'left_out';
    if (isBad && !damage.has(file)) damage.set(file, message);
  }
  const there = new Set(files.map(({ name }) => name));
  const missing = [...damage].filter(([name]) => NUMBERED.test(name) && !there.has(name));
  return [
    ...missing.map(([name, why]) => {
      return { name, bytes: null, kind: KINDS[kindOf(name)], counts: true, why, damage: null };
    }),
    ...files.map((file) => {
      return { ...file, kind: KINDS[file.kind], damage: damage.get(file.name) ?? null };
    }),
  ];
}

function kindOf(name: string): FileLine['kind'] {
  if (name.endsWith('.log')) return 'log';
  return name.endsWith('.blob') ? 'blob' : 'table';
}

/** The files that do not count, in words. */
function idleWords(files: readonly FileLine[]): string {
  const idle = files.filter((file) => !(file.counts || file.inNoLevel));
  const lost = files.filter((file) => file.inNoLevel);
  const idleBytes = idle.reduce((sum, { bytes }) => sum + bytes, 0);
  const verb = idle.length === 1 ? 'does' : 'do';
  const normal = `${counted(idle.length, 'file')} of ${size(idleBytes)} ${verb} not count, which is normal in a copy of a running database.`;
  const cut = `${counted(lost.length, 'file')} ${lost.length === 1 ? 'is' : 'are'} in no level, because the history ends too early.`;
  return joined([idle.length > 0 && normal, lost.length > 0 && cut], ' ');
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
  const lines = useMemo(() => listed(files, problems), [files, problems]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="lens-sheet scrolls" aria-label="Files" tabIndex={0}>
      {children}
      <p className="lens-verdict">
        {isOfFiles ? (
          `${counted(files.length, 'file')}, ${files.some(({ counts }) => counts) ? 'recognized by content' : 'none of a known format'}.`
        ) : (
          <>
            {counted(files.length, 'file')}; <Counting manifest={manifest} /> {idleWords(files)}
          </>
        )}
      </p>
      <FileTable
        caption={<span className="visually-hidden">Files of the directory</span>}
        files={lines}
        heads={isOfFiles ? ['known', 'format'] : ['counts', 'why']}
        onBytes={({ name }) => onBytes(name)}
      />
    </section>
  );
}
