// Builds the npm package into js/dist: the engine as WebAssembly, without and with inspection, and the JavaScript around it.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  asScript,
  environment,
  fingerprint,
  fresh,
  npm,
  path,
  say,
  since,
  stampFresh,
  stream,
  targetDirectory,
  Unmet,
} from './lib.mjs';
import { setup } from './setup.mjs';

const target = 'wasm32-unknown-unknown';
const out = 'js/dist';

/** The two builds of the engine, and how long each may be [bytes, gzip]. */
const modules = [
  { name: 'levelscope', features: [], max: 268 * 1024 },
  { name: 'levelscope-inspect', features: ['inspect'], max: 345 * 1024 },
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

async function cargo(args) {
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet(`cargo ${args.join(' ')} failed; its message is above.`);
}

export function sizes(file) {
  const bytes = readFileSync(path(file));
  return { bytes: bytes.length, packed: gzipSync(bytes, { level: 9 }).length };
}

function checkSize(file, what, max) {
  const { bytes, packed } = sizes(file);
  const figures = `${(bytes / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(1)} KiB compressed`;
  if (packed > max) {
    throw new Unmet(
      `${what} is too large: ${figures}; at most ${max / 1024} KiB compressed are allowed.`,
    );
  }
  say(`${what}: ${figures} (budget ${max / 1024} KiB).`);
}

async function buildModules() {
  const print = fingerprint(rustSources);
  const products = modules.map(({ name }) => `${out}/engine/${name}.wasm`);
  if (fresh('js-wasm', print, products)) return;
  await cargo(['build', '--locked', '-p', 'wbg']);
  for (const { name, features } of modules) {
    const args = ['-p', 'levelscope-js', '--target', target, '--profile', 'library'];
    if (features.length > 0) args.push('--features', features.join());
    await cargo(['build', '--locked', '--lib', ...args]);
    const built = join(targetDirectory(), target, 'library', 'levelscope_js.wasm');
    const directory = path(out, 'engine');
    await cargo(['run', '--locked', '--quiet', '-p', 'wbg', '--', built, directory, name]);
    cpSync(join(directory, `${name}_bg.wasm`), join(directory, `${name}.wasm`));
    rmSync(join(directory, `${name}_bg.wasm`));
  }
  for (const { name, max } of modules) {
    checkSize(`${out}/engine/${name}.wasm`, `WebAssembly of ${name}`, max);
  }
  stampFresh('js-wasm', print);
}

/** What the package is built and tested with. */
export async function installPackages() {
  const print = fingerprint(['js/package.json', 'js/package-lock.json']);
  if (fresh('js-packages', print, ['js/node_modules/abstract-level/package.json'])) return;
  const start = performance.now();
  say('Installing what the npm package needs …');
  const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: path('js'),
    quiet: true,
  });
  if (code !== 0) throw new Unmet(`${output}\nnpm could not install the packages of js/.`);
  stampFresh('js-packages', print);
  say(`Packages of js/ installed in ${since(start)}.`);
}

async function buildJavaScript() {
  const own = ['js/src', 'js/package-lock.json', 'js/build.mjs', 'js/glue.mjs', 'js/tsconfig.json'];
  const print = fingerprint([...rustSources, ...own, ...viewSources]);
  const products = ['node.js', 'browser.js', 'worker.js', 'view.js'].map(
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
  await installPackages();
  await buildModules();
  if (existsSync(path('js/build.mjs'))) await buildJavaScript();
  say(`npm package built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildJs();
});
