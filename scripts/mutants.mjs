// `node scripts/mutants.mjs [FILE...]`: changes the engine in one small way after the other (cargo-mutants) and demands that a test
// notices; without files those where a mistake loses data. Installs cargo-mutants when it is not there. Takes hours for all of
// them: a minute or two for each change. Fails when more than one in ten goes unnoticed, and names those that did.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asScript, path, probe, say, stream, targetDirectory, Unmet } from './lib.mjs';

const VERSION = '27.1.0';
/** Where a handling that is only nearly right loses data. */
const FILES = [
  'engine/src/coding/mod.rs',
  'engine/src/compaction/retain.rs',
  'engine/src/wal/*.rs',
  'engine/src/manifest/*.rs',
  'engine/src/iter/**/*.rs',
];
const CAUGHT_MIN = 0.9;

async function install() {
  if (probe('cargo', ['mutants', '--version']).ok) return;
  say(`Installing cargo-mutants ${VERSION} …`);
  const args = ['install', 'cargo-mutants', '--locked', '--version', VERSION];
  const { code } = await stream('cargo', args);
  if (code !== 0) throw new Unmet('cargo-mutants could not be installed; see above.');
}

/** The changes that a run lists in one of its files. */
function listed(folder, name) {
  const file = join(folder, 'mutants.out', name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

async function main() {
  const files = process.argv.slice(2);
  await install();
  const folder = join(targetDirectory(), 'mutants');
  const chosen = (files.length > 0 ? files : FILES).flatMap((file) => ['--file', file]);
  const args = ['mutants', '--package', 'levelscope', '--all-features', '--output', folder];
  await stream('cargo', [...args, '--timeout', '300', ...chosen], { cwd: path() });
  const caught = listed(folder, 'caught.txt').length + listed(folder, 'timeout.txt').length;
  const missed = listed(folder, 'missed.txt');
  if (caught + missed.length === 0) throw new Unmet('No change could be tried; see above.');
  for (const change of missed) say(`  missed ${change}`);
  const share = caught / (caught + missed.length);
  say(`mutants: ${caught} of ${caught + missed.length} noticed (${(100 * share).toFixed(1)} %)`);
  if (share < CAUGHT_MIN) process.exitCode = 1;
}

asScript(import.meta.url, main);
