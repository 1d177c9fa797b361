// The directories of a page's databases in the private file system of the origin (OPFS), and the words of refusals.

import { errorOf, LevelscopeError } from '../engine/error';
import { kindOf, nameOf, OriginDirectory } from '../origin/directory';

/** Holds the directories of all databases. */
const ROOT = 'levelscope-databases';
/** Longest name of a directory [characters]; longer ones are replaced by their hash. */
const NAME_MAX = 160;
/** Waits between attempts while a dying worker still has a file [ms]. */
const PAUSES_MS = [5, 20, 50, 100, 200, 400] as const;

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** A refusal of the browser, or an error of the engine, as an error of the file `file`. */
export function refusalOf(thrown: unknown, file?: string): Error {
  const isEngines = thrown instanceof Error && 'kind' in thrown;
  if (isEngines || thrown instanceof WebAssembly.RuntimeError) return errorOf(thrown);
  const [kind, what] = [kindOf(thrown), file ?? 'the database'];
  switch (kind) {
    case 'outOfSpace': {
      const message = `the browser gives this site no more space for ${what}; free some, then reopen`;
      return new LevelscopeError({ kind, message, file });
    }
    case 'locked': {
      const message = `another tab or worker has ${what} open: close it there`;
      return new LevelscopeError({ kind, message, file });
    }
    default: {
      const message = `the browser does not open ${what}: ${nameOf(thrown)}: ${messageOf(thrown)}`;
      return new LevelscopeError({ kind, message, file });
    }
  }
}

/** The name of the directory for `location`: on file systems that take `A` for `a`, too. */
export async function directoryName(location: string): Promise<string> {
  const units = location.match(/[\s\S]/g) ?? [];
  const plain = (unit: string) => /[a-z0-9_-]/.test(unit);
  const coded = (unit: string) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const name = units.map((unit) => (plain(unit) ? unit : coded(unit))).join('');
  if (name.length <= NAME_MAX) return name;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
  const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `~~${digits.join('')}`;
}

/** The directory of all databases; throws where the browser denies it. */
export async function root(): Promise<OriginDirectory> {
  // Absent outside of secure contexts, although its type lacks `undefined`.
  const storage: StorageManager | undefined = navigator.storage;
  try {
    if (storage?.getDirectory === undefined) {
      throw new TypeError('files need a page from HTTPS or localhost');
    }
    const origin = await storage.getDirectory();
    return await new OriginDirectory(origin, PAUSES_MS).folder(ROOT, true);
  } catch (thrown) {
    if (nameOf(thrown) === 'QuotaExceededError') throw refusalOf(thrown);
    const why = `${nameOf(thrown)}: ${messageOf(thrown)}`;
    const message =
      `this browser keeps no files for this page (${why}). Private windows may not allow it: use ` +
      "an ordinary window, or the option { fallback: 'memory' }, with which nothing is kept";
    throw new LevelscopeError({ kind: 'io', message });
  }
}
