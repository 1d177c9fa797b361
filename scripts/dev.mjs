// `npm run dev`: the page with instant updates; the modules are rebuilt at start only.

import { buildLens } from './build-lens.mjs';
import { buildWasm } from './build-wasm.mjs';
import { asScript, stream, tool } from './lib.mjs';
import { setup } from './setup.mjs';

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
  await buildLens();
  const { code } = await stream(process.execPath, [tool('vite')]);
  process.exitCode = code;
});
