// `npm run bench -- page`: the package on OPFS beside SQLite, IndexedDB and bare files, each in a dedicated worker of Chromium and of Firefox.

import { drawRatios } from '../../scripts/bench-chart.mjs';
import {
  byEngine,
  count,
  figure,
  list,
  machine,
  othersOf,
  speeds,
  workloadsOf,
  writeSection,
} from '../../scripts/bench-document.mjs';
import { buildJs } from '../../scripts/build-js.mjs';
import { Unmet } from '../../scripts/lib.mjs';
import { BROWSERS, measureIn, versionOf, withSite } from './browser.mjs';

/** The stores, in the order of the columns. `isSlow`: each call takes so long that fewer are made. */
const STORES = [
  { name: 'levelscope', title: 'Levelscope' },
  { name: 'sqlite', title: 'SQLite', beside: 'levelscope' },
  { name: 'indexeddb', title: 'IndexedDB', beside: 'levelscope', isSlow: true },
  { name: 'raw', title: 'bare file', beside: 'levelscope' },
].map((store) => ({ ...store, kind: store.name, isInWorker: true }));

const USUAL = {
  rounds: 5,
  entries: 50_000,
  singles: 10_000,
  durable: 1000,
  lookups: 20_000,
  valueBytes: 100,
  stores: STORES.map(({ name }) => name),
  browsers: Object.keys(BROWSERS),
};

export const options = {
  ...Object.fromEntries(Object.keys(USUAL).map((name) => [name, Number])),
  stores: list,
  browsers: list,
};

export async function* measure(given) {
  const { stores: names, browsers, ...settings } = { ...USUAL, ...given };
  for (const [wanted, known] of [
    [names, USUAL.stores],
    [browsers, USUAL.browsers],
  ]) {
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new Unmet(`There is no ${unknown}; there are ${known.join(', ')}.`);
  }
  await buildJs();
  const engines = STORES.filter(({ name }) => names.includes(name));
  const before = machine();
  const runs = await withSite(async (url) => {
    const found = [];
    for (const name of browsers)
      found.push({ name, ...(await measureIn(name, url, engines, settings)) });
    return found;
  });
  const versions = { levelscope: versionOf('.'), sqlite: versionOf('@sqlite.org/sqlite-wasm') };
  yield* runs.map((run) => ({ ...run, engines, settings, machine: before, versions }));
}

/** The figures of one browser. */
export function show(run) {
  const pauses = byEngine(run, 'milliseconds: p50 / p99 / p99.9 / most', {
    workloads: workloadsOf(run, (row) => row.pauses !== undefined),
    value: ({ pauses }) => pauses,
    show: (parts) => parts.map(figure).join(' / '),
  });
  return `### ${run.name} ${run.version}\n\n${speeds(run)}\n\n${pauses}`;
}

/** Writes section and picture. */
export async function write(runs) {
  const [{ settings, machine, versions }] = runs;
  const { processor, cores, load } = machine;
  await drawRatios('docs/images/browsers.svg', {
    title: 'Operations a second, Levelscope ÷ the other store',
    ticks: [0.1, 1, 10, 100, 1000],
    runs,
  });
  const others = othersOf(runs[0]).map(({ title }) => title);
  const text = `## In browsers

Written by \`npm run bench -- page\`: the npm package (${versions.levelscope}) beside ${others.join(', ')} (\`@sqlite.org/sqlite-wasm\` ${versions.sqlite}, its pool of OPFS handles, WAL),
each in a dedicated worker, in turn, each with a new database in every round and its default cache. Keys of 16 bytes, values of
${count(settings.valueBytes)} bytes, ${count(settings.entries)} entries in random order, medians of ${settings.rounds} rounds. "durable" is \`{ sync: true }\`, \`synchronous=FULL\`, \`strict\`, and a flush after
each append; otherwise a write survives the end of the tab, and a loss of power may take the last ones (\`NORMAL\`, \`relaxed\`). Lookups of the bare file are
reads of 4 KiB. Reads are measured in their third pass, and in their first, right after opening for the row of 100 keys a call.
${cores} cores of ${processor}, load average ${load.toFixed(1)} when it began: ${load < cores / 4 ? 'the machine was quiet' : '**the machine was busy**, read the ratios, not the figures'}.

![How many times as fast Levelscope is as each other store in browsers](images/browsers.svg)

${runs.map(show).join('\n\n')}`;
  writeSection('docs/PERFORMANCE.md', 'page', text);
}
