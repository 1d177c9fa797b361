// Back, Forward, reload and leaving: views are entries of the browser's history, and leaving asks only when something would be lost.

import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';

/** Answers every question whether to leave, and counts them. */
function answering(page: Page, leave: boolean): { asked: number } {
  const count = { asked: 0 };
  page.on('dialog', async (dialog) => {
    count.asked += 1;
    expect(dialog.type()).toBe('beforeunload');
    await (leave ? dialog.accept() : dialog.dismiss());
  });
  return count;
}

const bytes = (page: Page) => page.getByRole('region', { name: 'Bytes of files' });
const experiments = (page: Page) => page.getByRole('region', { name: 'Experiments' });
const help = (page: Page) => page.getByRole('dialog', { name: /Help/ });

test('Back and Forward go from view to view, and never leave the page from an inner one', async ({
  page,
  site,
}) => {
  await page.goto('about:blank');
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await expect(bytes(page)).toBeVisible();
  await page.keyboard.press('x');
  await expect(experiments(page)).toBeVisible();
  await playground.button('Help').click();
  await expect(help(page)).toBeVisible();
  await page.goBack();
  await expect(help(page)).toHaveCount(0);
  await expect(experiments(page)).toBeVisible();
  await page.goBack();
  await expect(bytes(page)).toBeVisible();
  await page.goBack();
  await expect(bytes(page)).toHaveCount(0);
  await expect(page.locator('#stage')).toBeVisible();
  await page.goForward();
  await expect(bytes(page)).toBeVisible();
  await page.goForward();
  await expect(experiments(page)).toBeVisible();
  // The earlier input is still there: the page was not loaded again.
  await expect(page.getByRole('slider', { name: 'History' })).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('slider', { name: 'History' })).not.toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  expect(page.url()).toBe(site.url);
});

test('closing a view goes back from it, by Escape and by its button', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  const length = () => page.evaluate(() => history.length);
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await expect(bytes(page)).toBeVisible();
  const entries = await length();
  for (let turn = 0; turn < 3; turn += 1) {
    await page.keyboard.press('Escape');
    await expect(bytes(page)).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(help(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(help(page)).toHaveCount(0);
    await playground.button(/^Files$/).click();
    await expect(bytes(page)).toBeVisible();
  }
  expect(await length()).toBe(entries);
});

test('an address that leads to an inner view has the picture before it', async ({ page, site }) => {
  await page.goto('about:blank');
  await new Playground(page).open(`${site.url}#experiments/L4`);
  await expect(experiments(page)).toBeVisible();
  await page.reload();
  await expect(experiments(page)).toBeVisible();
  await page.goBack();
  await expect(page.locator('#stage')).toBeVisible();
  expect(page.url()).toBe(site.url);
});

test('nothing is asked of a visitor who has only looked around', async ({ page, site }) => {
  const questions = answering(page, true);
  const playground = await new Playground(page).open(site.url);
  await playground.run('help');
  await playground.run('lsm');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await page.reload();
  await playground.ready();
  expect(questions.asked).toBe(0);
});

test('F5, Back and a closed tab ask while a history would be lost, and staying keeps it', async ({
  page,
  site,
}) => {
  await page.goto('about:blank');
  // In memory: beside a database in files the history is kept.
  const playground = await new Playground(page).open(site.deniedUrl, 'not saved');
  await playground.run('fill 40 --words --seed 7');
  const slider = page.getByRole('slider', { name: 'History' });
  const step = await slider.getAttribute('aria-valuenow');
  const questions = answering(page, false);
  const asked = async (count: number) => {
    await expect.poll(() => questions.asked).toBe(count);
    await expect(slider).toHaveAttribute('aria-valuenow', step ?? '');
  };
  await page.evaluate(() => location.reload()).catch(() => {});
  await asked(1);
  await page.evaluate(() => history.back());
  await asked(2);
  await page.close({ runBeforeUnload: true });
  await asked(3);
  expect((await playground.run('get apple')).join(' ')).not.toBe('');
});

test('breakpoints are asked about; a history that will be there again is not', async ({
  page,
  site,
}) => {
  const questions = answering(page, true);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7; flush');
  await page.reload();
  await playground.ready();
  expect(questions.asked).toBe(0);
  await playground.run('break after flush.done');
  await page.reload();
  await playground.ready();
  expect(questions.asked).toBe(1);
});
