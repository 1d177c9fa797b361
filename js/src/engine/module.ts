// The engine's module: compiled once, instantiated once in a thread.

import { instantiate } from '../../dist/engine/glue.js';

/** The engine, ready to open databases. Without inspection, its calls are not there. */
export type Engine = ReturnType<typeof instantiate>;
export type EngineDatabase = Engine['Database']['prototype'];
export type EngineFiles = Engine['Files']['prototype'];

/** The bytes of the module, or what was made of them. */
export type ModuleSource = BufferSource | WebAssembly.Module;

/** Gets the bytes of one of the two modules. */
export type Load = (name: 'levelscope' | 'levelscope-inspect') => Promise<ModuleSource>;

const engines = new Map<boolean, Promise<Engine>>();

async function made(inspect: boolean, load: Load): Promise<Engine> {
  const source = await load(inspect ? 'levelscope-inspect' : 'levelscope');
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  return instantiate(module);
}

/** The engine of this thread, with or without inspection. */
export function engine(inspect: boolean, load: Load): Promise<Engine> {
  let found = engines.get(inspect);
  if (found === undefined) {
    found = made(inspect, load);
    engines.set(inspect, found);
    // The next one to ask tries again.
    found.catch(() => engines.delete(inspect));
  }
  return found;
}
