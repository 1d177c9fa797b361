// The engine's module: compiled once, instantiated for each database, so that closing one gives its memory back.

import { instantiate } from '../../dist/engine/glue.js';
import type { Awaitable } from './backend';

/** The engine, ready to open a database. Without inspection, its calls are not there. */
export type Engine = ReturnType<typeof instantiate>;
export type EngineDatabase = Engine['Database']['prototype'];
export type EngineFiles = Engine['Files']['prototype'];

/** The bytes of the module, or what was made of them. */
export type ModuleSource = BufferSource | WebAssembly.Module;

/** Gets one of the two modules; at once where the platform can, which then opens a database in memory at once. */
export type Load = (name: 'levelscope' | 'levelscope-inspect') => Awaitable<ModuleSource>;

/** Compiled modules by what they were made of. */
const compiled = new WeakMap<object, Promise<WebAssembly.Module>>();

function compile(source: BufferSource): Promise<WebAssembly.Module> {
  const found = compiled.get(source) ?? WebAssembly.compile(source);
  compiled.set(source, found);
  return found;
}

/** An engine with a memory of its own, with or without inspection. */
export async function engine(inspect: boolean, load: Load): Promise<Engine> {
  const source = await load(inspect ? 'levelscope-inspect' : 'levelscope');
  return instantiate(source instanceof WebAssembly.Module ? source : await compile(source));
}
