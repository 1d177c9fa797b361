// Builds the workers of tests/e2e/conformance.spec.ts into target/conformance: the engine as WebAssembly with the storage
// conformance suite, which the page never gets.

import { buildPackage, wasmSources } from './build-wasm.mjs';
import {
  asScript,
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

const directory = 'target/conformance';
const config = 'tests/e2e/conformance.vite.ts';

async function buildSuite() {
  const print = fingerprint(wasmSources);
  if (fresh('conformance', print, [`${directory}/pkg/levelscope_wasm_bg.wasm`])) return;
  const options = { profile: 'once', features: ['conformance'] };
  await buildPackage('levelscope-wasm', `${directory}/pkg`, 'levelscope_wasm', options);
  stampFresh('conformance', print);
}

async function buildWorkers() {
  const args = [tool('vite'), 'build', '--config', path(config)];
  const { code, output } = await stream(process.execPath, args, { quiet: true });
  if (code !== 0) throw new Unmet(`${output}\nThe conformance workers could not be bundled.`);
}

export async function buildConformance() {
  const print = fingerprint([
    ...wasmSources,
    'web/src',
    'js/src/origin',
    config,
    'package-lock.json',
  ]);
  const products = ['suite', 'panic'].map((name) => `${directory}/workers/${name}.js`);
  if (fresh('conformance-workers', print, products)) return;
  const start = performance.now();
  printLine('Building the storage conformance suite for the browser …');
  await buildSuite();
  await buildWorkers();
  stampFresh('conformance-workers', print);
  printLine(`Conformance suite built in ${since(start)}.`);
}

asScript(import.meta.url, buildConformance);
