// Experiments: each one run in the page as it is offered, with what it found in words, tables and charts.

import type { Page } from '@playwright/test';
import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

/** An experiment of many steps may share the machine with other tests. */
const LONG_MS = 120_000;

const labs = (page: Page) => page.getByRole('navigation', { name: 'All experiments' });
const found = (page: Page) => page.getByRole('region', { name: 'What was found' });

/** The experiments that the page lists. */
async function listed(page: Page): Promise<string[]> {
  await expect(labs(page).getByRole('listitem').first()).toBeVisible();
  return labs(page).getByRole('listitem').locator('b').allTextContents();
}

// Each of them runs natively, and in their module, in tests of its own.
for (const { which, stride, tag } of [
  { which: 'every fifth', stride: 5, tag: [] },
  { which: 'every', stride: 1, tag: '@slow' },
]) {
  test(`${which} experiment runs as it is offered, and shows what it found`, { tag }, async ({
    page,
    site,
  }) => {
    test.setTimeout(15 * 60_000);
    const playground = await new Playground(page).open(site.url);
    await playground.button('Experiments').click();
    const ids = await listed(page);
    expect(ids.length).toBeGreaterThan(14);
    for (const id of ids.filter((_, at) => at % stride === 0)) {
      await labs(page)
        .getByRole('button', { name: new RegExp(`^${id} `) })
        .click();
      await playground.button('Run experiment').click();
      await expect(found(page), id).toBeVisible({ timeout: LONG_MS });
      await playground.idle();
      await expect(page.locator('.lab-rows tbody tr').first(), id).toBeVisible();
      // A figure that is not the original's has the reason beside its name.
      const differing = page.locator('.lab-rows tr:has(.differs) th');
      for (const text of await differing.allTextContents()) {
        expect(text.length, `${id}: ${text}`).toBeGreaterThan(60);
      }
      const pictures = page.locator('.drawing');
      for (let at = 0; at < (await pictures.count()); at += 1) {
        await expect(pictures.nth(at).locator('svg :is(circle, rect)').first(), id).toBeAttached();
      }
    }
  });
}

test('their module comes with the first one, and one that does not come fails alone', async ({
  page,
  site,
  complaints,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const playground = await new Playground(page).open(site.url);
  await page.route('**/levelscope_labs*', (route) => route.abort());
  await playground.run('lab');
  expect(fetched.filter((url) => /levelscope_labs/.test(url))).toEqual([]);
  const missing = (await playground.run('lab L16')).join(' ');
  expect(missing).toContain('The experiments could not be fetched');
  expect((await playground.run('put apple red; get apple')).join(' ')).toContain('red');
  complaints.length = 0;
  await page.unroute('**/levelscope_labs*');
  expect((await playground.run('lab L16')).join(' ')).toContain('levelscope --memory -c');
  expect(fetched.filter((url) => /levelscope_labs/.test(url)).length).toBeGreaterThan(0);
});

test('by keyboard: the page shows the figures that the terminal prints', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await page.getByRole('listbox', { name: /^Picture of the tree/ }).focus();
  await page.keyboard.press('x');
  await listed(page);
  await labs(page).getByRole('button', { name: /^L15 / }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'records' }).fill('20000');
  await page.keyboard.press('Enter');
  await expect(found(page)).toBeFocused({ timeout: LONG_MS });
  const rows = page.locator('.lab-rows').last().locator('tbody tr');
  const shown = await rows.evaluateAll((elements) =>
    elements.map((row) => [...row.children].map((cell) => cell.textContent?.replaceAll(',', ''))),
  );
  const printed = await playground.run('lab L15 --records 20000 --csv');
  // The terminal is low here: its last rows are those of the table.
  for (const row of shown.slice(-3)) {
    const cells = row.slice(0, 2).map((text) => `${text}`);
    expect(printed.join('\n')).toContain(cells.join(','));
  }
  await expect(page).toHaveURL(/#experiments\/L15$/);
  await playground.button('Run experiment').press('Escape');
  await expect(page.getByRole('region', { name: 'Experiments' })).toHaveCount(0);
});

test('Stop ends an experiment, and the next one runs', async ({ page, site }) => {
  const playground = await new Playground(page).open(`${site.url}#experiments/L8`);
  await page.getByRole('textbox', { name: 'records' }).fill('1000000');
  await playground.button('Run experiment').click();
  // A run that was stopped before it began has sent nothing to the page.
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', /./);
  await page
    .getByRole('region', { name: 'Experiments' })
    .getByRole('button', { name: 'Stop' })
    .click();
  await expect(playground.button('Run experiment')).toBeEnabled();
  await expect(found(page)).toHaveCount(0);
  await expect(page.getByText(/a stopped run has no result/)).toBeVisible();
  await page.getByRole('textbox', { name: 'records' }).fill('2000');
  await playground.button('Run experiment').click();
  await expect(found(page)).toBeVisible({ timeout: LONG_MS });
});

test('charts and tables can be saved and are accessible', async ({ page, site }) => {
  const playground = await new Playground(page).open(`${site.url}#experiments/L14`);
  await playground.button('Run experiment').click();
  await expect(found(page)).toBeVisible({ timeout: LONG_MS });
  await playground.idle();
  await expect(page.locator('.drawing svg').first()).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  const csv = page.waitForEvent('download');
  await playground.button('Save CSV').click();
  expect((await csv).suggestedFilename()).toBe('levelscope-l14.csv');
  const svg = page.waitForEvent('download');
  await playground.button('Save SVG').first().click();
  expect((await svg).suggestedFilename()).toMatch(/^levelscope-l14-\d\.svg$/);
});
