// levelscope in Node, Deno and Bun: a database in a directory.

import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LevelscopeOptions as CommonOptions, Database } from '../database';
import { errorOf } from '../engine/error';
import { LocalEngine } from '../engine/local';
import { engine } from '../engine/module';
import { MemoryPlace } from '../engine/place';
import { inPlaceOf } from './files';
import { codeOf } from './flock';
import { load } from './load';
import { lock } from './lock';
import { NodePlace } from './place';
import { property } from './property';

export { LevelscopeError } from '../engine/error';
export type * from '../types';

/** The result of a repair. */
export interface RepairReport {
  /** Keys of the new database. */
  readonly keys: number;
  /** Bytes that could not be saved, and why. */
  readonly losses: readonly {
    readonly file: string;
    readonly offset: number;
    /** 0: not known. */
    readonly bytes: number;
    readonly what: string;
  }[];
  readonly [field: string]: unknown;
}

/** Options of a database; each has a default. */
export interface LevelscopeOptions<K, V> extends CommonOptions<K, V> {
  /** For browsers; without effect here. */
  readonly fallback?: 'memory' | undefined;
  /** For browsers; without effect here. */
  readonly wasm?: unknown;
  /** For browsers; without effect here. */
  readonly worker?: unknown;
}

function checkLocation(location: unknown, which = 'first', name = 'location') {
  if (typeof location === 'string' && location !== '') return;
  throw new TypeError(`The ${which} argument '${name}' must be a directory's name`);
}

/** Lets errors of a file system pass that have none of these codes. */
const unless =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(String(codeOf(error)))) throw error;
  };

/** A database in a directory of this machine. */
export class Levelscope<K = string, V = string> extends Database<K, V> {
  /** The directory. */
  readonly location: string;
  readonly #backend: LocalEngine;

  /** `location` is a directory, made if it is absent. */
  constructor(location: string, options: LevelscopeOptions<K, V> = {}) {
    checkLocation(location);
    const place = new NodePlace(location);
    const copyTo = (directory: string) => new NodePlace(directory);
    // The larger module costs nothing here: it is not downloaded, and reports nothing until it is asked.
    const backend = new LocalEngine({ place, load, inspect: true, copyTo });
    super(backend, { getSync: true, permanence: true }, options);
    this.location = location;
    this.#backend = backend;
  }

  /** Whether the database is in memory for want of storage, as it may be in a browser: never here. */
  get inMemory(): boolean {
    return false;
  }

  /**
   * A figure of the open database, by the name that LevelDB has for it: `leveldb.num-files-at-level0` and so on,
   * `leveldb.stats`, `leveldb.sstables`, `leveldb.approximate-memory-usage`. Empty for any other name.
   * `db.levelscope` has more, as numbers.
   */
  getProperty(name: string): string {
    return property(this.#backend, name);
  }

  /**
   * Writes what can be proved good of the damaged database in `location` into `target`, an empty or absent directory.
   * Nothing in `location` is changed. Resolves to a report of the keys that were saved and the bytes that were lost.
   */
  static async repair(location: string, target: string): Promise<RepairReport> {
    checkLocation(location);
    checkLocation(target, 'second', 'target');
    const loaded = await engine(true, load);
    const [from, to] = [new NodePlace(location), new NodePlace(target)];
    try {
      const source = await from.openToRead(loaded);
      const empty = await to.open(loaded, { createIfMissing: true });
      return JSON.parse(loaded.Database.repair(source, empty));
    } catch (thrown) {
      throw errorOf(thrown);
    } finally {
      await from.close();
      await to.close();
    }
  }

  /** Removes the files of the database in `location`, and the directory if nothing else is in it. */
  static async destroy(location: string): Promise<void> {
    checkLocation(location);
    const names = await readdir(location)
      .catch(unless('ENOENT'))
      .catch((error) => Promise.reject(inPlaceOf(location, error)));
    if (names === undefined || names.length === 0) return;
    await new NodePlace(location).require(await engine(true, load));
    const held = await lock(location);
    try {
      for (const name of await readdir(location)) {
        if (/^(?:\d{6,}\.(?:wal|sst)|MANIFEST-\d{6,}|CURRENT|LOCK|UNFINISHED)$/.test(name)) {
          await rm(join(location, name));
        }
      }
    } finally {
      held.release();
    }
    // Files that others have made in it meanwhile stay, and so does a link to it.
    await rmdir(location).catch(unless('ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'));
  }
}

/** A database in memory: it loses its data with the object. */
export class MemoryLevelscope<K = string, V = string> extends Database<K, V> {
  constructor(options: LevelscopeOptions<K, V> = {}) {
    const backend = new LocalEngine({ place: new MemoryPlace(), load, inspect: true });
    super(backend, { getSync: true, permanence: false }, options);
  }
}
