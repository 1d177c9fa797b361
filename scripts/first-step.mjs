// How soon a first visitor can work, as people with a slow connection and a slow computer see it: from an empty profile, at
// 10 Mbit a second with 40 ms of delay, with a processor four times slower. Writes its section of docs/PERFORMANCE.md.
//
//   node scripts/first-step.mjs [DIRECTORY of another build]

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median, table, writeSection } from './bench-document.mjs';
import { buildForHosts } from './build.mjs';
import { asScript, filesUnder, path, say } from './lib.mjs';
import { visitor, withBrowser } from './visitor.mjs';

const RUNS = 5;
const SLOWER = 4;
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: (10 * 1e6) / 8,
  uploadThroughput: (10 * 1e6) / 8,
};
/** What is aimed at [ms]. */
const AIMS = { ready: 3000, step: 150 };

/** Lets the page and its worker have the slow connection and the slow processor. */
async function slowDown(context, page) {
  const client = await context.newCDPSession(page);
  const slow = async (send) => {
    await send('Network.enable');
    await send('Network.emulateNetworkConditions', NETWORK);
  };
  await slow((method, parameters) => client.send(method, parameters));
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  // The worker is a target of its own; it waits until it has its conditions.
  const sessions = new Map();
  let count = 0;
  client.on('Target.attachedToTarget', async ({ sessionId }) => {
    const send = (method, params = {}) => {
      count += 1;
      const message = JSON.stringify({ id: count, method, params });
      return client.send('Target.sendMessageToTarget', { sessionId, message });
    };
    sessions.set(sessionId, send);
    await slow(send).catch(() => undefined);
    await send('Emulation.setCPUThrottlingRate', { rate: SLOWER }).catch(() => undefined);
    await send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
  });
  await client.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: false,
  });
}

/** One visit in an empty profile: until the engine is ready, and until a Step has answered [ms]. */
async function measure(chromium, url) {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await slowDown(context, page);
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page
    .getByText(/Saved in this browser/)
    .first()
    .waitFor();
  const ready = performance.now() - start;
  const { run } = visitor(page);
  await run('fill 40 --words --seed 7');
  const step = await page.getByRole('button', { name: /Step$/ }).evaluate(async (button) => {
    const sentence = document.querySelector('.narration .sentence');
    const before = sentence.textContent;
    const start = performance.now();
    button.click();
    while (sentence.textContent === before) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - start;
  });
  await context.close();
  return { ready, step };
}

/** A copy of the built page with a compressed file beside each that has none, as a server sends them. */
function compressedCopy(directory) {
  const copy = mkdtempSync(join(tmpdir(), 'levelscope-page-'));
  cpSync(directory, copy, { recursive: true });
  const files = [...filesUnder(copy)];
  for (const file of files.filter((file) => !file.endsWith('.br'))) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
  return copy;
}

async function firstStep() {
  const [directory] = process.argv.slice(2);
  if (directory === undefined) await buildForHosts();
  const copy = compressedCopy(directory ?? path('dist'));
  const found = [];
  try {
    await withBrowser(copy, async (chromium, url) => {
      while (found.length < RUNS) found.push(await measure(chromium, url));
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
  const rows = [
    ['the engine is ready', 'ready'],
    ['a Step has answered', 'step'],
  ].map(([name, part]) => {
    const times = found.map((one) => one[part]);
    const figures = [median(times), Math.min(...times), AIMS[part]];
    return [name, ...figures.map((time) => time.toFixed(0))];
  });
  const head = ['until', 'median [ms]', 'least [ms]', 'aim [ms]'];
  say(table(head, rows));
  if (directory !== undefined) return;
  writeSection(
    'docs/PERFORMANCE.md',
    'scripts/first-step.mjs',
    `## The first step

Chromium from an empty profile, 10 Mbit a second with 40 ms of delay, page and worker on a processor that is slowed down four times; ${RUNS} visits.

${table(head, rows)}`,
  );
}

asScript(import.meta.url, firstStep);
