// The files of the origin: one flat directory, opened here because only asynchronous calls can open
// files, and read and written by wasm through the handles.

import { nameOf } from '../model/failures';

/** The folder of the database in the private file system of the origin. */
export const DATABASE = 'levelscope';

/** Held while the database is open: against tabs that do not know the Web Lock. */
const LOCK_FILE = 'LOCK';

/** [ms] Waits between attempts while another tab or a dying worker still has a file. */
const BACKOFF = [10, 30, 60, 100, 200, 400, 600, 600] as const;

/** The folder of the history beside it. */
const HISTORY = 'levelscope-history';

/** The name of the history among open handles: no file of a database has it. */
const HISTORY_HANDLE = '/history';

/** Part of a handle that this side uses; wasm does the rest. */
export interface Handle {
  close(): void;
}

/** The handle of a file that this side reads and writes. */
export interface HistoryHandle extends Handle {
  getSize(): number;
  read(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(size: number): void;
}

/** A directory of files, as the host of the engine needs it. */
export interface Directory<H extends Handle = FileSystemSyncAccessHandle> {
  /** Every name in it. */
  names(): Promise<string[]>;
  /** Holds the lock file, making it when it is not there. */
  lock(): Promise<void>;
  /** Opens a file for reading and writing, making it when it is not there. */
  open(name: string): Promise<H>;
  /** Opens the file of the history, beside the database; `null`: it is not there, and is not to be made. */
  history(create: boolean): Promise<HistoryHandle | null>;
  /** Removes a closed file; a missing one is no error. */
  remove(name: string): Promise<void>;
  /** Forgets handles that wasm has closed. */
  forget(names: readonly string[]): void;
  /** Closes every open handle at once, writing nothing. */
  closeAll(): void;
}

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Tries again while another tab has the file; gives up with the last error after two seconds. */
async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (const pause of BACKOFF) {
    try {
      return await attempt();
    } catch (error) {
      if (nameOf(error) !== 'NoModificationAllowedError') throw error;
      await wait(pause);
    }
  }
  return attempt();
}

/** The directory in the private file system of the origin (OPFS). */
export class OriginDirectory implements Directory {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #open = new Map<string, FileSystemSyncAccessHandle>();

  private constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  /** The folder; throws where the browser denies storage. */
  static async find(database = DATABASE): Promise<OriginDirectory> {
    const root = await navigator.storage.getDirectory();
    return new OriginDirectory(await root.getDirectoryHandle(database, { create: true }));
  }

  /**
   * Proves that files can be opened here and that no other tab has them, by the lock file. Throws
   * `NoModificationAllowedError` when another tab has them. Files without a lock file may be another
   * program's: then nothing is made, and `lock` follows when the engine has found them to be its own.
   */
  async probe(): Promise<void> {
    const names = await this.names();
    if (names.length === 0 || names.includes(LOCK_FILE)) await this.lock();
  }

  /** Holds the lock file. Throws `NoModificationAllowedError` while another tab holds it. */
  async lock(): Promise<void> {
    if (this.#open.has(LOCK_FILE)) return;
    this.#open.set(LOCK_FILE, await patiently(() => this.#handle(LOCK_FILE)));
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names.sort();
  }

  async open(name: string): Promise<FileSystemSyncAccessHandle> {
    const handle = await patiently(() => this.#handle(name));
    this.#open.set(name, handle);
    return handle;
  }

  async history(create: boolean): Promise<FileSystemSyncAccessHandle | null> {
    try {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle(HISTORY, { create });
      const file = await folder.getFileHandle('history', { create });
      const handle = await patiently(() => file.createSyncAccessHandle());
      this.#open.set(HISTORY_HANDLE, handle);
      return handle;
    } catch (error) {
      if (!create && nameOf(error) === 'NotFoundError') return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    if (name === LOCK_FILE) return;
    this.#open.delete(name);
    try {
      await patiently(() => this.#folder.removeEntry(name));
    } catch (error) {
      if (nameOf(error) !== 'NotFoundError') throw error;
    }
  }

  forget(names: readonly string[]): void {
    for (const name of names) this.#open.delete(name);
  }

  closeAll(): void {
    for (const handle of this.#open.values()) handle.close();
    this.#open.clear();
  }

  async #handle(name: string): Promise<FileSystemSyncAccessHandle> {
    const file = await this.#folder.getFileHandle(name, { create: true });
    return file.createSyncAccessHandle();
  }
}
