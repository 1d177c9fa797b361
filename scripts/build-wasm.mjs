// Compiles the engine to WebAssembly and generates its JavaScript side into web/src/engine/pkg.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { setup } from './setup.mjs';

const packageDirectory = 'web/src/engine/pkg';
/** The module that every visitor downloads before the first step, and its budget [bytes, gzip]. */
const module = {
  file: `${packageDirectory}/levelscope_wasm_bg.wasm`,
  name: 'the page',
  max: 838 * 1024,
};
/** The module that a visitor downloads with the first experiment. */
const labs = {
  file: `${packageDirectory}/levelscope_labs_bg.wasm`,
  packed: `${packageDirectory}/levelscope_labs.bin`,
  name: 'experiments',
  max: 455 * 1024,
};

const generated = [
  'web/src/model/engine.generated.ts',
  'web/src/model/lessons.generated.ts',
  'web/src/model/terms.generated.ts',
  'web/src/lens/lens.generated.ts',
];

/** The sources of both. */
export const wasmSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'engine',
  'formats',
  'labs',
  'console',
  'wasm',
];
const target = 'wasm32-unknown-unknown';
const browserProfile = ['--target', target, '--profile', 'browser'];

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

/** Compresses a module as the page fetches it: the copy for offline use keeps files as they are. */
export function compressModule({ file, packed }) {
  writeFileSync(path(packed), gzipSync(readFileSync(path(file)), { level: 9 }));
}

/** Compiles the module of a crate, and generates its JavaScript side into `directory` by the name `name`. */
export async function buildPackage(
  crate,
  directory,
  name,
  { profile = 'browser', features = [] } = {},
) {
  const args = ['-p', crate, '--target', target, '--profile', profile];
  if (features.length > 0) args.push('--features', features.join());
  await cargo(['build', '--locked', '--lib', ...args]);
  const built = join(targetDirectory(), target, profile, `${crate.replaceAll('-', '_')}.wasm`);
  const bindgen = ['run', '--locked', '--quiet', ...once, '-p', 'bindgen'];
  await cargo([...bindgen, '--', built, path(directory), name]);
}

/**
 * Writes the types and lists of Rust that the page is compiled with. `compiled`: what tests of Rust have compiled already,
 * with the crates that write them among it.
 */
export async function buildTypes(compiled) {
  const print = fingerprint([...wasmSources, 'foreign', 'lessons']);
  if (fresh('types', print, generated)) return;
  const packages = compiled ?? [...once, '-p', 'levelscope-wasm', '-p', 'levelscope-lens'];
  const args = ['test', '--locked', '--quiet', ...packages, '--test', 'types'];
  const { code, output } = await stream('cargo', args, { quiet: true });
  if (code !== 0) throw new Unmet(`${output}\nThe types of the page could not be made; see above.`);
  stampFresh('types', print);
}

export async function buildWasm() {
  // The module for directories of other engines is one of its own.
  const print = fingerprint(wasmSources, ['wasm/lens/']);
  if (fresh('wasm', print, [module.file, labs.file, labs.packed])) return;
  const start = performance.now();
  printLine('Building the engine for the browser …');
  // Linking keeps one core busy for each: both are compiled together.
  const both = ['-p', 'levelscope-wasm', '-p', 'levelscope-wasm-labs'];
  await cargo(['build', '--locked', '--lib', ...both, ...browserProfile]);
  await buildPackage('levelscope-wasm', packageDirectory, 'levelscope_wasm');
  await buildPackage('levelscope-wasm-labs', packageDirectory, 'levelscope_labs');
  compressModule(labs);
  checkSize(module);
  checkSize(labs);
  stampFresh('wasm', print);
  printLine(`Engine built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildTypes();
  await buildWasm();
});
