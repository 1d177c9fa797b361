// `npm run bench -- SUBJECT`: measures and writes the subject's section of its document.
//   peers   Levelscope beside LevelDB, RocksDB, fjall and SurrealKV, natively (docs/PERFORMANCE.md)
//   page    the package on OPFS beside SQLite, IndexedDB and bare files, in Chromium and Firefox (docs/PERFORMANCE.md)
//   level   the package beside other stores of the Level family, in Node and Chromium (docs/PERFORMANCE-JS.md)
//   visit   how soon a first visitor can work, and how long the page works for a frame (docs/PERFORMANCE.md)
// With options, such as `-- peers --engines levelscope,fjall --entries 10000 --rounds 1`, it measures a part and prints it only.
// Each run is kept in test-results/bench-SUBJECT.json, and the summaries of a whole measurement in docs/measurements/SUBJECT.json.
// `--from FILE,FILE` writes the section of such runs and measures nothing: `-- peers --from docs/measurements/peers.json`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as peers from '../bench/peers.mjs';
import * as level from '../js/bench/level.mjs';
import * as page from '../js/bench/page.mjs';
import { keepMeasurements, list, runsIn, today } from './bench-document.mjs';
import * as visit from './bench-visit.mjs';
import { asScript, path, printLine, Unmet } from './lib.mjs';
import { setup } from './setup.mjs';

/** Each has the types of its `options`, `measure`, which yields runs, `show`, which makes text of one, `summarize`, and `write` for summaries. */
const SUBJECTS = { peers, page, level, visit };

/** The options that are given, by their names: `valueBytes` is `--value-bytes`. */
function given(types, args) {
  const flagOf = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const options = Object.keys(types).map((name) => [flagOf(name), { type: 'string' }]);
  const { values } = parseArgs({ args, options: Object.fromEntries(options) });
  const found = Object.entries(types)
    .filter(([name]) => values[flagOf(name)] !== undefined)
    .map(([name, type]) => [name, type(values[flagOf(name)])]);
  const wrong = found.find(([, value]) => Number.isNaN(value));
  if (wrong !== undefined) throw new Unmet(`--${flagOf(wrong[0])} takes a number.`);
  return Object.fromEntries(found);
}

async function measured(name, subject, options) {
  await setup();
  mkdirSync(path('test-results'), { recursive: true });
  const runs = [];
  for await (const run of subject.measure(options)) {
    runs.push({ measured: today(), ...run });
    writeFileSync(path('test-results', `bench-${name}.json`), JSON.stringify(runs));
    printLine(`\n${subject.show(run)}\n`);
  }
  return runs;
}

async function bench() {
  const [name = 'page', ...words] = process.argv.slice(2);
  const subject = SUBJECTS[name];
  if (subject === undefined) {
    throw new Unmet(`Name what to measure: npm run bench -- ${Object.keys(SUBJECTS).join(' | ')}`);
  }
  const { from, ...options } = given({ ...subject.options, from: list }, words);
  const runs = from?.flatMap(runsIn) ?? (await measured(name, subject, options));
  if (Object.keys(options).length > 0) return;
  const summaries = subject.summarize(runs);
  keepMeasurements(name, summaries);
  await subject.write(summaries);
}

asScript(import.meta.url, bench);
