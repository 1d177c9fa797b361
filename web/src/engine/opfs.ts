// Where the page keeps its database in the files of its origin (OPFS), and the history of the visit beside it.

import { OriginDirectory } from '../../../js/src/origin/directory';

/** The folder of the database in the private file system of the origin. */
export const DATABASE = 'levelscope';

/** The folder of the history beside it. */
const HISTORY = 'levelscope-history';

/** Held while the database is open: against tabs that do not know the Web Lock. */
const LOCK_FILE = 'LOCK';

/** [ms] Waits between attempts while another tab or a dying worker still has a file. */
const PAUSES = [10, 30, 60, 100, 200, 400, 600, 600];

export class Home {
  #isLocked = false;

  /** `directory`: the folder of the database. */
  private constructor(
    private readonly origin: OriginDirectory,
    readonly directory: OriginDirectory,
  ) {}

  /** Throws where the browser denies storage. */
  static async find(
    root: Promise<FileSystemDirectoryHandle> = navigator.storage.getDirectory(),
    database = DATABASE,
  ): Promise<Home> {
    const origin = new OriginDirectory(await root, PAUSES);
    return new Home(origin, await origin.folder(database, true));
  }

  /**
   * Proves that files can be opened here and that no other tab has them, by the lock file. Throws
   * `NoModificationAllowedError` when another tab has them. Files without a lock file may be another
   * program's: then nothing is made, and `lock` follows when the engine has found them to be its own.
   */
  async probe(): Promise<void> {
    const names = await this.directory.names();
    if (names.length === 0 || names.includes(LOCK_FILE)) await this.lock();
  }

  /** Holds the lock file. Throws `NoModificationAllowedError` while another tab holds it. */
  async lock(): Promise<void> {
    if (this.#isLocked) return;
    await this.directory.open(LOCK_FILE);
    this.#isLocked = true;
  }

  /** Opens the file of the history; `null`: its folder is not there, and is not to be made. */
  async history(create: boolean): Promise<FileSystemSyncAccessHandle | null> {
    const folder = await this.origin.folder(HISTORY, create);
    return folder?.open('history') ?? null;
  }
}
