// Figures of the built page, for people: how soon Stop stops a long command, how long that takes, and how closely
// picture and frames follow the knob of the timeline. No test asserts them, because they depend on the machine.
//
//   node scripts/measure-page.mjs [ENTRIES] [URL of another build]

import { browser } from './browser.mjs';
import { build } from './build.mjs';
import { asScript, path, say } from './lib.mjs';
import { serve } from './serve.mjs';
import { visitor } from './visitor.mjs';

/** Movements of the knob: up and down the whole history a few times. */
const MOVES = 240;

async function measureStop({ page, type, prompt }, entries) {
  const found = [];
  for (let turn = 1; turn <= 5; turn += 1) {
    await type(`fill ${entries} --words --seed ${turn}`);
    const stop = page.getByRole('button', { name: /^Stop/ });
    await stop.waitFor();
    await page.waitForTimeout(400);
    const took = await stop.evaluate(async (button) => {
      const isThere = () =>
        button.isConnected && /^\s*Stop/.test(button.ariaLabel ?? button.textContent);
      const start = performance.now();
      button.click();
      while (isThere() && performance.now() - start < 5000) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - start;
    });
    found.push(took);
    await prompt();
  }
  say(`Stop: ${found.map((took) => took.toFixed(0)).join(', ')} ms.`);
}

async function measureFill({ run }, entries) {
  await run('reset --yes');
  const start = Date.now();
  await run(`fill ${entries} --words --seed 7`);
  say(`fill ${entries} --words: ${((Date.now() - start) / 1000).toFixed(1)} s.`);
}

/** Runs in the page: from now on, how long the picture is more than a pixel away from the knob, at every frame [ms]. */
function watchKnob() {
  const slider = document.querySelector('.timeline-slider');
  const shown = () => {
    const sentence = document.querySelector('.narration .sentence').textContent;
    return /Step ([\d,]+)/.exec(sentence)?.[1]?.replaceAll(',', '');
  };
  const apart = [];
  const places = new Set();
  globalThis.knobWatched = { apart, places };
  let since = null;
  const look = () => {
    const at = slider.getAttribute('aria-valuenow');
    places.add(at);
    // A pixel of the line stands for so many steps.
    const pixel = Number(slider.getAttribute('aria-valuemax')) / slider.clientWidth;
    const isApart = Math.abs(Number(shown()) - Number(at)) > pixel;
    if (isApart) since ??= performance.now();
    if (!isApart && since !== null) {
      apart.push(performance.now() - since);
      since = null;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function measureScrub({ page }) {
  const slider = page.locator('.timeline-slider');
  const { x, y, width } = await slider.boundingBox();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  await page.evaluate(watchKnob);
  const work = [];
  await page.mouse.move(x + width / 2, y + 26);
  await page.mouse.down();
  for (let turn = 0; turn < MOVES; turn += 1) {
    const before = await worked();
    await page.mouse.move(x + width * (0.5 + 0.48 * Math.sin(turn / 17)), y + 26);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    work.push((await worked()) - before);
  }
  await page.mouse.up();
  await page.waitForTimeout(2000);
  const { apart, places } = await page.evaluate(() => ({
    apart: globalThis.knobWatched.apart,
    places: globalThis.knobWatched.places.size,
  }));
  const sorted = (times) => times.sort((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((part) =>
    sorted(work)[Math.floor(part * MOVES)].toFixed(1),
  );
  const steps = await slider.getAttribute('aria-valuemax');
  say(
    `Scrubbing ${steps} steps to ${places} places: a frame works ${median} ms, p95 ${p95} ms; knob and picture apart ${apart.length} times, at most ${(sorted(apart).at(-1) ?? 0).toFixed(0)} ms.`,
  );
}

async function measure() {
  const [entries = '20000', url] = process.argv.slice(2);
  if (url === undefined) await build();
  const { chromium: driver } = await import('playwright-core');
  const chromium = await driver.launch({ executablePath: await browser() });
  const site = url === undefined ? await serve(path('dist')) : null;
  try {
    const context = await chromium.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    page.setDefaultTimeout(600_000);
    await page.goto(url ?? `http://localhost:${site.port}/`);
    const at = visitor(page);
    await at.prompt();
    await measureStop(at, entries);
    await measureFill(at, entries);
    await measureScrub(at);
  } finally {
    await chromium.close();
    site?.stop();
  }
}

asScript(import.meta.url, measure);
