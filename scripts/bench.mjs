// `npm run bench`: the same commands natively and in the browser, beside the speed of the bare disk.
// Every figure is the median of several rounds on fresh directories and profiles; the spread follows it.

import { spawn } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { browser } from './browser.mjs';
import { buildPage } from './build.mjs';
import { buildWasm } from './build-wasm.mjs';
import { asScript, environment, path, say, since, Unmet } from './lib.mjs';
import { buildNative } from './native.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const VALUE_BYTES = 100;
const PAIR_BYTES = 16 + VALUE_BYTES;

/** Options of the preset `default`; background work is done inside the writes that cause it, and so is measured. */
const settings = { maintenance: 'inline' };

/** The measurements: a command, its number of operations, and its name in the table. */
const workloads = [
  {
    name: `fill 100,000 pairs of ${PAIR_BYTES} B, random order`,
    count: 100_000,
    line: `fill 100000 --order random --seed 1 --value-size ${VALUE_BYTES}`,
  },
  {
    name: 'fill, every pair synced',
    count: 2_000,
    line: `fill 2000 --start 200000 --value-size ${VALUE_BYTES} --sync on`,
  },
  { name: 'read random keys', count: 50_000, line: 'read 50000 --order random --seed 2' },
  { name: 'read keys that are not there', count: 50_000, line: 'read 50000 --start 500000' },
  { name: 'scan everything in order', count: 102_000, line: 'count' },
];

const CHUNK_BYTES = 64 << 10;
const CHUNKS = 1024;
const RECORD_BYTES = PAIR_BYTES + 30;
const RECORDS = 2_000;

/** Bare files: appends and reads of 64 KiB, and small appends, synced at the end or each. Seconds for each. */
function rawNative(directory) {
  const chunk = Buffer.alloc(CHUNK_BYTES, 'levelscope');
  const file = openSync(join(directory, 'raw'), 'w+');
  const timed = (work) => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  };
  const append = timed(() => {
    for (let number = 0; number < CHUNKS; number += 1) writeSync(file, chunk);
    fdatasyncSync(file);
  });
  const read = timed(() => {
    for (let number = 0; number < CHUNKS; number += 1)
      readSync(file, chunk, 0, CHUNK_BYTES, number * CHUNK_BYTES);
  });
  const record = Buffer.alloc(RECORD_BYTES, 'levelscope');
  const unsynced = timed(() => {
    for (let number = 0; number < RECORDS; number += 1) writeSync(file, record);
    fdatasyncSync(file);
  });
  const synced = timed(() => {
    for (let number = 0; number < RECORDS; number += 1) {
      writeSync(file, record);
      fdatasyncSync(file);
    }
  });
  closeSync(file);
  return { append, read, unsynced, synced };
}

/** The same on the browser's files; runs as the whole program of a worker. */
const rawBrowserSource = `onmessage = async ({ data }) => {
  const { chunkBytes, chunks, recordBytes, records } = data;
  const directory = await navigator.storage.getDirectory();
  const file = await directory.getFileHandle('raw', { create: true });
  const handle = await file.createSyncAccessHandle();
  const timed = (work) => { const start = performance.now(); work(); return (performance.now() - start) / 1000; };
  const chunk = new Uint8Array(chunkBytes).fill(120);
  const append = timed(() => {
    for (let n = 0; n < chunks; n += 1) handle.write(chunk, { at: n * chunkBytes });
    handle.flush();
  });
  const read = timed(() => {
    for (let n = 0; n < chunks; n += 1) handle.read(chunk, { at: n * chunkBytes });
  });
  const record = new Uint8Array(recordBytes).fill(120);
  const end = chunks * chunkBytes;
  const unsynced = timed(() => {
    for (let n = 0; n < records; n += 1) handle.write(record, { at: end + n * recordBytes });
    handle.flush();
  });
  const synced = timed(() => {
    for (let n = 0; n < records; n += 1) { handle.write(record, { at: end + n * recordBytes }); handle.flush(); }
  });
  handle.close();
  await directory.removeEntry('raw');
  postMessage({ append, read, unsynced, synced });
};`;

/** Runs the workloads in the native program over a pipe: seconds for each. */
async function engineNative(program, directory) {
  const options = Object.entries(settings).flatMap(([name, value]) => [
    '--set',
    `${name}=${value}`,
  ]);
  const child = spawn(program, [directory, '--json', ...options], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line) => {
    const start = performance.now();
    child.stdin.write(`${line}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Unmet('The native program ended early; see above.');
    const { error } = JSON.parse(value);
    if (error !== null) throw new Unmet(`${line}: ${error.message}`);
    return (performance.now() - start) / 1000;
  };
  await ask('sync');
  const seconds = [];
  for (const { line } of workloads) seconds.push(await ask(line));
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  return seconds;
}

/** Runs the workloads in the page's worker; the time is taken in the page, from the request to its answer. */
function engineInPage({ workerAddress, lines, settings }) {
  const worker = new Worker(workerAddress, { type: 'module' });
  const ask = (request) =>
    new Promise((resolve, reject) => {
      const receive = ({ data }) => {
        if (data.id !== request.id || !['opened', 'done', 'failed'].includes(data.type)) return;
        worker.removeEventListener('message', receive);
        const problem = data.type === 'failed' ? data.message : data.error?.message;
        if (problem) reject(new Error(problem));
        else resolve(data);
      };
      worker.addEventListener('message', receive);
      worker.postMessage(request);
    });
  return (async () => {
    const opened = await ask({ id: 1, type: 'open', preset: 'default', settings, storage: 'auto' });
    if (opened.storage !== 'opfs')
      throw new Error(`The browser's files are not in use: ${opened.why}`);
    const seconds = [];
    for (const [index, line] of lines.entries()) {
      const start = performance.now();
      await ask({ id: index + 2, type: 'command', line, at: null });
      seconds.push((performance.now() - start) / 1000);
    }
    worker.terminate();
    return seconds;
  })();
}

function rawInPage({ source, sizes }) {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(sizes);
  });
}

async function inBrowser(executablePath, address, workerPath) {
  const { chromium } = await import('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    // A page of the same origin that does nothing itself, so that nothing but the worker is measured.
    await page.route('**/bench.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }),
    );
    await page.goto(`${address}bench.html`);
    const sizes = {
      chunkBytes: CHUNK_BYTES,
      chunks: CHUNKS,
      recordBytes: RECORD_BYTES,
      records: RECORDS,
    };
    const raw = await page.evaluate(rawInPage, { source: rawBrowserSource, sizes });
    const lines = workloads.map(({ line }) => line);
    const engine = await page.evaluate(engineInPage, {
      workerAddress: `${address}${workerPath}`,
      lines,
      settings,
    });
    return { raw, engine, version: context.browser()?.version() ?? '' };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, low: sorted[0], high: sorted.at(-1) };
}

function digits(value) {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(2)} M`;
  if (value >= 10_000) return `${Math.round(value / 1000)} k`;
  if (value >= 1_000) return `${(value / 1000).toFixed(1)} k`;
  return `${Math.round(value)} `;
}

const perSecond = (value) => `${digits(value)}/s`;
const megabytesPerSecond = (value) => `${Math.round(value)} MB/s`;

function cell(values, written) {
  const { median, low, high } = summary(values);
  return `${written(median)} (${written(low)} – ${written(high)})`;
}

function table(rows) {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `  ${row[0].padEnd(widths[0])}  ${row[1].padStart(widths[1])}  ${row[2].padStart(widths[2])}`;
  return [
    line(rows[0]),
    `  ${'─'.repeat(widths[0] + widths[1] + widths[2] + 4)}`,
    ...rows.slice(1).map(line),
  ].join('\n');
}

async function bench() {
  await setup();
  await buildWasm();
  await buildPage();
  const program = await buildNative({ release: true });
  const executable = await browser();
  const workerPath = `assets/${readdirSync(path('dist/assets')).find((name) => /^worker-.*\.js$/.test(name))}`;
  const { port, stop } = await serve(path('dist'));
  const start = performance.now();
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    say(`Round ${round} of ${ROUNDS} …`);
    const directory = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
    const native = {
      raw: rawNative(directory),
      engine: await engineNative(program, join(directory, 'db')),
    };
    rmSync(directory, { recursive: true, force: true });
    rounds.push({
      native,
      browser: await inBrowser(executable, `http://localhost:${port}/`, workerPath),
    });
  }
  stop();

  const both = (of, written) =>
    ['native', 'browser'].map((side) =>
      cell(
        rounds.map((round) => of(round[side])),
        written,
      ),
    );
  const megabytes = (CHUNKS * CHUNK_BYTES) / 1e6;
  const rows = [
    ['median (lowest–highest)', 'native', 'browser (OPFS)'],
    ...workloads.map(({ name, count }, index) => [
      name,
      ...both((side) => count / side.engine[index], perSecond),
    ]),
    [
      'raw: append 64 KiB, one sync at the end',
      ...both((side) => megabytes / side.raw.append, megabytesPerSecond),
    ],
    [
      'raw: read 64 KiB (from the page cache)',
      ...both((side) => megabytes / side.raw.read, megabytesPerSecond),
    ],
    [
      `raw: append ${RECORD_BYTES} B, one sync at the end`,
      ...both((side) => RECORDS / side.raw.unsynced, perSecond),
    ],
    [
      `raw: append ${RECORD_BYTES} B, each synced`,
      ...both((side) => RECORDS / side.raw.synced, perSecond),
    ],
  ];
  const processor = cpus()[0]?.model ?? 'unknown processor';
  say(`\nLevelscope, preset default with maintenance=inline; ${ROUNDS} rounds in ${since(start)}`);
  say(
    `${cpus().length} × ${processor}; Node ${process.versions.node}; Chromium ${rounds[0]?.browser.version}\n`,
  );
  say(table(rows));
  say(fillText(rounds));
}

/** The rate of puts, and what it includes. */
function fillText(rounds) {
  const fill = (side) =>
    summary(rounds.map((round) => (workloads[0].count * PAIR_BYTES) / 1e6 / round[side].engine[0]))
      .median;
  return [
    `\n  The fill is ${fill('native').toFixed(0)} MB/s of pairs natively and ${fill('browser').toFixed(0)} MB/s in the browser;`,
    '  it writes each pair to the log, to L0 and again at every compaction. Reads come from the page cache.',
  ].join('\n');
}

asScript(import.meta.url, bench);
