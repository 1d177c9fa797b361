// The files of the page's database on behalf of wasm: settled before any message about them.

import { kindOf, type OriginDirectory } from '../../../js/src/origin/directory';
import { OriginFiles } from '../../../js/src/origin/files';
import type { CallState } from '../model/engine.generated';
import { EngineError, engineError, messageOf, nameOf } from '../model/failures';
import type { Wasm } from './wasm';

export class Files extends OriginFiles<Wasm> {
  /** Lets messages in. */
  readonly #breathe: () => Promise<void>;

  private constructor(wasm: Wasm, directory: OriginDirectory, breathe: () => Promise<void>) {
    super(wasm, directory, refusalOf);
    this.#breathe = breathe;
  }

  /** The files in `directory`. */
  static async of(wasm: Wasm, directory: OriginDirectory, breathe: () => Promise<void>) {
    wasm.beginDirectory(await directory.names(), crypto.getRandomValues(new Uint8Array(16)));
    wasm.stageFiles();
    return new Files(wasm, directory, breathe);
  }

  /**
   * Writes the engine's new files and bytes from memory. If the tab dies before or during this, the files have a state not
   * later than the last one that was sent.
   */
  async settle(): Promise<void> {
    const wasm = this.registry;
    let refused: [name?: string, message?: string] = [];
    try {
      await this.remove(wasm.filesToReplace());
      await Promise.all(wasm.filesToSettle().map((name) => this.ahead(name)));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      refused = [nameOf(error), messageOf(error)];
    }
    for (;;) {
      const settled = JSON.parse(wasm.settle(...refused)) as CallState;
      if (settled.state === 'failed') throw engineError(settled.error);
      if (settled.state !== 'more') break;
      await this.#breathe();
    }
    await this.sweep();
  }

  override async need(name: string): Promise<void> {
    if (this.registry.isFull()) await this.settle();
    await super.need(name);
  }
}

/** Opens a file that a call has asked for. `files`: `null` where the database is in memory. */
export async function open(files: Files | null, name: string): Promise<void> {
  if (files === null) throw new EngineError('io', `There is no place for ${name}.`);
  await files.need(name);
}

/** Repeats the call until it is done, and opens the files that it needs in between. */
export async function unblocked(files: Files | null, call: () => string): Promise<void> {
  for (;;) {
    const answer = JSON.parse(call()) as CallState;
    if (answer.state === 'failed') throw engineError(answer.error);
    if (answer.state !== 'blocked') return;
    await open(files, answer.file);
  }
}

function refusalOf(name: string, error?: unknown): Error {
  if (error instanceof WebAssembly.RuntimeError) return error;
  const why =
    error === undefined
      ? `${name} was opened, but is still not there.`
      : `${name} cannot be opened: ${messageOf(error)}`;
  return new EngineError(kindOf(error), why);
}
