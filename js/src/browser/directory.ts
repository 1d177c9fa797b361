// The directory of one database in the private file system of the origin (OPFS).

import { LevelscopeError } from '../engine/error';

/** Holds the directories of all databases. */
const ROOT = 'levelscope-databases';
/** Longest name of a directory [characters]; longer ones are replaced by their hash. */
const NAME_MAX = 160;
/** Waits between attempts while a dying worker still has a file [ms]. */
const PAUSES_MS = [5, 20, 50, 100, 200, 400] as const;

export const nameOf = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown ? String(thrown.name) : '';

const messageOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** What the browser has refused, as an error of the file `file`. */
export function refusalOf(thrown: unknown, file?: string): Error {
  if (thrown instanceof LevelscopeError) return thrown;
  const what = file === undefined ? 'the database' : file;
  switch (nameOf(thrown)) {
    case 'QuotaExceededError': {
      const message = `the browser gives this site no more space for ${what}; free some, then reopen`;
      return new LevelscopeError({ kind: 'outOfSpace', message, file });
    }
    case 'NoModificationAllowedError': {
      const message = `another tab or worker has ${what} open: close it there`;
      return new LevelscopeError({ kind: 'locked', message, file });
    }
    default: {
      const message = `the browser does not open ${what}: ${nameOf(thrown)}: ${messageOf(thrown)}`;
      return new LevelscopeError({ kind: 'io', message, file });
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
export async function root(): Promise<FileSystemDirectoryHandle> {
  // Absent outside of secure contexts, although its type does not say so.
  const storage: StorageManager | undefined = navigator.storage;
  try {
    if (storage?.getDirectory === undefined) {
      throw new TypeError('files need a page from HTTPS or localhost');
    }
    const origin = await storage.getDirectory();
    return await origin.getDirectoryHandle(ROOT, { create: true });
  } catch (thrown) {
    if (nameOf(thrown) === 'QuotaExceededError') throw refusalOf(thrown);
    const why = `${nameOf(thrown)}: ${messageOf(thrown)}`;
    const message =
      `this browser keeps no files for this page (${why}). Private windows may not allow it: use ` +
      "an ordinary window, or the option { fallback: 'memory' }, with which nothing is kept";
    throw new LevelscopeError({ kind: 'io', message });
  }
}

/** Tries again while a worker that is just going away has the file. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await attempt();
    } catch (thrown) {
      if (nameOf(thrown) !== 'NoModificationAllowedError') throw thrown;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return attempt();
}

/** The files of one database. */
export class OriginDirectory {
  readonly #folder: FileSystemDirectoryHandle;

  private constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  /** The directory `name`; `undefined` where it is absent and not to be made. */
  static async find(
    all: FileSystemDirectoryHandle,
    name: string,
    create: boolean,
  ): Promise<OriginDirectory | undefined> {
    try {
      return new OriginDirectory(await all.getDirectoryHandle(name, { create }));
    } catch (thrown) {
      if (!create && nameOf(thrown) === 'NotFoundError') return undefined;
      throw refusalOf(thrown);
    }
  }

  /** Removes the directory `name` and all in it; an absent one is no error. */
  static async destroy(all: FileSystemDirectoryHandle, name: string): Promise<void> {
    try {
      await patiently(() => all.removeEntry(name, { recursive: true }));
    } catch (thrown) {
      if (nameOf(thrown) !== 'NotFoundError') throw refusalOf(thrown);
    }
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }

  /** Opens a file, made if it is absent. */
  async open(name: string): Promise<FileSystemSyncAccessHandle> {
    try {
      const file = await this.#folder.getFileHandle(name, { create: true });
      return await patiently(() => file.createSyncAccessHandle());
    } catch (thrown) {
      throw refusalOf(thrown, name);
    }
  }

  /** Removes a closed file; a missing one is no error. */
  async remove(name: string): Promise<void> {
    try {
      await patiently(() => this.#folder.removeEntry(name));
    } catch (thrown) {
      if (nameOf(thrown) !== 'NotFoundError') throw thrown;
    }
  }
}
