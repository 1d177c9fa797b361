// A directory of this machine as the place of a database.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorOf, LevelscopeError, openingError, troubleOf } from '../engine/error';
import type { Engine, EngineFiles } from '../engine/module';
import { isCrowd, type Place } from '../engine/place';
import { NodeHost } from './files';
import { codeOf } from './flock';
import { type Lock, lock } from './lock';

/** Tables that stay open although they were not read for long. */
const OPEN_TABLES = 500;

/** Whether the engine refused the directory because of files that are not its own. */
const isRefusal = (kind: string) => kind === 'unsupportedFormat' || kind === 'invalidArgument';

export class NodePlace implements Place {
  readonly #directory: string;
  readonly #host: NodeHost;
  #lock: Lock | undefined;
  #files: EngineFiles | undefined;
  isCrowded = false;

  constructor(directory: string) {
    // The program may change its working directory. Deno may not let it be asked for.
    this.#directory = 'Deno' in globalThis ? directory : resolve(directory);
    this.#host = new NodeHost(this.#directory);
  }

  async open(
    engine: Engine,
    { createIfMissing }: { readonly createIfMissing: boolean },
  ): Promise<EngineFiles> {
    if (createIfMissing) this.#host.make();
    else this.#requireDirectory();
    await this.#survey(engine, createIfMissing);
    return this.#lockAndList(engine);
  }

  /**
   * Refuses a directory before the lock creates a file in it. Beside an existing LOCK, another program may be changing the
   * files; there, only opening decides.
   */
  async #survey(engine: Engine, createIfMissing: boolean): Promise<void> {
    if (this.#host.list().includes('LOCK')) return;
    const files = await this.#list(engine);
    try {
      engine.Database.survey(files, createIfMissing);
    } catch (thrown) {
      const error = openingError(thrown, createIfMissing);
      const { kind } = troubleOf(error);
      // Opening reports other errors, and repair may be the way out of them.
      if (isRefusal(kind) || kind === 'notFound') throw error;
    } finally {
      await this.close();
    }
  }

  async #lockAndList(engine: Engine): Promise<EngineFiles> {
    this.#lock = await lock(this.#directory);
    this.#host.check = this.#lock.check;
    return this.#list(engine);
  }

  #requireDirectory(): void {
    if (existsSync(this.#directory)) return;
    const message = `${this.#directory} does not exist: there is no database to open`;
    throw new LevelscopeError({ kind: 'notFound', message });
  }

  /** As `open`, for a database that is only read: it may also lie where no program can write. */
  async openToRead(engine: Engine): Promise<EngineFiles> {
    try {
      this.#requireDirectory();
      this.#host.list();
      return await this.#lockAndList(engine);
    } catch (error) {
      if (codeOf(error) !== 'EROFS') throw error;
    }
    this.#host.isReadOnly = true;
    return this.#list(engine);
  }

  async #list({ Files }: Engine): Promise<EngineFiles> {
    try {
      const identity = crypto.getRandomValues(new Uint8Array(16));
      const names = this.#host.list();
      this.isCrowded = isCrowd(names);
      this.#files = Files.hosted(names, identity, this.#host);
      return this.#files;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Refuses a directory with the files of another program; a damaged database is no reason. */
  async require(engine: Engine): Promise<void> {
    await this.#survey(engine, true);
    const files = await this.#lockAndList(engine);
    try {
      const database = engine.Database.open(files, '', false, false);
      database.close();
      database.free();
    } catch (thrown) {
      const { kind } = troubleOf(thrown);
      if (isRefusal(kind)) throw errorOf(thrown);
    } finally {
      await this.close();
    }
  }

  async ahead(): Promise<void> {}

  tidy(): undefined {
    this.#files?.takeRemoved();
    this.#files?.closeCold(OPEN_TABLES);
  }

  async close(): Promise<void> {
    const [files, lock] = [this.#files, this.#lock];
    this.#files = undefined;
    this.#lock = undefined;
    try {
      files?.closeAll();
      files?.free();
      this.#host.close();
    } finally {
      lock?.release();
    }
  }
}
