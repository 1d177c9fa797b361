// Lessons on paper: they are played for it in an engine of their own, and the visitor's database does not notice.

import type { Page } from '@playwright/test';
import { lessons } from './authored';
import { violations } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

const pages = (page: Page) => page.locator('main.handout');

test('the handout of a lesson is printed from the list of lessons', async ({
  page,
  site,
  browserOnDisk,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put mine 1');
  const before = await playground.run('files');
  await page.getByRole('button', { name: 'Lessons' }).click();
  const opened = browserOnDisk.context.waitForEvent('page');
  await page.getByRole('link', { name: 'Handout of A full memtable, for print' }).click();
  const paper = await opened;
  await expect(pages(paper)).toBeVisible();
  await expect(paper.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(pages(paper).getByRole('heading', { level: 1 })).toHaveText('A full memtable');
  expect(await violations(paper)).toEqual([]);

  // The pictures are those of the engine, each with its sentence and its words.
  const pictures = pages(paper).getByRole('figure');
  await expect(pictures.first().getByRole('img')).toHaveAccessibleName(/Memory: .*memtable 1/);
  expect(await pictures.count()).toBeGreaterThan(3);
  await expect(pictures.last()).toContainText('flushed');
  await expect(pictures.locator('svg').last()).toContainText('L0');

  // Learners write their answers; teachers have them.
  await paper.emulateMedia({ media: 'print' });
  const answers = pages(paper).getByText('The engine’s answer:');
  await expect(answers).toHaveCount(0);
  await expect(pages(paper).locator('.holds')).toHaveCount(0);
  await expect(pages(paper).locator('.lesson-note').first()).toBeHidden();
  await expect(pages(paper).getByRole('radio').first()).toBeVisible();
  await expect(pages(paper).getByRole('button')).toHaveCount(0);
  await paper.emulateMedia({ media: 'screen' });
  await paper.getByRole('checkbox', { name: /for the teacher/ }).check();
  expect(await answers.count()).toBeGreaterThan(2);
  await expect(pages(paper).locator('.holds').first()).toBeVisible();
  await expect(pages(paper).locator('.lesson-note').first()).toBeVisible();
  await expect(paper).toHaveURL(/#handout\/rotation\/teacher$/);
  expect(await violations(paper)).toEqual([]);
  await paper.close();

  await page.keyboard.press('Escape');
  expect(await playground.run('files')).toEqual(before);
});

test('every lesson has its handout', { tag: '@slow' }, async ({ page, site }) => {
  test.setTimeout(240_000);
  for (const { id } of lessons) {
    await page.goto(`${site.url}#handout/${id}/teacher`);
    await page.reload();
    await expect(pages(page)).toBeVisible();
    expect(await pages(page).getByRole('figure').count(), id).toBeGreaterThan(0);
    // Paper has no second column: nothing is wider than A4 with its margins.
    await page.setViewportSize({ width: 680, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), id).toBe(680);
  }
});
