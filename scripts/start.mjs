// `npm start` installs missing tools, builds outdated parts, serves the playground and prints its address.
// `npm run dev` serves the page with instant updates; the modules are rebuilt at start only.
// `node scripts/start.mjs demo` serves the demo page of the npm package.

import { build, buildModules } from './build.mjs';
import { buildJs } from './build-js.mjs';
import { asScript, path, printLine, stream, tool, Unmet } from './lib.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';

const PORTS_TRIED = 50;

/** Each page: its build, its directory, the first port to try, and its address. */
const PAGES = {
  page: { make: build, directory: 'dist', first: 4173, page: '' },
  demo: { make: buildJs, directory: 'js', first: 4273, page: 'demo/' },
};

async function dev() {
  await buildModules();
  process.exitCode = (await stream(process.execPath, [tool('vite')])).code;
}

async function start() {
  const [name = 'page'] = process.argv.slice(2);
  await setup();
  if (name === 'dev') return dev();
  const { make, directory, first, page } = PAGES[name];
  await make();
  const wanted = Number(process.env.PORT ?? first);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) {
    throw new Unmet(`PORT=${process.env.PORT} is not a port number between 1 and 65535.`);
  }
  const { port, stop } = await serve(path(directory), { port: wanted, tries: PORTS_TRIED });
  if (port !== wanted) {
    printLine(
      `Port ${wanted} is taken. A browser keeps one database per address, so this one starts with its own.`,
    );
  }
  printLine(`\n  Levelscope is ready:  http://localhost:${port}/${page}\n\n  Ctrl+C stops it.`);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

asScript(import.meta.url, start);
