// Builds the module of tests/e2e/conformance.spec.ts into target/conformance: the storage conformance suite, which the page
// never gets.

import { buildPackage } from './build-wasm.mjs';
import { fingerprint, fresh, stampFresh } from './lib.mjs';

const directory = 'target/conformance';
const sources = ['Cargo.lock', 'rust-toolchain.toml', 'engine', 'wasm/origin', 'wasm/conformance'];

export async function buildConformance() {
  const print = fingerprint(sources);
  const name = 'levelscope_conformance';
  if (fresh('conformance', print, [`${directory}/${name}_bg.wasm`])) return;
  await buildPackage('levelscope-conformance', directory, name, { profile: 'once' });
  stampFresh('conformance', print);
}
