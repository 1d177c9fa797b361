// Builds the npm package into js/dist: the engine as WebAssembly, without and with inspection, and the JavaScript around it.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cargo, checkSize, target } from './build-wasm.mjs';
import {
  asScript,
  environment,
  fingerprint,
  fresh,
  path,
  say,
  since,
  stampFresh,
  stream,
  targetDirectory,
  Unmet,
} from './lib.mjs';
import { installPackages, setup } from './setup.mjs';

const out = 'js/dist';

/** The two builds of the engine, and how long each may be [bytes, gzip]. */
const modules = [
  { name: 'levelscope', features: [], max: 340 * 1024 },
  { name: 'levelscope-inspect', features: ['inspect'], max: 480 * 1024 },
];

/** What the element that draws a database takes from the page. */
const viewSources = ['js/build-view.mjs', 'web/src/model', 'web/src/views', 'web/src/styles'];

const rustSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'engine',
  'wasm/origin',
  'wasm/wbg',
  'js/wasm',
];

async function buildModules() {
  const print = fingerprint(rustSources);
  const products = modules.map(({ name }) => `${out}/engine/${name}.wasm`);
  if (fresh('js-wasm', print, products)) return;
  await cargo(['build', '--locked', '-p', 'wbg']);
  for (const { name, features } of modules) {
    const args = ['-p', 'levelscope-js', '--target', target, '--profile', 'browser'];
    if (features.length > 0) args.push('--features', features.join());
    await cargo(['build', '--locked', '--lib', ...args]);
    const built = join(targetDirectory(), target, 'browser', 'levelscope_js.wasm');
    const directory = path(out, 'engine');
    await cargo(['run', '--locked', '--quiet', '-p', 'wbg', '--', built, directory, name]);
    renameSync(join(directory, `${name}_bg.wasm`), join(directory, `${name}.wasm`));
  }
  for (const { name, max } of modules) {
    checkSize({ file: `${out}/engine/${name}.wasm`, name, max });
  }
  stampFresh('js-wasm', print);
}

async function buildJavaScript() {
  const own = [
    'js/src',
    'js/test/blocking.ts',
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
  await installPackages({
    directory: 'js',
    product: 'node_modules/abstract-level/package.json',
    stamp: 'js-packages',
  });
  await buildModules();
  await buildJavaScript();
  say(`npm package built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildJs();
});
