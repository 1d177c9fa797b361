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

/** Runs in the page: the work of each frame, and how long the picture is not at the step of the knob [ms]. */
async function scrub(moves) {
  const slider = document.querySelector('.timeline-slider');
  const { x, y, width } = slider.getBoundingClientRect();
  const sentence = () => document.querySelector('.narration .sentence').textContent;
  const shown = () => /Step ([\d,]+)/.exec(sentence())?.[1]?.replaceAll(',', '');
  const work = [];
  const apart = [];
  let since = null;
  for (let turn = 0; turn < moves; turn += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    const clientX = x + width * (0.5 + 0.48 * Math.sin(turn / 17));
    const at = { bubbles: true, button: 0, buttons: 1, clientX, clientY: y + 26, pointerId: 1 };
    slider.dispatchEvent(new PointerEvent(turn === 0 ? 'pointerdown' : 'pointermove', at));
    // React renders pointer events at once; layout belongs to the work of the frame.
    document.body.getBoundingClientRect();
    work.push(performance.now() - start);
    const isApart = shown() !== slider.getAttribute('aria-valuenow');
    if (isApart) since ??= start;
    if (!isApart && since !== null) {
      apart.push(performance.now() - since);
      since = null;
    }
  }
  slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }));
  const sorted = (times) => times.sort((a, b) => a - b);
  return { steps: slider.getAttribute('aria-valuemax'), work: sorted(work), apart: sorted(apart) };
}

async function measureScrub({ page }) {
  const { steps, work, apart } = await page.evaluate(scrub, MOVES);
  const frame = `a frame works ${work[MOVES / 2].toFixed(1)} ms, p95 ${work[Math.floor(0.95 * MOVES)].toFixed(1)} ms`;
  const longest = (apart.at(-1) ?? 0).toFixed(0);
  say(
    `Scrubbing ${steps} steps: ${frame}; knob and picture apart ${apart.length} times, at most ${longest} ms.`,
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
