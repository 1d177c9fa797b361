// The engine's module, beside this file: read and compiled at once, when the first database opens.

import { readFileSync } from 'node:fs';
import type { Load } from '../engine/module';

const urls = {
  levelscope: new URL('./levelscope.wasm', import.meta.url),
  'levelscope-inspect': new URL('./levelscope-inspect.wasm', import.meta.url),
};

const modules = new Map<string, WebAssembly.Module>();

export const load: Load = (name) => {
  const found = modules.get(name) ?? new WebAssembly.Module(readFileSync(urls[name]));
  modules.set(name, found);
  return found;
};
