// Figures of the built page, for people: how long a long command takes, and how long the page works for a frame while the timeline is scrubbed.
// No test asserts them, because they depend on the machine. How soon Stop stops, and how close the picture stays to the knob,
// tests/e2e/access.spec.ts and time.spec.ts measure.
//
//   node scripts/measure-page.mjs [ENTRIES] [DIRECTORY of another build]

import { build } from './build.mjs';
import { asScript, path, say } from './lib.mjs';
import { visitor, withBrowser } from './visitor.mjs';

/** Movements of the knob: up and down the whole history a few times. */
const MOVES = 240;

async function measureFill({ prompt, run }, entries) {
  await prompt();
  const start = Date.now();
  await run(`fill ${entries} --words --seed 7`);
  say(`fill ${entries} --words: ${((Date.now() - start) / 1000).toFixed(1)} s.`);
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
  work.sort((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((part) => work[Math.floor(part * MOVES)].toFixed(1));
  const steps = await slider.getAttribute('aria-valuemax');
  say(`Scrubbing ${steps} steps: a frame works ${median} ms, p95 ${p95} ms.`);
}

async function measurePage() {
  const [entries = '20000', directory] = process.argv.slice(2);
  if (directory === undefined) await build();
  await withBrowser(directory ?? path('dist'), async (chromium, url) => {
    const page = await chromium.newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(600_000);
    await page.goto(url);
    const at = visitor(page);
    await measureFill(at, entries);
    await measureScrub(at);
  });
}

asScript(import.meta.url, measurePage);
