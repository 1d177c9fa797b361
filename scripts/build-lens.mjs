// Builds what the page fetches to show directories of other engines, into web/src/lens/pkg: the module that reads them, and
// samples of such directories as zip archives, made of fixtures.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buildPackage, checkSize, compressModule } from './build-wasm.mjs';
import {
  asScript,
  filesUnder,
  fingerprint,
  fresh,
  path,
  printLine,
  since,
  stampFresh,
} from './lib.mjs';
import { setup } from './setup.mjs';

const out = 'web/src/lens/pkg';
const name = 'levelscope_lens';
/** The module, and how long it may be [bytes, gzip]. */
const module = {
  file: `${out}/${name}_bg.wasm`,
  packed: `${out}/${name}.bin`,
  name: 'directories of other engines',
  max: 776 * 1024,
};

/** The samples: the engine, and the fixture that it is made of. */
const samples = [
  { engine: 'rocksdb', fixture: 'h_history' },
  { engine: 'pebble', fixture: 'p_history' },
  { engine: 'leveldb', fixture: 'l_history' },
];
const fixtures = 'tests/fixtures/lsm';
const sampleFile = (engine) => `${out}/${engine}.zip`;

const rustSources = [
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
  'engine',
  'formats',
  'labs',
  'console',
  'foreign',
  'wasm/lens',
  'wasm/bindgen',
  'scripts/build-lens.mjs',
];

async function buildModule() {
  const print = fingerprint(rustSources);
  if (fresh('lens', print, [module.file, module.packed])) return;
  const start = performance.now();
  printLine('Building the reader of directories of other engines …');
  await buildPackage('levelscope-lens', out, name);
  checkSize(module);
  compressModule(module);
  stampFresh('lens', print);
  printLine(`Reader of directories built in ${since(start)}.`);
}

/** The files of a directory in one archive, the same bytes every time. */
async function pack(directory) {
  // Only here: the packages may not be installed yet when this file is read.
  const { zipSync } = await import('fflate');
  const content = Object.fromEntries(
    [...filesUnder(directory)].map((file) => [
      relative(join(directory, '..'), file).split(sep).join('/'),
      new Uint8Array(readFileSync(file)),
    ]),
  );
  return zipSync(content, { level: 9, mtime: new Date(1980, 0, 1) });
}

async function packSamples() {
  const places = samples.map(({ fixture }) => `${fixtures}/${fixture}`);
  const print = fingerprint([...places, 'scripts/build-lens.mjs']);
  const products = samples.map(({ engine }) => sampleFile(engine));
  if (fresh('lens-samples', print, products)) return;
  mkdirSync(path(out), { recursive: true });
  for (const { engine, fixture } of samples) {
    writeFileSync(path(sampleFile(engine)), await pack(path(fixtures, fixture)));
  }
  stampFresh('lens-samples', print);
}

export async function buildLens() {
  await buildModule();
  await packSamples();
}

asScript(import.meta.url, async () => {
  await setup();
  await buildLens();
});
