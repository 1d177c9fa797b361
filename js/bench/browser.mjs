// `node js/bench/browser.mjs [--count N] [--rounds N] [--bytes N] [--json]`: this package on OPFS beside browser-level on IndexedDB, in
// Chromium, in turn, each with a new database in every round. Prints the median of the wall time per operation.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { browser } from '../../scripts/browser.mjs';
import { serve } from '../../scripts/serve.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    single: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    bytes: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const [count, single, rounds, bytes] = ['count', 'single', 'rounds', 'bytes'].map((name) =>
  Number(values[name]),
);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Where they run, and how: all in one browser, one after the other. */
const runs = [
  { name: 'levelscope, page', store: 'levelscope', inWorker: false },
  { name: 'levelscope, worker', store: 'levelscope', inWorker: true },
  { name: 'browser-level, page', store: 'browser-level', inWorker: false },
];

async function site() {
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
  await build({
    entryPoints: [here('page.mjs')],
    bundle: true,
    format: 'esm',
    outfile: join(directory, 'bench.js'),
    logLevel: 'error',
  });
  for (const name of ['worker.js', 'levelscope.wasm']) {
    cpSync(here(`../dist/${name}`), join(directory, name));
  }
  const html = '<!doctype html><meta charset="utf-8"><title>bench</title>';
  writeFileSync(
    join(directory, 'index.html'),
    `${html}<script type="module" src="./bench.js"></script>`,
  );
  return directory;
}

const directory = await site();
const server = await serve(directory);
const context = await chromium.launchPersistentContext(join(directory, 'profile'), {
  executablePath: await browser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const times = new Map();
try {
  for (let round = 0; round < rounds; round++) {
    // The first one changes from round to round.
    const shift = round % runs.length;
    for (const { name, store, inWorker } of [...runs.slice(shift), ...runs.slice(0, shift)]) {
      const page = await context.newPage();
      await page.goto(`http://localhost:${server.port}/`);
      await page.waitForFunction(() => window.measure !== undefined);
      const task = [store, `${store}-${inWorker}-${round}`, { count, single, bytes }];
      const found = await page.evaluate(
        ([parallel, args]) => (parallel ? window.measureInWorker : window.measure)(...args),
        [inWorker, task],
      );
      for (const [workload, time] of Object.entries(found)) {
        const row = times.get(workload) ?? new Map();
        times.set(workload, row.set(name, [...(row.get(name) ?? []), time]));
      }
      await page.close();
    }
  }
} finally {
  await context.close();
  server.stop();
  rmSync(directory, { recursive: true, force: true });
}

const result = [...times].map(([name, row]) => ({
  name,
  ...Object.fromEntries([...row].map(([run, all]) => [run, { wall: median(all) }])),
}));
if (values.json) console.log(JSON.stringify({ count, single, bytes, rounds, result }));
else {
  console.log(
    `${count} entries of 16 + ${bytes} bytes, ${rounds} rounds: wall time [µs per operation]`,
  );
  for (const { name, ...row } of result) {
    const cells = Object.entries(row).map(([run, { wall }]) => `${run} ${wall.toFixed(1)}`);
    console.log(`${name.padEnd(20)} ${cells.join('   ')}`);
  }
}
