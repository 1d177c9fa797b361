// `npm run bench -- visit`: how soon a first visitor can work, as people with a slow connection and a slow computer see it: from an empty
// profile, at 10 Mbit a second with 40 ms of delay, with a processor four times slower. Then, at full speed, how long a long
// command takes, and how long the page works for a frame while the timeline is scrubbed and while steps of background work move
// the picture. No test asserts these figures: they depend on the machine.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { visitor } from '../tests/pictures/visitor.mjs';
import { figure, median, table, writeSection } from './bench-document.mjs';
import { wholeBrowser } from './browser.mjs';
import { buildForHosts } from './build.mjs';
import { filesUnder, path } from './lib.mjs';
import { serve } from './serve.mjs';

const USUAL = { rounds: 5, entries: 20_000, directory: path('dist') };
/** `directory`: that of another build. */
export const options = { rounds: Number, entries: Number, directory: String };

const SLOWER = 4;
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: (10 * 1e6) / 8,
  uploadThroughput: (10 * 1e6) / 8,
};
/** Movements of the knob: up and down the whole history a few times. */
const MOVES = 240;
/** Entries of the picture that moves, steps of background work, and frames of each. */
const MOVING = { entries: 2000, steps: 60, frames: 12 };

/** The parts of a visit, and the aim of each [ms]. */
const PARTS = {
  ready: ['the engine is ready', 3000],
  step: ['a Step has answered', 150],
  fill: ['entries are filled in, at full speed'],
  frame: ['a frame of scrubbing is drawn, at full speed'],
  motion: ['a frame of a flush or a merge of 2,000 entries is drawn, at full speed', 12],
  motion95: ['19 of 20 of these frames are drawn', 12],
};

/** Lets the page and its worker have the slow connection and the slow processor. */
async function slowDown(context, page) {
  const client = await context.newCDPSession(page);
  const slow = async (send) => {
    await send('Network.enable', {});
    await send('Network.emulateNetworkConditions', NETWORK);
    await send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  };
  await slow((method, parameters) => client.send(method, parameters));
  // The worker is a target of its own; it waits until it has its conditions.
  let count = 0;
  client.on('Target.attachedToTarget', async ({ sessionId }) => {
    const send = (method, params) => {
      count += 1;
      const message = JSON.stringify({ id: count, method, params });
      return client.send('Target.sendMessageToTarget', { sessionId, message });
    };
    await slow(send).catch(() => undefined);
    await send('Runtime.runIfWaitingForDebugger', {}).catch(() => undefined);
  });
  const autoAttach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false };
  await client.send('Target.setAutoAttach', autoAttach);
}

/** One visit in an empty profile: until the engine is ready, and until a Step has answered [ms]. */
async function firstVisit(context, page, url) {
  await slowDown(context, page);
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page
    .getByText(/Saved in this browser/)
    .first()
    .waitFor();
  const ready = performance.now() - start;
  await visitor(page).run('fill 40 --words --seed 7');
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
  return { ready, step };
}

/** A function that measures how long the page works until the next frame after `act` [ms]. */
async function frameClock(context, page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  return async (act) => {
    const before = await worked();
    await act?.();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return (await worked()) - before;
  };
}

/** Each frame while steps of background work move the picture [ms]. */
async function movingMerge(context, page, url) {
  await page.goto(url);
  const { prompt, run } = visitor(page);
  await prompt();
  await run(`options set maintenance manual; fill ${MOVING.entries}`);
  const frame = await frameClock(context, page);
  const frames = [];
  for (let step = 0; step < MOVING.steps; step += 1) {
    await page.getByRole('button', { name: /Step$/ }).click();
    // The step itself is no frame of the motion.
    await frame();
    for (let at = 1; at < MOVING.frames; at += 1) frames.push(await frame());
  }
  frames.sort((one, other) => one - other);
  return { motion: median(frames), motion95: frames[Math.floor(frames.length * 0.95)] };
}

/** A long command, and each frame while the knob is moved [ms]. */
async function longHistory(context, page, url, entries) {
  await page.goto(url);
  const { prompt, run } = visitor(page);
  await prompt();
  const start = performance.now();
  await run(`fill ${entries} --words --seed 7`);
  const fill = performance.now() - start;
  const frame = await frameClock(context, page);
  const { x, y, width } = await page.locator('.timeline-slider').boundingBox();
  const frames = [];
  await page.mouse.move(x + width / 2, y + 26);
  await page.mouse.down();
  for (let turn = 0; turn < MOVES; turn += 1) {
    const at = x + width * (0.5 + 0.48 * Math.sin(turn / 17));
    frames.push(await frame(() => page.mouse.move(at, y + 26)));
  }
  await page.mouse.up();
  return { fill, frame: median(frames) };
}

/** A copy of the built page with a compressed file beside each that has none, as a server sends them. */
function compressedCopy(directory) {
  const copy = mkdtempSync(join(tmpdir(), 'levelscope-page-'));
  cpSync(directory, copy, { recursive: true });
  for (const file of [...filesUnder(copy)].filter((name) => !name.endsWith('.br'))) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
  return copy;
}

export async function* measure(given) {
  const { rounds, entries, directory } = { ...USUAL, ...given };
  if (given.directory === undefined) await buildForHosts();
  const copy = compressedCopy(directory);
  const { port, stop } = await serve(copy);
  const { chromium } = await import('playwright-core');
  const driver = await chromium.launch({ executablePath: await wholeBrowser() });
  /** A visit with an empty profile. */
  const visit = async (act) => {
    const context = await driver.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    page.setDefaultTimeout(600_000);
    const found = await act(context, page, `http://localhost:${port}/`, entries);
    await context.close();
    return found;
  };
  try {
    const rows = [];
    while (rows.length < rounds) rows.push(await visit(firstVisit));
    rows.push(await visit(longHistory), await visit(movingMerge));
    yield { settings: { rounds, entries }, rows };
  } finally {
    await driver.close();
    stop();
    rmSync(copy, { recursive: true });
  }
}

/** By part: the median and the least of its times, in the place of the visits. */
export function summarize(runs) {
  return runs.map((run) => {
    if (run.parts !== undefined) return run;
    const times = (part) => run.rows.map((row) => row[part]).filter((time) => time !== undefined);
    const parts = Object.keys(PARTS).map((part) => [
      part,
      { median: median(times(part)), least: Math.min(...times(part)) },
    ]);
    return { ...run, rows: [], parts: Object.fromEntries(parts) };
  });
}

export function show(measured) {
  const [{ parts, settings }] = summarize([measured]);
  const lines = Object.entries(PARTS).map(([part, [name, aim]]) => {
    const title = part === 'fill' ? `${settings.entries.toLocaleString('en-US')} ${name}` : name;
    return [title, ...[parts[part].median, parts[part].least, aim].map(figure)];
  });
  return table(['until', 'median [ms]', 'least [ms]', 'aim [ms]'], lines);
}

/** Writes the section. */
export async function write([run]) {
  const seconds = (run.parts.ready.median / 1000).toFixed(1);
  const text = `## The first step

A first visitor on a slow connection and a slow computer can type after ${seconds} s.

Chromium from an empty profile, 10 Mbit a second with 40 ms of delay, page and worker on a processor that is slowed down four times; ${run.settings.rounds} visits.

${show(run)}

To repeat it: \`npm run bench -- visit\`. Measured on ${run.measured}.`;
  writeSection('docs/PERFORMANCE.md', 'visit', text);
}
