// A directory of the origin as the place of a database, for an engine in a dedicated worker.

import { LevelscopeError } from '../engine/error';
import type { Engine, EngineFiles } from '../engine/module';
import { isCrowd, MemoryPlace, type Place } from '../engine/place';
import type { OriginDirectory } from '../origin/directory';
import { OPEN_TABLES, OriginFiles } from '../origin/files';
import { type HeldLock, hold, holdWithin } from '../origin/lock';
import { directoryName, refusalOf, root } from './directory';

/** Longest wait for a holder of the lock that is going away [ms]: the page before a reload, for example. */
const PATIENCE_MS = 200;
/** Time before surplus tables are closed [ms]: one call may need all of them. */
const COLD_AFTER_MS = 1000;

const NUMBERED = /^(?:MANIFEST-(\d+)|(\d+)\.(?:wal|sst))$/;
const sixDigits = (number: number) => String(number).padStart(6, '0');

/** The number in the name of a file; 0 where it has none. */
function numberIn(name: string): number {
  const found = NUMBERED.exec(name);
  return Number(found?.[1] ?? found?.[2] ?? 0);
}

/** The files that opening makes, if the newest file has the number `newest`. */
function madeByOpening(newest: number): string[] {
  return [`MANIFEST-${sixDigits(newest + 1)}`, `${sixDigits(newest + 2)}.wal`, 'CURRENT'];
}

export interface OriginOptions {
  readonly location: string;
  readonly fallback: 'memory' | undefined;
}

/** Everything that is held while the database is open. */
interface Opened {
  readonly files: OriginFiles<EngineFiles>;
  readonly held: HeldLock;
}

function refusal(name: string, thrown?: unknown): Error {
  if (thrown !== undefined) return refusalOf(thrown, name);
  const message = `${name} was opened, but is still not there`;
  return new LevelscopeError({ kind: 'io', message, file: name });
}

const refuse = (thrown: unknown): never => {
  throw refusalOf(thrown);
};

/** Takes the lock of the database in `location`, whose directory is `name`. */
async function own(name: string, location: string): Promise<HeldLock> {
  const lock = `${name}@levelscope`;
  const held = (await hold(lock, { ifAvailable: true })) ?? (await holdWithin(PATIENCE_MS, lock));
  if (held !== undefined) return held;
  const message = `the database "${location}" is open in another tab or worker: close it there`;
  throw new LevelscopeError({ kind: 'locked', message });
}

export class OriginPlace implements Place {
  readonly #location: string;
  readonly #fallback: 'memory' | undefined;
  #opened: Opened | undefined;
  #memory: MemoryPlace | undefined;
  #cooling: ReturnType<typeof setTimeout> | undefined;
  isCrowded = false;

  constructor({ location, fallback }: OriginOptions) {
    this.#location = location;
    this.#fallback = fallback;
  }

  /** Whether storage was denied and `fallback` has been taken. */
  get inMemory(): boolean {
    return this.#memory !== undefined;
  }

  async open(
    engine: Engine,
    { createIfMissing }: { readonly createIfMissing: boolean },
  ): Promise<EngineFiles> {
    let all: OriginDirectory;
    try {
      all = await root();
    } catch (thrown) {
      if (this.#fallback !== 'memory') throw thrown;
      this.#memory = new MemoryPlace();
      return this.#memory.open(engine);
    }
    const name = await directoryName(this.#location);
    const held = await own(name, this.#location);
    try {
      const directory = await all.folder(name, createIfMissing).catch(refuse);
      const names = (await directory?.names()) ?? [];
      if (directory === undefined || (names.length === 0 && !createIfMissing)) {
        const message = `the database "${this.#location}" does not exist`;
        throw new LevelscopeError({ kind: 'notFound', message });
      }
      const identity = crypto.getRandomValues(new Uint8Array(16));
      const registry = engine.Files.registered(names, identity);
      const files = new OriginFiles(registry, directory, refusal);
      this.#opened = { files, held };
      await this.#openFirst(files, names);
      return registry;
    } catch (thrown) {
      if (this.#opened === undefined) await held.release();
      else await this.close();
      throw thrown;
    }
  }

  /** Opens the files that opening reads, and those that it will probably make: an attempt that lacks one is repeated. */
  async #openFirst(files: OriginFiles, names: readonly string[]): Promise<void> {
    const newest = names.reduce((most, name) => Math.max(most, numberIn(name)), 0);
    const read = names.filter((name) => /^(?:CURRENT|MANIFEST-\d+|\d+\.wal)$/.test(name));
    this.isCrowded = isCrowd(names);
    const needed = [...new Set([...read, ...madeByOpening(newest)])].map((name) =>
      files.need(name),
    );
    const tables = names.filter((name) => name.endsWith('.sst') && numberIn(name) > 0);
    // The first reads may come before all of these are open: then they wait for the one that they need.
    const first = tables.sort((a, b) => numberIn(b) - numberIn(a)).slice(0, OPEN_TABLES);
    for (const name of first) files.ahead(name).catch(() => {});
    await Promise.all(needed);
  }

  async ahead(name: string): Promise<void> {
    if (this.#opened === undefined) return;
    const { files } = this.#opened;
    await files.need(name, files.registry.takeBlocked());
    this.#coolLater();
  }

  /** Closes tables that are too many, unless they are needed right now. */
  #coolLater() {
    clearTimeout(this.#cooling);
    this.#cooling = setTimeout(() => {
      this.#cooling = undefined;
      this.#opened?.files.closeCold();
    }, COLD_AFTER_MS);
  }

  /** Nothing waits for it: a call that needs a file asks for it, and learns then what went wrong. */
  tidy(wanted: () => readonly string[]): undefined {
    if (this.#opened === undefined) return;
    const { files } = this.#opened;
    files.sweep();
    if (this.#cooling === undefined) files.closeCold();
    for (const name of wanted()) {
      if (files.registry.isWanted(name)) files.ahead(name).catch(() => {});
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#cooling);
    this.#cooling = undefined;
    await this.#memory?.close();
    this.#memory = undefined;
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    await opened.files.close();
    opened.files.registry.free();
    await opened.held.release();
  }
}

/** Removes the database in `location`; one that is open stays, and that is an error. */
export async function destroy(location: string): Promise<void> {
  const all = await root();
  const name = await directoryName(location);
  const held = await own(name, location);
  try {
    await all.remove(name, { recursive: true }).catch(refuse);
  } finally {
    await held.release();
  }
}
