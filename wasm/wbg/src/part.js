// Written by wasm/wbg: the part of the engine's module that is fetched when a command first needs it.

import { initSync } from './levelscope_wasm.js';

let isThere = false;

/**
 * Adds the part to the module, which is initialized; nothing happens when it is there already. `bytes`: its content, where
 * the caller has it. Rejects when it does not come; a later call tries again.
 */
export async function loadPart(bytes) {
  if (isThere) return;
  const module = await WebAssembly.compile(bytes ?? (await fetched()));
  if (isThere) return;
  new WebAssembly.Instance(module, { __wasm_split: initSync() });
  isThere = true;
}

async function fetched() {
  const response = await fetch(new URL('levelscope_part.wasm', import.meta.url));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}

/** Asked by the module itself: whether the part is there. */
export function __wasm_split_load_rest(callback, data) {
  initSync().__indirect_function_table.get(callback)(data, isThere);
}
