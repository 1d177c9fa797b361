// Builds everything into dist/: plain static files that work from any directory of any web server.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { buildWasm } from './build-wasm.mjs';
import {
  asScript,
  filesUnder,
  fingerprint,
  fresh,
  path,
  printLine,
  since,
  stampFresh,
  stream,
  tool,
  Unmet,
} from './lib.mjs';
import { buildServiceWorker } from './offline.mjs';
import { setup } from './setup.mjs';

const brotli = promisify(brotliCompress);

/**
 * For hosts: writes `file.br` beside each file that has its hash in its name. A server that knows such files sends them, and no
 * later build finds one that is too old.
 */
async function compress() {
  const isMissing = (file) => /\.(wasm|js|css)$/.test(file) && !existsSync(`${file}.br`);
  const files = [...filesUnder(path('dist/assets'))].filter(isMissing);
  const packed = await Promise.all(files.map((file) => brotli(readFileSync(file))));
  for (const [at, bytes] of packed.entries()) writeFileSync(`${files[at]}.br`, bytes);
}

export async function buildPage() {
  const places = [
    'web',
    'js/src/origin',
    'vite.config.ts',
    'package-lock.json',
    'scripts/offline.mjs',
  ];
  const print = fingerprint(places);
  if (fresh('page', print, ['dist/index.html', 'dist/sw.js'])) return;
  const start = performance.now();
  printLine('Building the page …');
  const { code, output } = await stream(process.execPath, [tool('vite'), 'build'], { quiet: true });
  if (code !== 0) throw new Unmet(`${output}\nThe page could not be built; see above.`);
  await buildServiceWorker();
  stampFresh('page', print);
  printLine(`Page built in ${since(start)}.`);
}

/** All that the page imports and the repository does not hold. */
export async function buildModules() {
  await setup();
  await buildWasm();
}

export async function build() {
  await buildModules();
  await buildPage();
}

/** As people who host the page want it. */
export async function buildForHosts() {
  await build();
  await compress();
}

asScript(import.meta.url, process.argv[2] === 'modules' ? buildModules : buildForHosts);
