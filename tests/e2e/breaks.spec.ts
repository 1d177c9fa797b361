// Work stops at breakpoints, and when the plug is pulled.

import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, pictured, stepOf } from './steps';

test('a breakpoint stops work just before its event, and is announced', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.button(/Break/).click();
  const dialog = page.getByRole('dialog', { name: /Breakpoints/ });
  await dialog.getByRole('checkbox', { name: /the manifest is written/ }).click();
  await expect(dialog.getByRole('checkbox', { name: /the manifest is written/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await playground.idle();
  await playground.run('fill 30 --words --seed 7; flush');
  await playground.type('run');
  await playground.idle();
  await expect(page.getByText(/Viewing the past/)).toBeVisible();
  await expect(page.getByRole('status')).toContainText(/^Breakpoint\. Step \d+\./);
  await outOfTerminal(page);
  await page.keyboard.press('ArrowRight');
  await expect(playground.narration).toContainText(/manifest/i);
  await page.keyboard.press('End');
  await playground.button(/Break 1/).click();
  await dialog.getByRole('checkbox', { name: /the manifest is written/ }).click();
  await page.keyboard.press('Escape');
  await playground.idle();
  await expect(playground.button(/Break$/)).toBeVisible();
});

test('Play goes on from a breakpoint with one press', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; break before flush.install');
  await page.getByLabel('Speed of Play').selectOption({ label: 'max' });
  let before = await stepOf(page);
  for (let hit = 1; hit <= 3; hit += 1) {
    await playground.button(/^Play/).click();
    await expect.poll(() => stepOf(page)).toBeGreaterThan(before);
    await expect(page.getByText(/Viewing the past/)).toBeVisible();
    await expect(page.getByRole('status')).toContainText(/^Breakpoint\. Step \d+\./);
    before = (await stepOf(page)) + 1;
  }
});

test('pulling the plug loses what was not synced, and recovery can be walked through', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put pear green --sync off');
  expect(await playground.run('get pear')).toEqual(['green']);
  await playground.button('Crash').click();
  const dialog = page.getByRole('dialog', { name: 'Pull the plug' });
  await dialog.getByRole('radio', { name: /all are lost/ }).check();
  await dialog.getByRole('button', { name: 'Pull the plug' }).click();
  await playground.idle();
  await expect(page.getByLabel('branch')).toHaveValue('1');
  expect((await playground.run('get pear')).join(' ')).toMatch(/not found/);
  expect(await playground.run('get apple')).toEqual(['red']);
  await outOfTerminal(page);
  await page.keyboard.press('[');
  await expect(playground.narration).toContainText(/opening|open/i);
  const begin = await stepOf(page);
  const pictures = new Set<string>();
  for (let step = 0; step < 4; step += 1) {
    pictures.add(await pictured(page));
    await page.keyboard.press('ArrowRight');
  }
  expect(await stepOf(page)).toBe(begin + 4);
  expect(pictures.size).toBeGreaterThan(1);
});

test('the plug can be pulled where a breakpoint stands before an event, and at any step', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; break before flush.install');
  const first = await stepOf(page);
  await playground.run('fill 20 --words --seed 7; flush; run');
  await expect(page.getByText(/Viewing the past/)).toBeVisible();
  const before = await stepOf(page);
  await playground.button('Crash').click();
  const dialog = page.getByRole('dialog', { name: 'Pull the plug' });
  await expect(dialog.getByText(`crash at ${before} --keep none`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Pull the plug' }).click();
  await playground.idle();
  await expect(page.getByLabel('branch')).toHaveValue('1');
  await playground.run(`goto ${before}`);
  await playground.run(`crash at ${first} --keep none`);
  await expect(page.getByLabel('branch')).toHaveValue('2');
  expect((await playground.run('count')).join(' ')).toContain('1 entry');
});

test('after a reset, jobs, charts and answers of before are those of a database that is gone', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run; explain get apple; put a 1');
  const old = await stepOf(page);
  await expect(page.getByRole('note')).toContainText('the database has moved on');
  await playground.run('reset --yes');
  await expect(page.getByRole('note')).toContainText('of a database that was deleted after it');
  await page.getByRole('tab', { name: 'Now' }).click();
  await expect(page.getByText(/holds 0 entries/)).toBeVisible();
  await page.getByRole('tab', { name: 'Charts' }).click();
  await page.getByRole('button', { name: 'As table' }).last().click();
  const rows = page.getByRole('tabpanel', { name: 'Charts' }).getByRole('row');
  expect(await rows.count()).toBeLessThan(3);
  await playground.run(`goto ${old}`);
  await expect.poll(() => rows.count()).toBeGreaterThan(3);
  await page.getByRole('tab', { name: 'Now' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Now' })).toContainText(/holds [1-9]\d* entries/);
});
