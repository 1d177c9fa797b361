/** Opened files. */

import { wordOfText } from './commandWords';
import type { Holds, OpenedState } from './engine.generated';

/** The command that looks a key up; `key` as it is shown, with `\xNN` for bytes that cannot be printed. */
export function lookupCommand(file: string, key: string, search: string): string {
  return `lookup ${wordOfText(file)} ${wordOfText(key)} --search ${search}`;
}

/** The argument of `import` for each database among the opened files, in their order. */
export function databasesAmong(files: readonly OpenedState[]): string[] {
  return [...new Set(files.flatMap(({ database }) => (database === null ? [] : [database])))];
}

/** The words for a database in a button: files without a directory have no name in common. */
export function nameOfDatabase(database: string): string {
  return database === '@CURRENT' ? 'the database of these files' : `the database ${database}`;
}

/** Opened files that came from one directory. */
export interface OpenedDirectory {
  /** Its name, with the `@`. */
  id: string;
  /** What it is, as a noun. */
  what: string;
  files: readonly OpenedState[];
  /** The files that are damaged. */
  damaged: readonly OpenedState[];
  /** Number of files by kind. */
  tables: number;
  logs: number;
  metadata: number;
  others: number;
  bytes: number;
  /** Entries of its tables that can be read. */
  entries: number;
  /** The argument of `import`; `null`: it cannot be opened as a database. */
  database: string | null;
}

/** The directory of an opened file, with the `@`; `null`: it was opened by itself. */
export function directoryOf({ id }: OpenedState): string | null {
  const cut = id.lastIndexOf('/');
  return cut < 0 ? null : id.slice(0, cut);
}

/** The directories of the opened files, in the order in which they came. */
export function directoriesAmong(files: readonly OpenedState[]): OpenedDirectory[] {
  const groups = new Map<string, OpenedState[]>();
  for (const file of files) {
    const id = directoryOf(file);
    if (id === null) continue;
    const group = groups.get(id);
    if (group) group.push(file);
    else groups.set(id, [file]);
  }
  return [...groups].map(([id, group]) => directoryWith(id, group));
}

function directoryWith(id: string, files: readonly OpenedState[]): OpenedDirectory {
  const holding = (holds: Holds | undefined) =>
    files.filter(({ format }) => format?.holds === holds);
  const tables = holding('table');
  return {
    id,
    what: whatIs(files),
    files,
    damaged: files.filter(({ damage }) => damage !== null),
    tables: tables.length,
    logs: holding('log').length,
    metadata: holding('metadata').length,
    others: holding(undefined).length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    entries: tables.reduce((sum, { entries }) => sum + (entries ?? 0), 0),
    database: files.find(({ database }) => database !== null)?.database ?? null,
  };
}

function whatIs(files: readonly OpenedState[]): string {
  const has = (id: string) => files.some(({ format }) => format?.id === id);
  const isDatabase = files.some(({ database }) => database !== null);
  if (isDatabase && has('levelscope-current')) return 'a database of Levelscope';
  if (isDatabase && has('leveldb-current')) return 'a database of LevelDB';
  if (has('rocksdb-table')) return 'a directory of RocksDB or Pebble';
  return 'a directory of files';
}
