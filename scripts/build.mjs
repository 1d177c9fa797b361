// Builds everything into dist/: plain static files that work from any directory of any web server.

import { buildLens } from './build-lens.mjs';
import { buildWasm } from './build-wasm.mjs';
import {
  asScript,
  fingerprint,
  fresh,
  say,
  since,
  stampFresh,
  stream,
  tool,
  Unmet,
} from './lib.mjs';
import { buildServiceWorker } from './offline.mjs';
import { setup } from './setup.mjs';

export async function buildPage() {
  const places = ['web', 'vite.config.ts', 'package-lock.json', 'scripts/offline.mjs'];
  const print = fingerprint(places);
  if (fresh('page', print, ['dist/index.html', 'dist/sw.js'])) return;
  const start = performance.now();
  say('Building the page …');
  const { code, output } = await stream(process.execPath, [tool('vite'), 'build'], { quiet: true });
  if (code !== 0) throw new Unmet(`${output}\nThe page could not be built; see above.`);
  await buildServiceWorker();
  stampFresh('page', print);
  say(`Page built in ${since(start)}.`);
}

export async function build() {
  await setup();
  await buildWasm();
  await buildLens();
  await buildPage();
}

asScript(import.meta.url, build);
