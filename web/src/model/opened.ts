/** Opened files. */

import { wordOfText } from './commandWords';
import type { DamageWords } from './damage';
import type { DirectoryState, OpenedState } from './engine.generated';
import { count } from './words';

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

/** The damage of the objects in the picture of a directory, in words, by their selections. */
export function damagedObjects(
  { objects, flaws }: Pick<DirectoryState, 'objects' | 'flaws'>,
  files: readonly OpenedState[],
): DamageWords {
  const marks = new Map<string, string>();
  for (const { object, file } of objects) {
    if (file === null) {
      marks.set(object, 'missing');
      continue;
    }
    const damage = files.find(({ id }) => id === file)?.damage ?? null;
    const isFlawed = flaws.some((flaw) => flaw.file === file);
    if (damage !== null || isFlawed) {
      const place = damage?.offset ?? null;
      marks.set(object, place === null ? 'damaged' : `damaged at offset ${count(place)}`);
    }
  }
  return marks;
}
