// The files of the origin on behalf of wasm: opened when a call asks for them, settled before anything is told of them,
// removed when deleted, closed when cold.

import type { CallState } from '../model/engine.generated';
import { messageOf, nameOf } from '../model/failures';
import type { Directory, Handle } from './opfs';
import { Refused, type Wasm } from './wasm';

/** Tables kept open; each handle that was written through reserves at least 1 MiB of quota. */
const OPEN_TABLES_MAX = 64;
/** How often one call may ask for the same file before something must be wrong. */
const ASKED_MAX = 8;

const fileErrors: Readonly<Record<string, string>> = {
  QuotaExceededError: 'outOfSpace',
  NoModificationAllowedError: 'locked',
};

export class Files<H extends Handle> {
  readonly #wasm: Wasm<H>;
  /** `null`: the database is in memory. */
  readonly #directory: Directory<H> | null;
  /** Lets messages in. */
  readonly #breathe: () => Promise<void>;

  constructor(wasm: Wasm<H>, directory: Directory<H> | null, breathe: () => Promise<void>) {
    this.#wasm = wasm;
    this.#directory = directory;
    this.#breathe = breathe;
  }

  /** Whether there are any. */
  get kept(): boolean {
    return this.#directory !== null;
  }

  /**
   * Writes what the engine keeps in memory: new files and new bytes. Whatever happens to the tab before or in the middle,
   * the files are those of a moment that is not later than the last one that was told.
   */
  async settle(): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (directory === null) return;
    let refused: [name?: string, message?: string] = [];
    try {
      await removed(directory, wasm.filesToReplace());
      const fresh = wasm.filesToSettle();
      await Promise.all(fresh.map((name) => this.#register(name, directory)));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      refused = [nameOf(error), messageOf(error)];
    }
    for (;;) {
      const settled = JSON.parse(wasm.settle(...refused)) as CallState;
      if (settled.state === 'failed') throw new Refused(settled.error);
      if (settled.state !== 'more') break;
      await this.#breathe();
    }
    // A deleted file that stays is swept when the database is opened the next time.
    await removed(directory, wasm.filesToRemove()).catch(() => undefined);
  }

  /** Opens a file that a call has asked for. */
  async open(name: string): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (directory === null) {
      throw new Refused({ kind: 'io', message: `There is no place for ${name}.` });
    }
    if (wasm.isFull()) await this.settle();
    try {
      if (wasm.isWanted(name)) await this.#register(name, directory);
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

  async #register(name: string, directory: Directory<H>): Promise<void> {
    this.#wasm.registerHandle(name, await directory.open(name));
  }

  /** Calls again and again, opening the files asked for in between. */
  async unblocked(call: () => string): Promise<void> {
    const asked = new Asked();
    for (;;) {
      const answer = JSON.parse(call()) as CallState;
      if (answer.state === 'failed') throw new Refused(answer.error);
      if (answer.state !== 'blocked') return;
      asked.count(answer.file);
      await this.open(answer.file);
    }
  }

  /** Between calls: closes tables that were not read for long. */
  tidy(): void {
    this.#directory?.forget(this.#wasm.handlesToClose(OPEN_TABLES_MAX));
  }

  /** Closes everything, and removes what was opened ahead for nothing. */
  async close(): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (directory === null) return;
    const leftovers = [...wasm.filesToRemove(), ...wasm.closeDirectory()];
    for (const name of leftovers) await directory.remove(name).catch(() => undefined);
    directory.closeAll();
  }

  /** Closes everything at once, writing nothing. */
  abandon(): void {
    this.#directory?.closeAll();
  }
}

/** Removes files that wasm has closed. Each is a round trip to the browser: all at once. */
async function removed(directory: Directory<Handle>, names: readonly string[]): Promise<void> {
  directory.forget(names);
  await Promise.all(names.map((name) => directory.remove(name)));
}

function refusalOf(name: string, error: unknown): Error {
  if (error instanceof WebAssembly.RuntimeError) return error;
  const kind = fileErrors[nameOf(error)] ?? 'io';
  return new Refused({ kind, message: `${name} cannot be opened: ${messageOf(error)}` });
}

/** Counts how often a call asked for the same file: the second time it should be there. */
export class Asked {
  readonly #times = new Map<string, number>();

  count(file: string): void {
    const times = (this.#times.get(file) ?? 0) + 1;
    this.#times.set(file, times);
    if (times > ASKED_MAX) {
      throw new Refused({ kind: 'io', message: `${file} was opened, but is still not there.` });
    }
  }

  reset(): void {
    this.#times.clear();
  }
}
