// The storage of a database, for an engine in this thread.

import type { Engine, EngineFiles } from './module';

/** The files of one database. */
export interface Place {
  /** Whether so many logs were found that background work comes first: else each opening would read more of them. */
  readonly isCrowded?: boolean;
  /** Whether the engine's memory has the only copy of the files. */
  readonly isInMemory?: boolean;
  /** Finds the files and keeps others out. */
  open(engine: Engine, request: { readonly createIfMissing: boolean }): Promise<EngineFiles>;
  /** Opens what a call was blocked on. */
  ahead(name: string): Promise<void>;
  /** Between two slices of work: removes and closes what is no longer needed, opens what will be. */
  tidy(wanted: () => readonly string[]): Promise<void> | undefined;
  /** Gives the files back. */
  close(): Promise<void>;
}

/** Logs from which on opening waits for background work. */
const CROWD = 4;

/** Whether files of these names have so many logs that each opening would read more of them. */
export const isCrowd = (names: readonly string[]) =>
  names.filter((name) => name.endsWith('.wal')).length > CROWD;

/** In memory: the data is there as long as this object. */
export class MemoryPlace implements Place {
  readonly isInMemory = true;
  #files: EngineFiles | undefined;

  async open({ Files }: Engine): Promise<EngineFiles> {
    this.#files ??= Files.memory();
    return this.#files;
  }

  async ahead(): Promise<void> {}

  tidy(): undefined {}

  async close(): Promise<void> {}
}
