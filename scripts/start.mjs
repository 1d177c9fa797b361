// `npm start`: installs missing tools, builds outdated parts, serves the playground and prints its address.

import { build } from './build.mjs';
import { asScript, path, say, Unmet } from './lib.mjs';
import { serve } from './serve.mjs';

const PORT_FIRST = 4173;
const PORTS_TRIED = 50;

async function start() {
  await build();
  const wanted = Number(process.env.PORT ?? PORT_FIRST);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
    throw new Unmet(`PORT=${process.env.PORT} is not a port number between 1 and 65535.`);
  }
  const { port, stop } = await serve(path('dist'), { port: wanted, tries: PORTS_TRIED });
  if (port !== wanted) {
    say(
      `Port ${wanted} is taken. A browser keeps one database per address, so this one starts with its own.`,
    );
  }
  say(`\n  Levelscope is ready:  http://localhost:${port}/\n\n  Ctrl+C stops it.`);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

asScript(import.meta.url, start);
