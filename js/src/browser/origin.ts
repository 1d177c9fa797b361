// A directory of the origin as the place of a database, for an engine in a dedicated worker.

import { LevelscopeError } from '../engine/error';
import type { Engine, EngineFiles } from '../engine/module';
import { isCrowd, MemoryPlace, type Place } from '../engine/place';
import { directoryName, OriginDirectory, root } from './directory';
import { type Held, own } from './lock';

/** Tables that stay open; each handle that was written through reserves at least 1 MiB of quota. */
const OPEN_TABLES = 64;
/** How long tables stay open although they are too many [ms]: one call may need all of them. */
const COLD_AFTER_MS = 1000;
/** How often a call may ask for a file that is open already before something must be wrong. */
const VAIN_MAX = 8;

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
  readonly directory: OriginDirectory;
  readonly files: EngineFiles;
  readonly held: Held;
}

export class OriginPlace implements Place {
  readonly #location: string;
  readonly #fallback: 'memory' | undefined;
  #opened: Opened | undefined;
  #memory: MemoryPlace | undefined;
  /** Files that are being opened, or removed. */
  readonly #opening = new Map<string, Promise<void>>();
  readonly #removing = new Map<string, Promise<void>>();
  #cooling: ReturnType<typeof setTimeout> | undefined;
  #vain = 0;
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
    let all: FileSystemDirectoryHandle;
    try {
      all = await root();
    } catch (thrown) {
      if (this.#fallback !== 'memory') throw thrown;
      this.#memory = new MemoryPlace();
      return this.#memory.open(engine);
    }
    const name = await directoryName(this.#location);
    const held = await own(`${name}@levelscope`, this.#location);
    try {
      const directory = await OriginDirectory.find(all, name, createIfMissing);
      const names = (await directory?.names()) ?? [];
      if (directory === undefined || (names.length === 0 && !createIfMissing)) {
        const message = `the database "${this.#location}" does not exist`;
        throw new LevelscopeError({ kind: 'notFound', message });
      }
      const identity = crypto.getRandomValues(new Uint8Array(16));
      const files = engine.Files.registered(names, identity);
      this.#opened = { directory, files, held };
      await this.#openFirst(names);
      return files;
    } catch (thrown) {
      if (this.#opened === undefined) await held.release();
      else await this.close();
      throw thrown;
    }
  }

  /** Opens the files that opening reads, and those that it will probably make: an attempt that lacks one is repeated. */
  async #openFirst(names: readonly string[]): Promise<void> {
    const newest = names.reduce((most, name) => Math.max(most, numberIn(name)), 0);
    const read = names.filter((name) => /^(?:CURRENT|MANIFEST-\d+|\d+\.wal)$/.test(name));
    this.isCrowded = isCrowd(names);
    const needed = [...new Set([...read, ...madeByOpening(newest)])].map((name) =>
      this.#ahead(name),
    );
    const tables = names.filter((name) => name.endsWith('.sst') && numberIn(name) > 0);
    // The first reads may come before all of these are open: then they wait for the one that they need.
    const first = tables.sort((a, b) => numberIn(b) - numberIn(a)).slice(0, OPEN_TABLES);
    for (const name of first) this.#ahead(name).catch(() => {});
    await Promise.all(needed);
  }

  async ahead(name: string): Promise<void> {
    const files = this.#opened?.files;
    if (files !== undefined && !files.isWanted(name)) {
      this.#vain += 1;
      if (this.#vain > VAIN_MAX) {
        const message = `${name} was opened, but is still not there`;
        throw new LevelscopeError({ kind: 'io', message, file: name });
      }
      return;
    }
    this.#vain = 0;
    const blocked = files?.takeBlocked() ?? [];
    await Promise.all([...new Set([name, ...blocked])].map((each) => this.#ahead(each)));
    this.#coolLater();
  }

  /** Opens a file, once, and hands it to the engine. */
  #ahead(name: string): Promise<void> {
    const pending = this.#opening.get(name);
    if (pending !== undefined) return pending;
    const opening = this.#register(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #register(name: string): Promise<void> {
    await this.#removing.get(name);
    const opened = this.#opened;
    if (opened === undefined || !opened.files.isWanted(name)) return;
    opened.files.register(name, await opened.directory.open(name));
  }

  /** Closes tables that are too many, unless they are needed right now. */
  #coolLater() {
    clearTimeout(this.#cooling);
    this.#cooling = setTimeout(() => {
      this.#cooling = undefined;
      this.#opened?.files.closeCold(OPEN_TABLES);
    }, COLD_AFTER_MS);
  }

  /** Nothing waits for it: a call that needs a file asks for it, and learns then what went wrong. */
  tidy(wanted: () => readonly string[]): undefined {
    if (this.#opened === undefined) return;
    const { files, directory } = this.#opened;
    for (const name of files.takeRemoved()) this.#remove(directory, name);
    if (this.#cooling === undefined) files.closeCold(OPEN_TABLES);
    for (const name of wanted()) {
      if (files.isWanted(name)) this.#ahead(name).catch(() => {});
    }
  }

  /** Removes a file that is closed. One that stays is removed at the next opening. */
  #remove(directory: OriginDirectory, name: string) {
    const removing = directory.remove(name).catch(() => {});
    this.#removing.set(
      name,
      removing.finally(() => this.#removing.delete(name)),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#cooling);
    this.#cooling = undefined;
    await this.#memory?.close();
    this.#memory = undefined;
    const opened = this.#opened;
    if (opened === undefined) return;
    const { files, directory, held } = opened;
    await Promise.allSettled(this.#opening.values());
    this.#opened = undefined;
    // Files that were opened ahead and never used go, too.
    for (const name of [...files.takeRemoved(), ...files.closeAll()]) this.#remove(directory, name);
    files.free();
    await Promise.all(this.#removing.values());
    await held.release();
  }
}

/** Removes the database in `location`; one that is open stays, and that is an error. */
export async function destroy(location: string): Promise<void> {
  const all = await root();
  const name = await directoryName(location);
  const held = await own(`${name}@levelscope`, location);
  try {
    await OriginDirectory.destroy(all, name);
  } finally {
    await held.release();
  }
}
