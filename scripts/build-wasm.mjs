// Compiles the engine to WebAssembly and generates its JavaScript side into web/src/engine/pkg.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  asScript,
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
import { setup } from './setup.mjs';

const packageDirectory = 'web/src/engine/pkg';
/** The functions that a first visit runs (`npm run profile`): by it the module is divided. */
export const PROFILE = 'wasm/first-visit.txt';
/** The parts of the module, and how long each may be [bytes, gzip]. */
const parts = [
  // What every visitor downloads before the first step.
  {
    file: `${packageDirectory}/levelscope_wasm_bg.wasm`,
    name: 'a first visit',
    max: 416 * 1024,
    advice: 'If functions were renamed or are new, `npm run profile` divides it anew.',
  },
  // All else: fetched after the engine is ready.
  { file: `${packageDirectory}/levelscope_part.wasm`, name: 'the rest', max: 750 * 1024 },
];

/** The sources of the module. */
export const wasmSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  '.cargo',
  'engine',
  'formats',
  'labs',
  'console',
  'wasm',
];
export const target = 'wasm32-unknown-unknown';

/** Runs cargo, and shows what it says. */
export async function cargo(args) {
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet(`cargo ${args.join(' ')} failed; its message is above.`);
}

/** Says how long a module is; throws when it is longer than `max` [bytes, gzip]. */
export function checkSize({ file, name, max, advice = '' }) {
  const bytes = readFileSync(path(file));
  const packed = gzipSync(bytes, { level: 9 }).length;
  const figures = `${(bytes.length / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB compressed`;
  if (packed > max) {
    throw new Unmet(
      `The wasm of ${name} is too large: ${figures}; at most ${max / 1024} KiB compressed are allowed. ${advice}`,
    );
  }
  say(`WebAssembly of ${name}: ${figures} (budget ${max / 1024} KiB).`);
}

/** Runs wasm/wbg. */
export async function wbg(args) {
  await cargo(['run', '--locked', '--quiet', '-p', 'wbg', '--', ...args]);
}

/** Compiles the module; its path. */
export async function linkModule({ profile = 'browser', features = [] } = {}) {
  const args = ['-p', 'levelscope-wasm', '--target', target, '--profile', profile];
  if (features.length > 0) args.push('--features', features.join());
  // What divides it follows the relocations.
  await cargo(['rustc', '--locked', '--lib', ...args, '--', '-C', 'link-arg=--emit-relocs']);
  const folder = profile === 'dev' ? 'debug' : profile;
  return join(targetDirectory(), target, folder, 'levelscope_wasm.wasm');
}

/** Compiles the module, divides it and generates its JavaScript side into `directory`. */
export async function buildPackage(directory, options = {}) {
  await cargo(['build', '--locked', '-p', 'wbg']);
  await wbg(['--parts', await linkModule(options), path(directory), path(PROFILE)]);
}

/** `checks`: whether a module that is too large is an error. */
export async function buildWasm({ checks = true } = {}) {
  // The module for directories of other engines is one of its own.
  const print = fingerprint(wasmSources, ['wasm/lens/']);
  if (
    fresh(
      'wasm',
      print,
      parts.map(({ file }) => file),
    )
  )
    return;
  const start = performance.now();
  say('Building the engine for the browser …');
  await buildPackage(packageDirectory);
  if (checks) {
    parts.forEach(checkSize);
    stampFresh('wasm', print);
  }
  say(`Engine built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
});
