// `npm run dev`: the page with instant updates; the engine is rebuilt at start only.

import { buildWasm } from './build-wasm.mjs';
import { asScript, stream, tool } from './lib.mjs';
import { setup } from './setup.mjs';

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
  const { code } = await stream(process.execPath, [tool('vite')]);
  process.exitCode = code;
});
