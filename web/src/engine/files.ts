// The files of the page's database on behalf of wasm: settled before anything is told of them.

import { kindOf, type OriginDirectory } from '../../../js/src/origin/directory';
import { OriginFiles } from '../../../js/src/origin/files';
import type { CallState } from '../model/engine.generated';
import { messageOf, nameOf } from '../model/failures';
import { Refused, type Wasm } from './wasm';

export class Files {
  readonly #wasm: Wasm;
  /** `null`: the database is in memory. */
  readonly #origin: OriginFiles | null;
  /** Lets messages in. */
  readonly #breathe: () => Promise<void>;

  private constructor(wasm: Wasm, origin: OriginFiles | null, breathe: () => Promise<void>) {
    this.#wasm = wasm;
    this.#origin = origin;
    this.#breathe = breathe;
  }

  /** Those of a directory; `null`: the database is in memory. */
  static async of(wasm: Wasm, directory: OriginDirectory | null, breathe: () => Promise<void>) {
    if (directory === null) return new Files(wasm, null, breathe);
    wasm.beginDirectory(await directory.names(), crypto.getRandomValues(new Uint8Array(16)));
    wasm.stageFiles();
    return new Files(wasm, new OriginFiles(wasm, directory, refusalOf), breathe);
  }

  /** Whether there are any. */
  get kept(): boolean {
    return this.#origin !== null;
  }

  /**
   * Writes what the engine keeps in memory: new files and new bytes. Whatever happens to the tab before or in the middle,
   * the files are those of a moment that is not later than the last one that was told.
   */
  async settle(): Promise<void> {
    const [wasm, origin] = [this.#wasm, this.#origin];
    if (origin === null) return;
    let refused: [name?: string, message?: string] = [];
    try {
      await origin.remove(wasm.filesToReplace());
      await Promise.all(wasm.filesToSettle().map((name) => origin.ahead(name)));
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
    await origin.sweep();
  }

  /** Opens a file that a call has asked for. */
  async open(name: string): Promise<void> {
    if (this.#origin === null) {
      throw new Refused({ kind: 'io', message: `There is no place for ${name}.` });
    }
    if (this.#wasm.isFull()) await this.settle();
    await this.#origin.need(name);
  }

  /** Calls again and again, opening the files asked for in between. */
  async unblocked(call: () => string): Promise<void> {
    for (;;) {
      const answer = JSON.parse(call()) as CallState;
      if (answer.state === 'failed') throw new Refused(answer.error);
      if (answer.state !== 'blocked') return;
      await this.open(answer.file);
    }
  }

  /** Between calls: closes tables that were not read for long. */
  tidy(): void {
    this.#origin?.closeCold();
  }

  /** Closes everything, and removes what was opened ahead for nothing. */
  async close(): Promise<void> {
    await this.#origin?.close();
  }

  /** Closes everything at once, writing nothing. */
  abandon(): void {
    this.#origin?.abandon();
  }
}

function refusalOf(name: string, error?: unknown): Error {
  if (error instanceof WebAssembly.RuntimeError) return error;
  const why =
    error === undefined
      ? `${name} was opened, but is still not there.`
      : `${name} cannot be opened: ${messageOf(error)}`;
  return new Refused({ kind: kindOf(error), message: why });
}
