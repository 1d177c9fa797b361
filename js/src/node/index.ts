// levelscope in Node, Deno and Bun: a database in a directory.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LevelscopeOptions as CommonOptions, Database } from '../database';
import { LocalEngine } from '../engine/local';
import { engine } from '../engine/module';
import { MemoryPlace } from '../engine/place';
import { load } from './load';
import { lock } from './lock';
import { NodePlace } from './place';

export type { SyncOption } from '../database';
export { LevelscopeError } from '../engine/error';
export type { EngineEvent, EventOptions, Explanation, Level, Stats } from '../inspection';
export type { EngineOptions } from '../options';
export type { PackedEntries, PackedRange, PackedReads, PackedScan, PackedValues } from '../packed';

/** Options of a database; each has a default. */
export interface LevelscopeOptions<K, V> extends CommonOptions<K, V> {
  /** For browsers; without effect here. */
  readonly fallback?: 'memory' | undefined;
  /** For browsers; without effect here. */
  readonly wasm?: unknown;
  /** For browsers; without effect here. */
  readonly worker?: unknown;
}

/** A database in a directory of this machine. */
export class Levelscope<K = string, V = string> extends Database<K, V> {
  /** The directory. */
  readonly location: string;

  /** `location` is a directory, made if it is absent. */
  constructor(location: string, options: LevelscopeOptions<K, V> = {}) {
    if (typeof location !== 'string' || location === '') {
      throw new TypeError("The first argument 'location' must be a directory's name");
    }
    const place = new NodePlace(location);
    const copyTo = (directory: string) => new NodePlace(directory);
    // The larger module costs nothing here: it is not downloaded, and tells nothing until it is asked.
    super(
      new LocalEngine({ place, load, inspect: true, copyTo }),
      { getSync: true, permanence: true },
      options,
    );
    this.location = location;
  }

  /** Whether the database is in memory for want of storage, as it may be in a browser: never here. */
  get inMemory(): boolean {
    return false;
  }

  /** Removes the files of the database in `location`, and the directory if nothing else is in it. */
  static async destroy(location: string): Promise<void> {
    const names = await readdir(location).catch(() => []);
    if (names.length === 0) return;
    await new NodePlace(location).require(await engine(true, load));
    const held = await lock(location);
    try {
      for (const name of await readdir(location)) {
        if (/^(?:\d{6,}\.(?:wal|sst)|MANIFEST-\d{6,}|CURRENT|LOCK|UNFINISHED)$/.test(name)) {
          await rm(join(location, name));
        }
      }
    } finally {
      await held.release();
    }
    if ((await readdir(location)).length === 0) await rm(location, { recursive: true });
  }
}

/** A database in memory: it loses its data with the object. */
export class MemoryLevelscope<K = string, V = string> extends Database<K, V> {
  constructor(options: LevelscopeOptions<K, V> = {}) {
    const backend = new LocalEngine({ place: new MemoryPlace(), load, inspect: true });
    super(backend, { getSync: true, permanence: false }, options);
  }
}
