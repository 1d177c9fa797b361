// Samples of directories of other engines, made of fixtures: zip archives that the page fetches.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesUnder, fingerprint, fresh, path, stampFresh } from './lib.mjs';

/** The samples: the engine, and the fixture that it is made of. */
const samples = [
  { engine: 'rocksdb', fixture: 'h_history' },
  { engine: 'pebble', fixture: 'p_history' },
  { engine: 'leveldb', fixture: 'l_history' },
];
const fixtures = 'tests/fixtures/lsm';
const out = 'web/src/lens/pkg';
const sampleFile = (engine) => `${out}/${engine}.zip`;

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

export async function packSamples() {
  const places = samples.map(({ fixture }) => `${fixtures}/${fixture}`);
  const print = fingerprint([...places, 'scripts/samples.mjs']);
  const products = samples.map(({ engine }) => sampleFile(engine));
  if (fresh('samples', print, products)) return;
  mkdirSync(path(out), { recursive: true });
  for (const { engine, fixture } of samples) {
    writeFileSync(path(sampleFile(engine)), await pack(path(fixtures, fixture)));
  }
  stampFresh('samples', print);
}
