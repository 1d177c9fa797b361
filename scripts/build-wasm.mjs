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

/** Most that a visitor downloads for the engine [bytes, gzip]. */
const WASM_GZIP_BYTES_MAX = 864 * 1024;

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
const target = 'wasm32-unknown-unknown';
const packageDirectory = 'web/src/engine/pkg';
const wasmFile = `${packageDirectory}/levelscope_wasm_bg.wasm`;

async function cargo(args) {
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet(`cargo ${args.join(' ')} failed; its message is above.`);
}

function checkSize() {
  const bytes = readFileSync(path(wasmFile));
  const packed = gzipSync(bytes, { level: 9 }).length;
  const figures = `${(bytes.length / 1024).toFixed(0)} KiB, ${(packed / 1024).toFixed(0)} KiB compressed`;
  if (packed > WASM_GZIP_BYTES_MAX) {
    throw new Unmet(
      `The wasm module is too large: ${figures}; at most ${WASM_GZIP_BYTES_MAX / 1024} KiB compressed are allowed.`,
    );
  }
  say(`Engine as WebAssembly: ${figures} (budget ${WASM_GZIP_BYTES_MAX / 1024} KiB).`);
}

/** Compiles the module and generates its JavaScript side into `directory`. */
export async function buildPackage(directory, { profile = 'browser', features = [] } = {}) {
  const args = ['-p', 'levelscope-wasm', '--target', target, '--profile', profile];
  if (features.length > 0) args.push('--features', features.join());
  await cargo(['build', '--locked', '-p', 'wbg']);
  await cargo(['build', '--locked', ...args]);
  const folder = profile === 'dev' ? 'debug' : profile;
  const built = join(targetDirectory(), target, folder, 'levelscope_wasm.wasm');
  await cargo(['run', '--locked', '--quiet', '-p', 'wbg', '--', built, path(directory)]);
}

export async function buildWasm() {
  const print = fingerprint(wasmSources);
  if (fresh('wasm', print, [wasmFile])) return;
  const start = performance.now();
  say('Building the engine for the browser …');
  await buildPackage(packageDirectory);
  checkSize();
  stampFresh('wasm', print);
  say(`Engine built in ${since(start)}.`);
}

asScript(import.meta.url, async () => {
  await setup();
  await buildWasm();
});
