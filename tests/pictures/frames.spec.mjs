// The script of each frame while a merge of 2,000 visible entries runs, at 1280 × 720:
//   npx playwright test -c tests/pictures frames --project=light-1280

import { test } from '@playwright/test';
import { visitor } from './visitor.mjs';

const KEYS = 195;
const TABLES = 10;
const OPTIONS = 'memtable_bytes=65536 l0_stall=50 l0_slowdown=40 l0_trigger=30 table_bytes=65536';
const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire']);
const FRAME = 'Commit';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a merge', async ({ page }) => {
  await page.goto('');
  const at = visitor(page);
  await at.prompt();
  for (const option of OPTIONS.split(' ')) await at.run(`options set ${option.replace('=', ' ')}`);
  for (let table = 0; table < TABLES; table += 1)
    await at.run(`fill ${KEYS} --order random --seed ${table + 1}; flush; run`);
  await page.waitForTimeout(1500);
  const beads = await page.locator('#stage .bead').count();
  const cdp = await page.context().newCDPSession(page);
  const events = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  const categories =
    'devtools.timeline,devtools.timeline.frame,disabled-by-default-devtools.timeline';
  await at.run('compact; play 0.5');
  // The merge has begun: the rows have their places.
  await page.waitForTimeout(2500);
  await cdp.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await page.waitForTimeout(6000);
  await cdp.send('Tracing.end');
  await ended;
  const frames = scripts(events);
  const share = (part) => frames[Math.floor((frames.length - 1) * part)]?.toFixed(1);
  const figures = `p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, most ${share(1)} ms of script`;
  process.stdout.write(`  ${beads} entries, ${frames.length} frames: ${figures}\n`);
});

/** The script between two frames of the page [ms], the least first. */
function scripts(events) {
  const main = events.find(({ name }) => name === FRAME);
  const own = events
    .filter(({ pid, tid }) => pid === main?.pid && tid === main?.tid)
    .toSorted((a, b) => a.ts - b.ts);
  const frames = [];
  let until = 0;
  for (const { name, ts, dur = 0 } of own) {
    if (name === FRAME) frames.push(0);
    // What runs within other script counts once.
    if (!SCRIPT.has(name) || ts < until || frames.length === 0) continue;
    until = ts + dur;
    frames[frames.length - 1] += dur / 1000;
  }
  return frames.toSorted((a, b) => a - b);
}
