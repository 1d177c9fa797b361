// Compiles the modules of the page to WebAssembly and generates their JavaScript sides.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  asScript,
  fingerprint,
  fresh,
  path,
  printLine,
  since,
  stampFresh,
  stream,
  targetDirectory,
  Unmet,
} from './lib.mjs';
import { packSamples } from './samples.mjs';
import { setup } from './setup.mjs';

/** The module of a crate, with the beginning of its files and its budget [bytes, gzip]. */
const moduleOf = (crate, directory, stem, name, max) => {
  return { crate, directory, stem, name, max, file: `${directory}/${stem}_bg.wasm` };
};

/** What every visitor downloads. */
const page = moduleOf(
  'levelscope-wasm',
  'web/src/engine/pkg',
  'levelscope_wasm',
  'the page',
  828 * 1024,
);
/** What comes with the first experiment, and with an opened directory. */
const later = [
  moduleOf(
    'levelscope-wasm-labs',
    'web/src/engine/pkg',
    'levelscope_labs',
    'experiments',
    455 * 1024,
  ),
  moduleOf('levelscope-lens', 'web/src/lens/pkg', 'levelscope_lens', 'directories', 796 * 1024),
];
/** A module that comes later, compressed, because the copy for offline use keeps files as they are. */
const packedFile = ({ directory, stem }) => `${directory}/${stem}.bin`;

const generated = [
  'web/src/model/engine.generated.ts',
  'web/src/model/lessons.generated.ts',
  'web/src/model/terms.generated.ts',
  'web/src/lens/lens.generated.ts',
];

/** The sources of all modules. */
export const wasmSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'engine',
  'formats',
  'labs',
  'foreign',
  'console',
  'lessons',
  'wasm',
];
const target = 'wasm32-unknown-unknown';

/** As quickly compiled as can be: for what runs once. */
const once = ['--profile', 'once'];

/** Runs cargo, and shows its output. */
async function cargo(args) {
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet(`cargo ${args.join(' ')} failed; its message is above.`);
}

/** Prints the size of a module; throws when it is longer than `max` [bytes, gzip]. */
export function checkSize({ file, name, max }) {
  const bytes = readFileSync(path(file));
  const packed = gzipSync(bytes, { level: 9 }).length;
  const figures = `${(bytes.length / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB compressed`;
  if (packed > max) {
    throw new Unmet(
      `The wasm of ${name} is too large: ${figures}; at most ${max / 1024} KiB compressed are allowed.`,
    );
  }
  printLine(`WebAssembly of ${name}: ${figures} (budget ${max / 1024} KiB).`);
}

/** Compiles the modules of `crates`. */
function compile(crates, { profile = 'browser', features = [] } = {}) {
  const args = [...crates.flatMap((crate) => ['-p', crate]), '--target', target];
  if (features.length > 0) args.push('--features', features.join());
  return cargo(['build', '--locked', '--lib', ...args, '--profile', profile]);
}

/** Generates the JavaScript side of the module of a crate into `directory` by the name `name`. */
function bind(crate, directory, name, { profile = 'browser' } = {}) {
  const built = join(targetDirectory(), target, profile, `${crate.replaceAll('-', '_')}.wasm`);
  const bindgen = ['run', '--locked', '--quiet', ...once, '-p', 'bindgen'];
  return cargo([...bindgen, '--', built, path(directory), name]);
}

/** Compiles the module of a crate, and generates its JavaScript side into `directory` by the name `name`. */
export async function buildPackage(crate, directory, name, options) {
  await compile([crate], options);
  await bind(crate, directory, name, options);
}

/** Writes the types and lists of Rust that the page is compiled with. */
async function writeTypes() {
  const directory = 'target/types';
  await bind('levelscope-types', directory, 'types');
  const types = await import(pathToFileURL(path(directory, 'types.js')).href);
  types.initSync({ module: readFileSync(path(directory, 'types_bg.wasm')) });
  const files = types.files();
  for (let at = 0; at < files.length; at += 2) {
    writeFileSync(path('web/src', files[at]), files[at + 1]);
  }
}

export async function buildWasm() {
  await packSamples();
  const print = fingerprint(wasmSources);
  const products = [
    page.file,
    ...later.flatMap((module) => [module.file, packedFile(module)]),
    ...generated,
  ];
  if (fresh('wasm', print, products)) return;
  const start = performance.now();
  printLine('Building the engine for the browser …');
  // A crate is one thread: the generator is compiled beside them.
  const generator = cargo(['build', '--locked', '--quiet', ...once, '-p', 'bindgen']);
  const crates = [page, ...later].map(({ crate }) => crate);
  await Promise.all([compile([...crates, 'levelscope-types']), generator]);
  await writeTypes();
  for (const module of [page, ...later]) {
    await bind(module.crate, module.directory, module.stem);
    checkSize(module);
  }
  for (const module of later) {
    writeFileSync(
      path(packedFile(module)),
      gzipSync(readFileSync(path(module.file)), { level: 9 }),
    );
  }
  stampFresh('wasm', print);
  printLine(`Engine built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
});
