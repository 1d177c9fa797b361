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
/** The parts of the module, and how long each may be [bytes, gzip]. */
const parts = [
  // Engine and console: what every visitor downloads.
  {
    file: `${packageDirectory}/levelscope_wasm_bg.wasm`,
    name: 'engine and console',
    max: 806 * 1024,
  },
  // Files of other programs, experiments and lessons: fetched when a command first needs them.
  {
    file: `${packageDirectory}/levelscope_part.wasm`,
    name: 'formats, experiments and lessons',
    max: 340 * 1024,
  },
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
export function checkSize({ file, name, max }) {
  const bytes = readFileSync(path(file));
  const packed = gzipSync(bytes, { level: 9 }).length;
  const figures = `${(bytes.length / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB compressed`;
  if (packed > max) {
    throw new Unmet(
      `The wasm of ${name} is too large: ${figures}; at most ${max / 1024} KiB compressed are allowed.`,
    );
  }
  say(`WebAssembly of ${name}: ${figures} (budget ${max / 1024} KiB).`);
}

/** Compiles the module, splits it and generates its JavaScript side into `directory`. */
export async function buildPackage(directory, { profile = 'browser', features = [] } = {}) {
  const args = ['-p', 'levelscope-wasm', '--target', target, '--profile', profile];
  if (features.length > 0) args.push('--features', features.join());
  await cargo(['build', '--locked', '-p', 'wbg']);
  // The splitter follows the relocations.
  await cargo(['rustc', '--locked', '--lib', ...args, '--', '-C', 'link-arg=--emit-relocs']);
  const folder = profile === 'dev' ? 'debug' : profile;
  const built = join(targetDirectory(), target, folder, 'levelscope_wasm.wasm');
  await cargo(['run', '--locked', '--quiet', '-p', 'wbg', '--', built, path(directory)]);
}

export async function buildWasm() {
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
  parts.forEach(checkSize);
  stampFresh('wasm', print);
  say(`Engine built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
});
