// `npm run bench -- page`: the package on OPFS beside SQLite, IndexedDB and bare files, each in a dedicated worker of Chromium and of Firefox.

import { drawRatios } from '../../scripts/bench-chart.mjs';
import {
  byEngine,
  coarse,
  count,
  found,
  list,
  machine,
  othersOf,
  speeds,
  summaryOf,
  table,
  timesAsFast,
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

const rate = (perSecond) =>
  perSecond < 999_500 ? `${coarse(perSecond / 1e3)} k` : `${coarse(perSecond / 1e6)} M`;

export const summarize = (runs) => runs.map(summaryOf);

const OPENING = 'open again, with the first get';
const hasPauses = (row) => row.pauses !== undefined;
const pausesOf = (row) => row?.pauses.map(coarse).join(' / ') ?? '–';

/** The figures of one browser. */
export function show(run) {
  const pauses = byEngine(run, 'milliseconds: p50 / p99 / p99.9 / most', {
    workloads: workloadsOf(run, hasPauses),
    value: ({ pauses }) => pauses,
    show: (parts) => parts.map(coarse).join(' / '),
  });
  return `### ${run.name} ${run.version}\n\n${speeds(run, { show: rate, ratio: coarse })}\n\n${pauses}`;
}

/** Ours in each browser, and its ratios to the others. */
function ratios(runs) {
  const head = runs.flatMap((run) => [
    `${run.name}: operations a second`,
    ...othersOf(run).map(({ title }) => `÷ ${title}`),
  ]);
  const rows = workloadsOf(runs[0]).map((name) => [
    name,
    ...runs.flatMap((run) => [
      rate(found(run, name, 'levelscope')?.perSecond),
      ...othersOf(run).map((other) => coarse(timesAsFast(run, name, other))),
    ]),
  ]);
  return table(['', ...head], rows);
}

/** Pauses of all stores but the bare file, which has none of its own, in each browser. */
function pauses(runs) {
  const stores = (run) => run.engines.filter(({ name }) => name !== 'raw');
  const head = runs.flatMap((run) => stores(run).map(({ title }) => `${run.name}: ${title}`));
  const rows = workloadsOf(runs[0], hasPauses).map((workload) => [
    workload,
    ...runs.flatMap((run) => stores(run).map(({ name }) => pausesOf(found(run, workload, name)))),
  ]);
  return table(['ms: p50 / p99 / p99.9 / most', ...head], rows);
}

/** The speed of ours ÷ that of each database, over both browsers. */
function answer(runs) {
  const databases = othersOf(runs[0]).filter(({ name }) => name !== 'raw');
  const ranges = databases.map((other) => {
    const all = runs.flatMap((run) =>
      workloadsOf(run).map((name) => timesAsFast(run, name, other)),
    );
    const times = all.filter((each) => each > 0);
    return `${coarse(Math.min(...times))} to ${coarse(Math.max(...times))} times as fast as ${other.title}`;
  });
  const opened = runs[0].engines
    .filter(({ name }) => found(runs[0], OPENING, name))
    .map(({ name, title }) => {
      const times = runs.map((run) => coarse(found(run, OPENING, name).pauses[0]));
      return `${title} takes ${times.join(' and ')} ms`;
    });
  return `In a browser, Levelscope is ${ranges.join(' and ')}. To open again with the first get, ${opened.join(', ')}.`;
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

${answer(runs)}

The npm package (${versions.levelscope}) beside ${others.join(', ')} (\`@sqlite.org/sqlite-wasm\` ${versions.sqlite}, its pool of OPFS handles, WAL),
each in a dedicated worker, in turn, each with a new database in every round and its default cache. Keys of 16 bytes, values of
${count(settings.valueBytes)} bytes, ${count(settings.entries)} entries in random order, medians of ${settings.rounds} rounds. "durable" is \`{ sync: true }\`, \`synchronous=FULL\`, \`strict\`, and a flush after
each append; otherwise a write survives the end of the tab, and a loss of power may take the last ones (\`NORMAL\`, \`relaxed\`). Lookups of the bare file are
reads of 4 KiB. Reads are measured in their third pass, and in their first, right after opening for the row of 100 keys a call.
${cores} cores of ${processor}, load average ${load.toFixed(1)} when it began: ${load < cores / 4 ? 'the machine was quiet' : '**the machine was busy**, read the ratios, not the figures'}.

![How many times as fast Levelscope is as each other store in browsers](images/browsers.svg)

${runs.map((run) => `${run.name} ${run.version}`).join(', ')}:

${ratios(runs)}

${pauses(runs)}

To repeat it: \`npm run bench -- page\`. Measured on ${runs[0].measured}; [measurements/page.json](measurements/page.json) has the medians of all stores.`;
  writeSection('docs/PERFORMANCE.md', 'page', text);
}
