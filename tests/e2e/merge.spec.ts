// A merge in the tree, entry by entry.

import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, untilPicked } from './steps';

/** One step forward by keyboard, seen to its end: a key that is pressed during a step may count for nothing. */
async function forward(page: Page, playground: Playground): Promise<void> {
  const before = await playground.narration.textContent();
  await page.keyboard.press('ArrowRight');
  await expect(playground.narration).not.toHaveText(before ?? '');
  await playground.idle();
  await outOfTerminal(page);
}

test('a merge, entry by entry, by keyboard', { tag: '@slow' }, async ({ page, site }) => {
  test.slow();
  const playground = await new Playground(page).open(site.url);
  const jobs = page.getByRole('tabpanel', { name: 'Now' });
  await untilPicked(page, playground);
  await expect(jobs.getByRole('heading', { name: /^Compaction job/ })).toHaveText(
    /^Compaction job \d+: at work 1 of 14 stages$/,
  );
  const inputs = ((await playground.narration.textContent()) ?? '').match(
    /will merge tables ([\d, and]+) from/,
  )?.[1];
  const tables = new Set(inputs?.match(/\d+/g));
  expect(tables.size).toBeGreaterThan(1);
  await page.keyboard.press('2');
  for (let step = 0; step < 4; step += 1) await forward(page, playground);
  await page.keyboard.press('3');
  const sweep = page.locator('.sweep');
  let entries = 0;
  let before = 0;
  // To an entry that is not the first one of its batch: one step back from it is an entry too.
  for (let tries = 0; (entries < 6 || before < 2) && tries < 40; tries += 1) {
    await forward(page, playground);
    const sentence = (await playground.narration.textContent()) ?? '';
    // An entry may end a block or a table: the next step is then that end, and no entry is judged.
    const isEntry = /^Step \d+, detail \d+\. /.test(sentence);
    before = isEntry ? before + 1 : 0;
    if (!isEntry) continue;
    entries += 1;
    // Exactly one input comes first, and key and verdict are those of the sentence.
    await expect(sweep.locator('.front.is-first')).toHaveCount(1);
    const fronts = await sweep.locator('.front').count();
    expect(fronts).toBeLessThanOrEqual(tables.size);
    const word = (await sweep.locator('.tag').first().textContent()) ?? '?';
    expect(sentence).toContain(word.startsWith('kept') ? 'is kept' : 'is dropped');
    expect(sentence).toContain((await sweep.locator('.head').textContent()) ?? '?');
  }
  expect(before).toBeGreaterThan(1);
  // Back and forward again by one entry shows the same.
  const shown = await sweep.textContent();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => sweep.textContent()).not.toEqual(shown);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => sweep.textContent()).toEqual(shown);
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await expect(jobs.locator('[aria-current="step"]')).toHaveCount(1);
  await page.keyboard.press('End');
  // Done: the counts of the stages are the engine's own.
  await playground.run('step job');
  await expect(jobs.getByRole('heading', { name: /^Compaction job/ })).toContainText(': done');
  const done = (await jobs.locator('.stages li').last().textContent()) ?? '';
  const [, read, written, shadowed, tombstones = 0] =
    done.match(/of (\d+) entries, (\d+) written, (\d+) dropped(?: as shadowed and (\d+) tomb)?/) ??
    [];
  expect(Number(read)).toBe(Number(written) + Number(shadowed) + Number(tombstones));
  const begun = jobs.getByRole('button', { name: 'started' });
  await begun.focus();
  await page.keyboard.press('Enter');
  await expect(playground.narration).toContainText(`begins to read ${read} entries`);
});
