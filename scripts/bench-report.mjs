// The section of docs/PERFORMANCE.md that `npm run bench` writes, its picture, and what it prints.

import { drawRatios } from './bench-chart.mjs';
import {
  byEngine,
  count,
  figure,
  median,
  rate,
  timesAsFast,
  writeSection,
} from './bench-document.mjs';

/** The stores, in the order of the columns. `isSlow`: each call takes so long that fewer are made. */
export const STORES = {
  levelscope: { title: 'Levelscope' },
  sqlite: { title: 'SQLite' },
  indexeddb: { title: 'IndexedDB', isSlow: true },
  raw: { title: 'bare file' },
};

/** What is measured, in the order of the rows. */
const WORKLOADS = {
  fill: 'put, in batches of 1,000',
  put: 'put, one by one',
  putDurable: 'put, one by one, durable',
  get: 'get, random keys',
  getMany: 'get, 100 keys a call',
  absent: 'get, absent keys',
  scan: 'scan, in order',
  getFirst: 'get, random keys, first pass',
  getManyFirst: 'get, 100 keys a call, first pass',
  absentFirst: 'get, absent keys, first pass',
  scanFirst: 'scan, in order, first pass',
};
const REOPENED = 'open again, with the first get';

/** What one browser measured, as a run of engines. */
function runOf({ results }, stores) {
  const medians = stores.flatMap((engine) => {
    const over = (part) => median(results[engine].map(part));
    const measured = Object.entries(WORKLOADS).map(([name, workload]) => ({
      workload,
      engine,
      perSecond: over(({ rates }) => rates[name]) || undefined,
      pauses: ['p50', 'p99', 'p999', 'most'].map((part) =>
        over(({ pauses }) => pauses[name]?.[part]),
      ),
    }));
    const pauses = [over(({ reopening }) => reopening)];
    return [...measured, { workload: REOPENED, engine, pauses }];
  });
  return { engines: stores.map((name) => ({ name, ...STORES[name] })), medians };
}

const othersOf = (stores) => stores.filter((store) => store !== 'levelscope');

/** The figures of one browser. */
export function shown(browser, stores) {
  const run = runOf(browser, stores);
  const others = stores.includes('levelscope') ? othersOf(stores) : [];
  const ratios = others.map((store) => [
    `Levelscope ÷ ${STORES[store].title}`,
    (workload) => figure(timesAsFast(run, workload, store)),
  ]);
  const rates = byEngine(run, 'operations a second', {
    workloads: Object.values(WORKLOADS),
    value: ({ perSecond }) => perSecond,
    show: rate,
    best: Math.max,
    more: Object.fromEntries(ratios),
  });
  const pauses = byEngine(run, 'milliseconds: p50 / p99 / p99.9 / most', {
    workloads: [WORKLOADS.put, WORKLOADS.putDurable, REOPENED],
    value: ({ pauses }) => pauses,
    show: (parts) => parts.map(figure).join(' / '),
  });
  return `### ${browser.name} ${browser.version}\n\n${rates}\n\n${pauses}\n`;
}

/** The section of the document. */
function report({ browsers, stores, sizes, rounds, machine, versions }) {
  const { processor, cores, load } = machine;
  return `## In browsers

Written by \`npm run bench\`: the npm package (${versions.levelscope}) beside SQLite (\`@sqlite.org/sqlite-wasm\` ${versions.sqlite}, its pool of OPFS handles, WAL), IndexedDB
and a bare file of OPFS, each in a dedicated worker, in turn, each with a new database in every round and its default cache. Keys of 16 bytes, values of
${count(sizes.valueBytes)} bytes, ${count(sizes.entries)} entries in random order, medians of ${rounds} rounds. "durable" is \`{ sync: true }\`, \`synchronous=FULL\`, \`strict\`, and a flush after
each append; otherwise a write survives the end of the tab, and a loss of power may take the last ones (\`NORMAL\`, \`relaxed\`). Lookups of the bare file are
reads of 4 KiB. Reads are measured in their third pass, and in their first, right after opening for the row of 100 keys a call.
${cores} cores of ${processor}, load average ${load.toFixed(1)} when it began: ${load < cores / 4 ? 'the machine was quiet' : '**the machine was busy**, read the ratios, not the figures'}.

![How many times as fast Levelscope is as each other store in browsers](images/browsers.svg)

${browsers.map((browser) => shown(browser, stores)).join('\n')}`;
}

/** Writes section and picture. */
export async function writeReport(run) {
  await drawRatios('docs/images/browsers.svg', {
    title: 'Operations a second, Levelscope ÷ the other store',
    others: othersOf(run.stores).map((name) => ({ name, title: STORES[name].title })),
    ticks: [0.1, 1, 10, 100, 1000],
    groups: run.browsers.map((browser) => ({
      name: browser.name,
      run: runOf(browser, run.stores),
      workloads: Object.values(WORKLOADS),
    })),
  });
  writeSection('docs/PERFORMANCE.md', 'npm run bench', report(run));
}
