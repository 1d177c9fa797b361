// `npm run dev`: the page with instant updates; the modules are rebuilt at start only.

import { buildModules } from './build.mjs';
import { asScript, stream, tool } from './lib.mjs';

asScript(import.meta.url, async () => {
  await buildModules();
  const { code } = await stream(process.execPath, [tool('vite')]);
  process.exitCode = code;
});
