// The files of the origin on behalf of wasm: opened when a call asks for them, removed when deleted,
// closed when cold.

import type { CallState } from '../model/engine.generated';
import { messageOf, nameOf } from '../model/failures';
import type { Directory, Handle } from './opfs';
import { Refused, type Wasm, type WasmEngine } from './wasm';

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

  constructor(wasm: Wasm<H>, directory: Directory<H> | null) {
    this.#wasm = wasm;
    this.#directory = directory;
  }

  /** Whether there are any. */
  get kept(): boolean {
    return this.#directory !== null;
  }

  /** Opens a file that a call has asked for. */
  async open(name: string): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (directory === null) {
      throw new Refused({ kind: 'io', message: `There is no place for ${name}.` });
    }
    try {
      await this.#removeDeleted(directory);
      if (wasm.isWanted(name)) wasm.registerHandle(name, await directory.open(name));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      const kind = fileErrors[nameOf(error)] ?? 'io';
      throw new Refused({ kind, message: `${name} cannot be opened: ${messageOf(error)}` });
    }
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

  /** Between requests: removes what was deleted, closes cold tables, opens ahead what comes next. */
  async tidy(engine: WasmEngine, { blocked = false } = {}): Promise<void> {
    const [wasm, directory] = [this.#wasm, this.#directory];
    if (directory === null) return;
    try {
      await this.#removeDeleted(directory);
      // A call that was blocked may need more tables at once than are kept: let it have them.
      if (!blocked) directory.forget(wasm.handlesToClose(OPEN_TABLES_MAX));
      const soon = JSON.parse(engine.filesWantedSoon()) as string[];
      // Each is a round trip to the browser: all at once.
      const opened = await Promise.allSettled(
        soon
          .filter((name) => wasm.isWanted(name))
          .map(async (name) => [name, await directory.open(name)] as const),
      );
      for (const each of opened)
        if (each.status === 'fulfilled') wasm.registerHandle(...each.value);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      // A call that needs the file will ask for it by name, and then the failure is reported.
    }
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

  async #removeDeleted(directory: Directory<H>): Promise<void> {
    const names = this.#wasm.filesToRemove();
    directory.forget(names);
    for (const name of names) await directory.remove(name);
  }
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
