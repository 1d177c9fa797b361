/** Opened files. */

import { wordOfText } from './commandWords';
import type { OpenedState } from './engine.generated';

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

/** The directory of an opened file, with the `@`; `null`: it was opened by itself. */
export function directoryOf({ id }: OpenedState): string | null {
  const cut = id.lastIndexOf('/');
  return cut < 0 ? null : id.slice(0, cut);
}
