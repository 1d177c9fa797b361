// The engine's module: instantiated for each database, so that closing one gives its memory back.

import { instantiate } from '../../dist/engine/glue.js';
import type { Awaitable } from './backend';

/** The engine, ready to open a database. Without inspection, its calls are not there. */
export type Engine = ReturnType<typeof instantiate>;
export type EngineDatabase = Engine['Database']['prototype'];
export type EngineFiles = Engine['Files']['prototype'];

/** Gets one of the two modules; at once where the platform can, which then opens a database in memory at once. */
export type Load = (name: 'levelscope' | 'levelscope-inspect') => Awaitable<WebAssembly.Module>;

/** An engine with a memory of its own, with or without inspection. */
export async function engine(inspect: boolean, load: Load): Promise<Engine> {
  return instantiate(await load(inspect ? 'levelscope-inspect' : 'levelscope'));
}
