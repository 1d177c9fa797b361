// levelscope in browsers: a database in the private file system of the origin.

import { type LevelscopeOptions as CommonOptions, Database } from '../database';
import { LocalEngine } from '../engine/local';
import { MemoryPlace } from '../engine/place';
import { loadFrom, type WasmSource } from './load';
import { destroy, OriginPlace } from './origin';
import { RemoteEngine } from './remote';
import { isDedicatedWorker } from './scope';

export { LevelscopeError } from '../engine/error';
export type * from '../types';
export type { WasmSource } from './load';

/** The source of the engine. */
interface WasmOption {
  /**
   * The engine's module. Default: fetched from beside the JavaScript. For programs whose bundler does not find it, or whose
   * policy forbids to fetch it.
   */
  readonly wasm?: WasmSource | undefined;
}

/** Options of a database in memory. */
export interface MemoryOptions<K, V> extends CommonOptions<K, V>, WasmOption {}

/** Options of a database; each has a default. */
export interface LevelscopeOptions<K, V> extends CommonOptions<K, V>, WasmOption {
  /**
   * Starts the worker of the database. Default: with the script `worker.js` beside the JavaScript. For programs whose
   * bundler does not find that script (`levelscope/worker`).
   */
  readonly worker?: (() => Worker) | undefined;
  /**
   * What a database does where the browser denies storage. Default: `undefined`: opening fails. `'memory'`: it is in
   * memory, ends when it is closed, and `inMemory` is true.
   */
  readonly fallback?: 'memory' | undefined;
}

const startWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

function engineIn<K, V>(location: string, options: LevelscopeOptions<K, V>) {
  const { inspect = false, fallback, wasm, worker: start = startWorker } = options;
  const load = loadFrom(wasm);
  if (!isDedicatedWorker()) {
    const backend = new RemoteEngine({ location, load, inspect, fallback, start });
    return { backend, inMemory: () => backend.inMemory };
  }
  const place = new OriginPlace({ location, fallback });
  return { backend: new LocalEngine({ place, load, inspect }), inMemory: () => place.inMemory };
}

/**
 * A database in the private file system of the origin. A page starts a worker for it; in a dedicated worker the engine
 * runs in that worker.
 */
export class Levelscope<K = string, V = string> extends Database<K, V> {
  /** The name of the database: any string that is not empty. */
  readonly location: string;
  readonly #inMemory: () => boolean;

  constructor(location: string, options: LevelscopeOptions<K, V> = {}) {
    if (typeof location !== 'string' || location === '') {
      throw new TypeError("The first argument 'location' must be a name: a string, not empty");
    }
    const { backend, inMemory } = engineIn(location, options);
    super(backend, { getSync: backend.isNear, permanence: true }, options);
    this.location = location;
    this.#inMemory = inMemory;
  }

  /** Whether the browser denied storage and `fallback: 'memory'` was taken: nothing is kept. */
  get inMemory(): boolean {
    return this.#inMemory();
  }

  /** Removes the database `location` with all its data. One that is open stays: LEVEL_LOCKED. */
  static destroy(location: string): Promise<void> {
    return destroy(location);
  }
}

/** A database in the memory of this thread: it loses its data with the object. */
export class MemoryLevelscope<K = string, V = string> extends Database<K, V> {
  constructor(options: MemoryOptions<K, V> = {}) {
    const { inspect = false, wasm } = options;
    const backend = new LocalEngine({ place: new MemoryPlace(), load: loadFrom(wasm), inspect });
    super(backend, { getSync: true, permanence: false }, options);
  }
}
