// The section of docs/PERFORMANCE.md that `npm run bench` writes, its picture, and what it prints.

import { drawRatios } from './bench-chart.mjs';
import { count, median, ratio, table, writeSection } from './bench-document.mjs';

/** The stores, in the order of the columns. `isSlow`: each call takes so long that fewer are made. */
export const STORES = {
  levelscope: { title: 'Levelscope' },
  sqlite: { title: 'SQLite' },
  indexeddb: { title: 'IndexedDB', isSlow: true },
  raw: { title: 'bare file' },
};

/** What is measured [operations a second], in the order of the rows. */
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

/** The median over the rounds of a store; none when it was not measured. */
const over = ({ results }, store, part) => median((results[store] ?? []).map(part));
const rateOf = (browser, store, workload) => over(browser, store, ({ rates }) => rates[workload]);

function rate(value) {
  if (!Number.isFinite(value)) return '–';
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return value >= 1e4 ? `${Math.round(value / 1e3)} k` : `${(value / 1e3).toFixed(2)} k`;
}
function milliseconds(value) {
  if (!Number.isFinite(value)) return '–';
  return value >= 10 ? value.toFixed(0) : value.toFixed(2);
}

const titles = (stores) => stores.map((store) => STORES[store].title);

/** How many times as fast Levelscope is as `others`. */
const ratiosOf = (browser, workload, others) =>
  others.map((store) => rateOf(browser, 'levelscope', workload) / rateOf(browser, store, workload));

function rates(browser, stores) {
  const others = stores.includes('levelscope')
    ? stores.filter((name) => name !== 'levelscope')
    : [];
  const ratios = titles(others).map((title) => `Levelscope ÷ ${title}`);
  return table(
    ['operations a second', ...titles(stores), ...ratios],
    Object.entries(WORKLOADS).map(([workload, title]) => [
      title,
      ...stores.map((store) => rate(rateOf(browser, store, workload))),
      ...ratiosOf(browser, workload, others).map(ratio),
    ]),
  );
}

function pauses(browser, stores) {
  const measured = stores.filter((store) => store !== 'raw');
  const row = (workload) => [
    `${WORKLOADS[workload]}: p50 / p99 / p99.9 / most`,
    ...measured.map((store) =>
      ['p50', 'p99', 'p999', 'most']
        .map((part) =>
          milliseconds(over(browser, store, (round) => round.pauses[workload]?.[part])),
        )
        .join(' / '),
    ),
  ];
  const reopening = measured.map((store) => milliseconds(over(browser, store, (r) => r.reopening)));
  return table(
    ['milliseconds', ...titles(measured)],
    [row('put'), row('putDurable'), ['open again, with the first get', ...reopening]],
  );
}

/** The figures of one browser. */
export const shown = (browser, stores) =>
  `### ${browser.name} ${browser.version}\n\n${rates(browser, stores)}\n\n${pauses(browser, stores)}\n`;

/** The section of the document. */
function report({ browsers, stores, sizes, rounds, machine, versions }) {
  const { processor, cores, load } = machine;
  return `## In browsers

Written by \`npm run bench\`: the npm package (${versions.levelscope}) beside SQLite (\`@sqlite.org/sqlite-wasm\` ${versions.sqlite}, its pool of OPFS handles, WAL), IndexedDB
and a bare file of OPFS, each in a dedicated worker, in turn, each with a new database in every round and its default cache. Keys of 16 bytes, values of
${count(sizes.valueBytes)} bytes, ${count(sizes.entries)} entries in random order, medians of ${rounds} rounds. "durable" is \`{ sync: true }\`, \`synchronous=FULL\`, \`strict\`, and a flush after
each append; otherwise a write survives the end of the tab, and a loss of power may take the last ones (\`NORMAL\`, \`relaxed\`). Lookups of the bare file are reads of 4 KiB. Reads are measured in their third pass, and in
their first, right after opening for the row of 100 keys a call.
${cores} cores of ${processor}, load average ${load.toFixed(1)} when it began: ${load < cores / 4 ? 'the machine was quiet' : '**the machine was busy**, read the ratios, not the figures'}.

![How many times as fast Levelscope is as each other store in browsers](images/browsers.svg)

${browsers.map((browser) => shown(browser, stores)).join('\n')}`;
}

/** Writes section and picture. */
export async function writeReport(run) {
  const others = run.stores.filter((store) => store !== 'levelscope');
  const rowsOf = (browser) =>
    Object.entries(WORKLOADS).map(([workload, name]) => {
      const ratios = ratiosOf(browser, workload, others);
      return { name, ratios: Object.fromEntries(others.map((store, at) => [store, ratios[at]])) };
    });
  await drawRatios('docs/images/browsers.svg', {
    title: 'Operations a second, Levelscope ÷ the other store',
    others: others.map((name) => ({ name, title: STORES[name].title })),
    ticks: [0.1, 1, 10, 100, 1000],
    rows: run.browsers.flatMap((browser) => [{ name: browser.name }, ...rowsOf(browser)]),
  });
  writeSection('docs/PERFORMANCE.md', 'npm run bench', report(run));
}
