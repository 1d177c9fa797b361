// The engine's module: compiled once, instantiated once in a thread.

import * as plain from '../../dist/engine/levelscope.js';
import * as inspected from '../../dist/engine/levelscope-inspect.js';

export type EngineDatabase = plain.Database | inspected.Database;
export type EngineFiles = plain.Files | inspected.Files;

/** The engine, ready to open databases. */
export interface Engine {
  readonly memory: WebAssembly.Memory;
  readonly Database: typeof plain.Database | typeof inspected.Database;
  readonly Files: typeof plain.Files | typeof inspected.Files;
}

/** The bytes of the module, or what was made of them. */
export type ModuleSource = BufferSource | WebAssembly.Module;

/** Gets the bytes of one of the two modules. */
export type Load = (name: 'levelscope' | 'levelscope-inspect') => Promise<ModuleSource>;

const engines = new Map<boolean, Promise<Engine>>();

async function instantiate(inspect: boolean, load: Load): Promise<Engine> {
  const glue = inspect ? inspected : plain;
  const source = await load(inspect ? 'levelscope-inspect' : 'levelscope');
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const { memory } = glue.initSync({ module });
  return { memory, Database: glue.Database, Files: glue.Files };
}

/** The engine of this thread, with or without inspection. */
export function engine(inspect: boolean, load: Load): Promise<Engine> {
  let found = engines.get(inspect);
  if (found === undefined) {
    found = instantiate(inspect, load);
    engines.set(inspect, found);
    // The next one to ask tries again.
    found.catch(() => engines.delete(inspect));
  }
  return found;
}

export const isInspected = (database: EngineDatabase): database is inspected.Database =>
  database instanceof inspected.Database;
