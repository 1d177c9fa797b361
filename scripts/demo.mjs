// `node scripts/demo.mjs`: builds the npm package, serves its demo page and prints the address.

import { buildJs } from './build-js.mjs';
import { asScript, path, say, Unmet } from './lib.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';

const PORT_FIRST = 4273;
const PORTS_TRIED = 50;

async function demo() {
  await setup();
  await buildJs();
  const wanted = Number(process.env.PORT ?? PORT_FIRST);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
    throw new Unmet(`PORT=${process.env.PORT} is not a port number between 1 and 65535.`);
  }
  const { port, stop } = await serve(path('js'), { port: wanted, tries: PORTS_TRIED });
  if (port !== wanted) {
    say(`Port ${wanted} is taken. A browser keeps one list per address, so this one is empty.`);
  }
  say(`\n  The demo is ready:  http://127.0.0.1:${port}/demo/\n\n  Ctrl+C stops it.`);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

asScript(import.meta.url, demo);
