// The engine's module, beside this file.

import { readFile } from 'node:fs/promises';
import type { Load } from '../engine/module';

const urls = {
  levelscope: new URL('./levelscope.wasm', import.meta.url),
  'levelscope-inspect': new URL('./levelscope-inspect.wasm', import.meta.url),
};

export const load: Load = async (name) => new Uint8Array(await readFile(urls[name]));
