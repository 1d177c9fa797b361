// The history of the session in a file beside the database, so that it survives a reload. It is optional: if
// anything fails here, the database opens and works without it.

import type { Home } from './opfs';
import type { Resumed, WasmEngine } from './wasm';

/** The longest file that is read [bytes]: the engine writes shorter ones. */
const FILE_BYTES_MAX = 16 << 20;

/** [ms] Between two writes while background work goes on by itself. */
const PAUSE = 1000;

const NOTHING: Resumed = { steps: 0, branches: 0, why: undefined };

/** A browser may return impossible numbers instead of an error: Chromium's private window does at its quota. */
function require(holds: boolean): void {
  if (!holds) throw new Error('The browser refuses the file of the history.');
}

export class KeptHistory {
  #handle: FileSystemSyncAccessHandle | null = null;
  #length = 0;
  #next = 0;

  /** `home`: where the file is; `null`: nothing is kept. */
  constructor(private home: Pick<Home, 'history'> | null) {}

  /** Hands the history of the last visit to `engine`, whose database is not open yet. */
  async begin(engine: WasmEngine, version: string): Promise<Resumed> {
    if (this.home === null) return NOTHING;
    try {
      this.#handle = await this.home.history(false);
      const size = this.#handle?.getSize() ?? 0;
      const bytes = new Uint8Array(Math.min(size, FILE_BYTES_MAX));
      require(
        Number.isInteger(size) && (this.#handle?.read(bytes, { at: 0 }) ?? 0) === bytes.length,
      );
      const resumed = engine.keepHistory(version, bytes);
      const { steps, branches, why } = resumed;
      resumed.free();
      return { steps, branches, why };
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      this.close();
      return NOTHING;
    }
  }

  /** Begins to write, now that the database is open; whether the history will be there the next time. */
  async write(engine: WasmEngine): Promise<boolean> {
    try {
      this.#handle ??= (await this.home?.history(true)) ?? null;
    } catch {
      this.close();
    }
    return this.keep(engine);
  }

  /** Writes what has happened since the last call; whether the history will be there the next time. */
  keep(engine: WasmEngine): boolean {
    if (this.#handle === null) return false;
    const kept = engine.takeKept();
    if (kept === undefined) return engine.keepsHistory();
    const { anew, bytes } = kept;
    kept.free();
    try {
      if (anew) {
        this.#handle.truncate(0);
        require(this.#handle.getSize() === 0);
        this.#length = 0;
      }
      const written = this.#handle.write(Uint8Array.from(bytes), { at: this.#length });
      require(written === bytes.length);
      this.#length += written;
      return engine.keepsHistory();
    } catch {
      // The file ends in the middle of a record: it is a shorter history, and grows no more.
      this.close();
      return false;
    }
  }

  /** As {@link keep}, but not often: `now` in milliseconds. */
  keepSometimes(engine: WasmEngine, now: number): void {
    if (now < this.#next) return;
    this.#next = now + PAUSE;
    this.keep(engine);
  }

  close(): void {
    this.#handle?.close();
    this.#handle = null;
    this.home = null;
  }
}
