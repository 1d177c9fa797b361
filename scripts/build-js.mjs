// Builds the npm package into js/dist: the engine as WebAssembly, without and with inspection, and the JavaScript around it.

import { mkdirSync, renameSync } from 'node:fs';
import { buildPackage, buildWasm, checkSize } from './build-wasm.mjs';
import {
  asScript,
  environment,
  fingerprint,
  fresh,
  path,
  printLine,
  since,
  stampFresh,
  stream,
  Unmet,
} from './lib.mjs';
import { installJs, setup } from './setup.mjs';

const out = 'js/dist';

/** The two builds of the engine, and how long each may be [bytes, gzip]. */
const modules = [
  { name: 'levelscope', features: [], max: 344 * 1024 },
  { name: 'levelscope-inspect', features: ['inspect'], max: 480 * 1024 },
];

/** The parts of the page that the element imports. */
const viewSources = ['js/build-view.mjs', 'web/src/model', 'web/src/views', 'web/src/styles'];

const rustSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'engine',
  'wasm/origin',
  'wasm/bindgen',
  'js/wasm',
];

async function buildModules() {
  const print = fingerprint(rustSources);
  const products = modules.map(({ name }) => `${out}/engine/${name}.wasm`);
  if (fresh('js-wasm', print, products)) return;
  for (const { name, features } of modules) {
    await buildPackage('levelscope-js', `${out}/engine`, name, { features });
    renameSync(path(out, 'engine', `${name}_bg.wasm`), path(out, 'engine', `${name}.wasm`));
  }
  for (const { name, max } of modules) {
    checkSize({ file: `${out}/engine/${name}.wasm`, name, max });
  }
  stampFresh('js-wasm', print);
}

async function buildJavaScript() {
  const own = [
    'js/src',
    'js/tests/blocking.ts',
    'js/package-lock.json',
    'js/build.mjs',
    'js/glue.mjs',
    'js/tsconfig.json',
  ];
  const print = fingerprint([...rustSources, ...own, ...viewSources]);
  const view = ['view.js', 'view-core.js', 'view-react.js'];
  const products = ['node.js', 'browser.js', 'worker.js', ...view, 'test/blocking.js'].map(
    (name) => `${out}/${name}`,
  );
  if (fresh('js', print, products)) return;
  const { code } = await stream(process.execPath, [path('js/build.mjs')], { env: environment() });
  if (code !== 0) throw new Unmet('The JavaScript of the npm package could not be built.');
  stampFresh('js', print);
}

export async function buildJs() {
  const start = performance.now();
  mkdirSync(path(out), { recursive: true });
  await installJs();
  // The element has parts of the page, which are compiled with what this writes.
  await buildWasm();
  await buildModules();
  await buildJavaScript();
  printLine(`npm package built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildJs();
});
