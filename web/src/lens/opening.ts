// Opening a directory in the module, without the files of an archive that cannot be read.

import { kindOf, messageOf } from '../model/failures';
import { counted } from '../model/words';
import { LensError } from './failure';
import type { LensWasm, WasmHost } from './host';
import type { Problem } from './lens.generated';
import { nameText } from './names';
import type { Listing, ReadFile } from './readers';
import { type LeftOut, VITAL } from './refusals';

/**
 * Opens a directory. A packed file that cannot be read and prevents opening is left out; if that does not help, the first
 * failure is thrown.
 */
export function openWithout(wasm: LensWasm, listing: Listing, folder: string, isArchive: boolean) {
  let { files } = listing;
  const leftOut = [...listing.leftOut];
  let first: unknown = null;
  for (;;) {
    const bad = new Map<ReadFile, LensError>();
    const now = files;
    const host: WasmHost = {
      read(place, at, buffer) {
        const file = now[place];
        if (file === undefined) return 0;
        try {
          return file.read(at, buffer);
        } catch (error) {
          if (error instanceof LensError) bad.set(file, error);
          throw error;
        }
      },
    };
    try {
      const lengths = Float64Array.from(files, ({ bytes }) => bytes);
      const names = files.map(({ path }) => path);
      const directory = wasm.OpenDirectory.open(names, lengths, folder, host);
      const lost = [...leftOut, ...bad.keys()].some(({ path }) => VITAL.test(path));
      if (lost && !directory.isDatabase()) {
        directory.free();
        throw new LensError('not_read', `There is no database in ${nameText(folder)}.`);
      }
      // The overview reads the logs and keeps them.
      if (isArchive) directory.ask('{"ask":"overview"}').free();
      return { directory, leftOut };
    } catch (error) {
      first ??= error;
      // An exception without a kind is a trap: the module is no longer usable.
      const isFailure = error instanceof Error && 'kind' in error;
      if (!isFailure) throw first;
      if (bad.size === 0) throw withReasons(first, leftOut);
      for (const [{ path }, { kind, message }] of bad) leftOut.push({ path, kind, why: message });
      files = files.filter((file) => !bad.has(file));
    }
  }
}

/** The folders that are databases: other programs use the same file names. */
export function theirs(wasm: LensWasm, listing: Listing, folders: readonly string[]): string[] {
  return folders.filter((folder) => {
    try {
      const { directory } = openWithout(wasm, listing, folder, false);
      const isDatabase = directory.isDatabase();
      directory.free();
      return isDatabase;
    } catch (error) {
      return kindOf(error) !== 'invalid';
    }
  });
}

/** The failure of a directory that may have opened with the files that were left out: the most important one is named. */
function withReasons(failure: unknown, leftOut: readonly LeftOut[]): unknown {
  const first = leftOut.find(({ path }) => VITAL.test(path)) ?? leftOut[0];
  if (first === undefined) return failure;
  const rest = leftOut.length - 1;
  const more = rest === 0 ? '' : `; and ${counted(rest, 'other file')}`;
  const reason = `${nameText(first.path)}, because ${first.why}${more}`;
  return new LensError(first.kind, `${messageOf(failure)} Left out of the archive: ${reason}.`);
}

/** Fails when no file of an archive can be read. */
export function refuseNone({ files, leftOut }: Listing, archive: string): void {
  if (files.length > 0) return;
  if (leftOut.length === 0) {
    throw new LensError('not_read', `The archive ${nameText(archive)} has no files.`);
  }
  throw withReasons(new Error(`No file of the archive ${nameText(archive)} can be read.`), leftOut);
}

/** Files that were left out, as findings; names without the folder of the database. */
export function problemsOf(leftOut: readonly LeftOut[], folder: string): Problem[] {
  return leftOut.map(({ path, kind, why }) => ({
    file: path.startsWith(folder) ? path.slice(folder.length) : path,
    offset: null,
    severity: kind === 'damaged' ? 'error' : 'not_read',
    state: kind === 'damaged' ? 'damaged' : 'not_read',
    message: `The file was left out: ${why}.`,
    family: null,
    level: null,
    keys: null,
  }));
}
