// `npm run bench -- level`: the npm package beside other stores of the Level family, in Node and in Chromium, at 100 and at 1,000 bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawRatios } from '../../scripts/bench-chart.mjs';
import {
  coarse,
  count,
  found,
  machine,
  sizeOf,
  speeds,
  summaryOf,
  tenths,
  timesAsFast,
  turns,
  workloadsOf,
  writeSection,
} from '../../scripts/bench-document.mjs';
import { buildJs } from '../../scripts/build-js.mjs';
import { printLine } from '../../scripts/lib.mjs';
import { measureIn, withSite } from './browser.mjs';

const VALUE_BYTES = [100, 1000];

/** In Node, what counts is the processor time of all threads, because some stores work in others; in a browser only wall time can be had. */
const NODE = [
  { name: 'levelscope' },
  { name: 'classic-level', beside: 'levelscope' },
  { name: 'levelscope in memory' },
  { name: 'memory-level', beside: 'levelscope in memory' },
];
const CHROMIUM = [
  { name: 'levelscope, page', kind: 'level levelscope', isInWorker: false },
  { name: 'levelscope, worker', kind: 'level levelscope', isInWorker: true },
  {
    name: 'browser-level, page',
    kind: 'level browser-level',
    isInWorker: false,
    beside: 'levelscope, page',
  },
];

export const options = { rounds: Number, entries: Number, singles: Number, valueBytes: Number };

async function inNode({ rounds, ...sizes }) {
  const { measure } = await import('./node.mjs');
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    printLine(`Node, round ${round + 1} of ${rounds} …`);
    for (const { name } of turns(NODE, round)) {
      const found = await measure(directory, name, sizes);
      rows.push(...found.map((row) => ({ ...row, engine: name, round })));
    }
  }
  rmSync(directory, { recursive: true, force: true });
  return { version: process.versions.node, rows };
}

const PLATFORMS = [
  {
    name: 'Node, processor time',
    stores: NODE,
    usual: { rounds: 5, entries: 100_000, singles: 20_000 },
    measure: inNode,
  },
  {
    name: 'Chromium, wall time',
    stores: CHROMIUM,
    usual: { rounds: 3, entries: 20_000, singles: 2000 },
    measure: (settings) => withSite((url) => measureIn('Chromium', url, CHROMIUM, settings)),
  },
];

export async function* measure(given) {
  await buildJs();
  for (const { name, stores, usual, measure } of PLATFORMS) {
    for (const valueBytes of given.valueBytes ? [given.valueBytes] : VALUE_BYTES) {
      const settings = { ...usual, ...given, valueBytes };
      const engines = stores.map((store) => ({ ...store, title: store.name }));
      yield { name, machine: machine(), engines, settings, ...(await measure(settings)) };
    }
  }
}

/** The runs with medians, also in microseconds, in the place of rounds. */
export const summarize = (runs) =>
  runs.map((run) => {
    const summary = summaryOf(run);
    const inMicros = (row) => ({ ...row, micros: row.micros ?? 1e6 / row.perSecond });
    return { ...summary, rows: summary.rows.map(inMicros) };
  });

export function show(measured) {
  const [run] = summarize([measured]);
  const figures = speeds(run, {
    corner: 'µs an operation',
    value: ({ micros }) => micros,
    show: coarse,
    best: Math.min,
    ratio: tenths,
  });
  return `### ${run.name}: ${sizeOf(run)}\n\n${run.version ? `Version ${run.version}, medians` : 'Medians'} of ${run.settings.rounds} rounds.\n\n${figures}`;
}

/** In how many operations ours is the faster one, and where it is not. */
function answer(runs) {
  const all = runs.flatMap((run) => {
    const other = run.engines.find(({ beside }) => beside !== undefined);
    return workloadsOf(run)
      .filter((name) => found(run, name, other.name))
      .map((name) => ({ run, name, times: timesAsFast(run, name, other) }));
  });
  const slow = all.filter(({ times }) => times < 0.995);
  const where = slow.map(
    ({ run, name, times }) => `${name}, ${count(run.settings.valueBytes)} bytes (${tenths(times)})`,
  );
  const rest = slow.length === 0 ? '' : `; not in ${where.join(' and ')}`;
  return `The package is faster than classic-level in Node and browser-level in Chromium in ${all.length - slow.length} of ${all.length} operations${rest}.`;
}

/** Writes section and picture. */
export async function write(runs) {
  const { cores, processor } = runs[0].machine;
  await drawRatios('docs/images/level.svg', {
    title: 'Operations a second, Levelscope ÷ the other store',
    ticks: [0.5, 1, 2, 5, 10, 20, 50, 100],
    runs: runs.filter(({ settings }) => settings.valueBytes === runs[0].settings.valueBytes),
  });
  const text = `${answer(runs)}

To repeat it: \`npm run bench -- level\`. Measured on ${runs[0].measured}, ${cores} cores of ${processor}; [the medians](measurements/level.json).

![How many times as fast Levelscope is as each other store, with the smaller values](images/level.svg)

${runs.map(show).join('\n\n')}`;
  writeSection('docs/PERFORMANCE-JS.md', 'level', text);
}
