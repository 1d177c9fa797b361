// How much a picture costs the database that it shows: puts a second in Chromium, without and with <levelscope-view>.

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browser as chromiumPath } from '../../scripts/browser.mjs';
import { serve } from '../../scripts/serve.mjs';

const ROUNDS = 5;
const SECONDS = 3;

const { port, stop } = await serve(fileURLToPath(new URL('..', import.meta.url)));
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
await page.goto(`http://localhost:${port}/test/view/page.html`);
await page.evaluate(async () => {
  const { Levelscope, MemoryLevelscope } = await import('/dist/browser.js');
  await import('/dist/view.js');
  window.make = (place, options) =>
    place === 'origin'
      ? new Levelscope(`bench ${Math.random()}`, options)
      : new MemoryLevelscope(options);
});

/** Puts a second, 100 in flight. */
const measure = (round) =>
  page.evaluate(async ({ place, inspect, isShown, seconds }) => {
    const db = window.make(place, { inspect, writeBufferSize: 1 << 16, maxFileSize: 1 << 16 });
    await db.open();
    const element = document.getElementById('first');
    element.database = isShown ? db : null;
    await new Promise((done) => setTimeout(done, 500));
    const value = 'x'.repeat(100);
    const start = performance.now();
    let puts = 0;
    while (performance.now() - start < seconds * 1000) {
      const pending = [];
      for (let index = 0; index < 100; index++) {
        puts += 1;
        pending.push(db.put(`key ${(puts * 7919) % 20000}`, value));
      }
      await Promise.all(pending);
      // A page that never rests shows nothing.
      await new Promise((done) => setTimeout(done));
    }
    const rate = (puts * 1000) / (performance.now() - start);
    await db.close();
    return rate;
  }, round);

const median = (rates) => rates.sort((a, b) => a - b)[rates.length >> 1];
const kinds = [
  ['without inspection', { inspect: false, isShown: false }],
  ['with inspection', { inspect: true, isShown: false }],
  ['with a picture', { inspect: true, isShown: true }],
];
for (const place of ['memory', 'origin']) {
  const rates = kinds.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, kind]] of kinds.entries()) {
      rates[index].push(await measure({ place, seconds: SECONDS, ...kind }));
    }
  }
  for (const [index, [name]] of kinds.entries()) {
    console.log(
      `${place}, ${name}: ${Math.round(median(rates[index])).toLocaleString('en')} puts a second`,
    );
  }
}
await browser.close();
stop();
