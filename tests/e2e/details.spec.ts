// One entry of a merge at a time: the sentence follows, and the picture on the stage is of it.

import { violations } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal } from './steps';

test('live, at the grain of details, sentence, picture and terminal show the same entry', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  const words = 'fill 60 --order random --value-size 9 --seed 7';
  await playground.run(`${words}; run; ${words}; step phase 60; step phase 6`);
  await page
    .locator('label')
    .filter({ hasText: /^detail$/ })
    .click();
  await outOfTerminal(page);
  for (let entry = 1; entry <= 3; entry += 1) {
    await page.keyboard.press('s');
    await playground.idle();
    await expect(playground.narration).toHaveText(new RegExp(`^Step \\d+, detail ${entry}\\.`));
  }
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  const sentence = (await playground.narration.textContent()) ?? '';
  const panel = page.getByRole('tabpanel', { name: 'Now' });
  const sweep = page.locator('.sweep');
  expect(sentence).toContain((await sweep.locator('.head').textContent()) ?? '?');
  await expect(sweep.locator('.front.is-first')).toHaveCount(1);
  await expect(panel.getByRole('table', { name: /when it was picked, at step \d+/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const merge = (await playground.run('merge')).join(' ');
  expect(merge).toContain(sentence.replace(/^Step \d+, detail \d+\. /, '').slice(0, 40));

  await outOfTerminal(page);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText(/Viewing the past/)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await expect(playground.narration).toHaveText(sentence);
});
