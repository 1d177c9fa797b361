// The section of docs/PERFORMANCE.md that `npm run bench` writes, and what it prints.

import { shownRatio } from './ratio-chart.mjs';
import { count, table } from './sections.mjs';

/** The stores, in the order of the columns. `isSlow`: each call takes so long that fewer are made. */
export const STORES = {
  levelscope: { title: 'Levelscope' },
  sqlite: { title: 'SQLite' },
  indexeddb: { title: 'IndexedDB', isSlow: true },
  raw: { title: 'bare file' },
};

/** What is measured [operations a second], in the order of the rows. */
export const WORKLOADS = {
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

export function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return undefined;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median rate of a workload over the rounds of a store. */
export const rateOf = ({ results }, store, workload) =>
  median((results[store] ?? []).map(({ rates }) => rates[workload]));

const rate = (value) => {
  if (value === undefined) return '–';
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return value >= 1e4 ? `${Math.round(value / 1e3)} k` : `${(value / 1e3).toFixed(2)} k`;
};
const ratio = (own, other) => {
  if (own === undefined || other === undefined) return '–';
  return shownRatio(own / other);
};
const milliseconds = (value) => {
  if (value === undefined) return '–';
  return value >= 10 ? value.toFixed(0) : value.toFixed(2);
};

const RATIOS = ['sqlite', 'indexeddb', 'raw'];
const titles = (stores) => stores.map((store) => STORES[store].title);
const ratiosFor = (stores) =>
  RATIOS.filter((store) => stores.includes(store) && stores.includes('levelscope'));

function rates(browser, stores) {
  const others = ratiosFor(stores);
  const head = ['operations a second', ...titles(stores)];
  head.push(...titles(others).map((title) => `Levelscope ÷ ${title}`));
  const rows = Object.entries(WORKLOADS).map(([workload, title]) => {
    const found = (store) => rateOf(browser, store, workload);
    const ratios = others.map((store) => ratio(found('levelscope'), found(store)));
    return [title, ...stores.map((store) => rate(found(store))), ...ratios];
  });
  return { head, rows };
}

function pauses({ results }, stores) {
  const measured = stores.filter((store) => store !== 'raw');
  const of = (store, workload, part) =>
    median((results[store] ?? []).map((round) => round.pauses[workload]?.[part]));
  const cells = (workload) =>
    measured.map((store) =>
      ['p50', 'p99', 'p999', 'most']
        .map((part) => milliseconds(of(store, workload, part)))
        .join(' / '),
    );
  const reopening = (store) => milliseconds(median(results[store].map((round) => round.reopening)));
  return {
    head: ['milliseconds', ...titles(measured)],
    rows: [
      ...['put', 'putDurable'].map((name) => [
        `${WORKLOADS[name]}: p50 / p99 / p99.9 / most`,
        ...cells(name),
      ]),
      ['open again, with the first get', ...measured.map(reopening)],
    ],
  };
}

const markdown = ({ head, rows }) => table(head, rows);

function plain({ head, rows }) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column].length)),
  );
  const line = (row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
      )
      .join('  ');
  return [head, ...rows].map(line).join('\n');
}

/** The figures of one browser, for a terminal. */
export const shown = (browser, { stores }) =>
  `${browser.name} ${browser.version}\n${plain(rates(browser, stores))}\n\n${plain(pauses(browser, stores))}\n`;

/** The section of the document. */
export function report({ browsers, stores, sizes, rounds, machine, versions }) {
  const { processor, cores, load } = machine;
  const busy =
    load < cores / 4
      ? ''
      : `**The machine was busy with other work** (load average ${load.toFixed(1)} when it began): read the ratios, not the figures.\n`;
  const parts = browsers.map(
    (browser) => `### ${browser.name} ${browser.version}

${markdown(rates(browser, stores))}

${markdown(pauses(browser, stores))}
`,
  );
  return `## In browsers

Written by \`npm run bench\`: the npm package (${versions.levelscope}) beside SQLite (\`@sqlite.org/sqlite-wasm\` ${versions.sqlite}, its pool of OPFS handles, WAL), IndexedDB
and a bare file of OPFS, each in a dedicated worker, in turn, each with a new database in every round. Keys of 16 bytes, values of ${count(sizes.valueBytes)} bytes,
${count(sizes.entries)} entries in random order, medians of ${rounds} rounds. "durable" is \`{ sync: true }\`, \`synchronous=FULL\`, \`strict\`, and a flush after each append; otherwise
a write survives the end of the tab, and a loss of power may take the last ones (\`NORMAL\`, \`relaxed\`). Lookups of the bare file are reads of 4 KiB.
Reads are measured in their third pass, when blocks and code are warm, and in their first, right after opening for the row of 100 keys a call.
Every store has its default cache. ${cores} cores of ${processor}.
${busy}
![How many times as fast Levelscope is as each other store in browsers](images/browsers.svg)

${parts.join('\n')}`;
}
