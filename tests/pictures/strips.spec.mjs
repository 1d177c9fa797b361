// Film strips of what moves, ten frames each, to be looked at one by one:
//   STRIPS=/tmp/strips npx playwright test -c tests/pictures strips --project=light-1280 --project=dark-1280
// The motions of an action are stopped as soon as they begin, and set to ten times from their beginning to their end; a film of
// several motions is taken as it runs.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { visitor } from './visitor.mjs';

const directory = process.env.STRIPS;
const FRAMES = 10;
/** Between an action and its motions: the engine has answered [ms]. */
const LAG = 90;
/** Between two frames of a film [ms]. */
const TAKES = 200;

const merging =
  'fill 90 --words --seed 7; run; fill 60 --words --seed 9; flush; break before compaction.begin';
const lost = 'fill 12 --words --seed 5; options set wal_sync none; put melon 31; put quince 4';

/** What leads to each moment, and the action that moves. */
const MOMENTS = {
  put: [['fill 9 --words --seed 7'], 'put melon 31'],
  rotation: [['fill 12 --words --seed 7'], 'fill 6 --words --seed 9'],
  flush: [['fill 40 --words --seed 7'], 'run', 'as it runs'],
  compaction: [[merging, 'run', 'now', 'step phase 2'], 'step entry 5'],
  lookup: [['fill 200 --words --seed 7; run; put apple red; flush; run'], 'explain apple'],
  bytes: [['fill 40 --words --seed 7; run'], 'bytes 4'],
  crash: [[lost], 'crash --keep none'],
  trees: [[], 'compare leveled tiered { fill 200 --words; run }', 'as it runs'],
};

/** Stops all motions; the time of the longest [ms]. */
const stopped = () => {
  const motions = document.getAnimations();
  for (const motion of motions) motion.pause();
  return Math.max(0, ...motions.map(({ effect }) => effect.getComputedTiming().endTime));
};

const setTo = (time) => {
  for (const motion of document.getAnimations()) motion.currentTime = time;
};

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

for (const [name, [ways, action, asItRuns]] of Object.entries(MOMENTS)) {
  test(name, async ({ page, context }, { project }) => {
    test.skip(directory === undefined, 'STRIPS names the directory of the strips.');
    mkdirSync(directory, { recursive: true });
    await page.goto('');
    const at = visitor(page);
    await at.prompt();
    for (const way of ways) await at.run(way);
    await page.waitForTimeout(1200);
    await at.type(action);
    await page.waitForTimeout(LAG);
    const end = asItRuns ? 0 : await page.evaluate(stopped);
    const frames = [];
    for (let frame = 0; frame < FRAMES; frame += 1) {
      if (asItRuns) await page.waitForTimeout(TAKES);
      else await page.evaluate(setTo, (end * frame) / (FRAMES - 1));
      frames.push((await page.screenshot()).toString('base64'));
    }
    const sheet = await context.newPage();
    await sheet.setViewportSize({ width: 1600, height: 960 });
    const images = frames.map(
      (frame) => `<img style="width:100%" src="data:image/png;base64,${frame}">`,
    );
    await sheet.setContent(
      `<body style="margin:0;display:grid;grid-template-columns:1fr 1fr;gap:6px">${images.join('')}`,
    );
    await sheet.screenshot({
      path: join(directory, `${name}-${project.name}.png`),
      fullPage: true,
    });
  });
}
