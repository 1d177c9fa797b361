// The views of a directory of another engine, by keyboard and by pointer, on directories that the libraries wrote.

import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { violations, violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/lsm/${name}`, import.meta.url));

const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const sentence = (page: Page) => page.locator('.lens .sentence');
const picture = (page: Page) => page.getByRole('listbox', { name: /^Levels of the family/ });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

/** Opens a fixture as a person who chooses its directory. */
async function opened(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}#directory`);
  const other = page.getByRole('button', { name: 'Open another …' });
  await expect(other.or(page.getByText('What it answers'))).toBeVisible();
  if (await other.isVisible()) await other.click();
  await page.locator('input[webkitdirectory]').setInputFiles(fixture(name));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await expect(picture(page)).toBeVisible();
}

test('every view is accessible, light and dark, also narrow', async ({ page, site }) => {
  await opened(page, site.url, 'm_levels');
  for (const name of ['Levels', 'Questions', 'Read', 'Problems', 'Files', 'Bytes']) {
    await tab(page, name).click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await expect(page.getByText(/Reading/)).toHaveCount(0);
    expect(await violationsInBoth(page), name).toEqual([]);
  }
  await tab(page, 'Read').click();
  await page.getByRole('radio', { name: 'get one key' }).check();
  await page.getByLabel('Key', { exact: true }).fill('user:000300');
  await page.keyboard.press('Enter');
  await expect(page.getByText('has no value at this sequence number')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 900 });
  for (const name of ['Levels', 'Questions', 'Problems']) {
    await tab(page, name).click();
    expect(await violations(page), `${name}, narrow`).toEqual([]);
  }
});

test('the history is walked and jumped through without a pointer', async ({ page, site }) => {
  await opened(page, site.url, 'm_levels');
  await expect(sentence(page)).toContainText('Bookkeeping: no table changed');
  await page.keyboard.press('PageUp');
  await expect(sentence(page)).toContainText('Step 33');
  await expect(page.getByText('Manual Flush')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(sentence(page)).toContainText('begins with an empty database');
  await page.keyboard.press('PageDown');
  await expect(sentence(page)).toContainText('Step 2');
  await expect(
    picture(page).getByRole('option', { name: /^table 9 .*new in this step/ }),
  ).toBeVisible();
  await page.getByRole('slider', { name: 'History' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(sentence(page)).toContainText('Step 12');
  await expect(page.getByRole('slider', { name: 'History' })).toHaveAttribute(
    'aria-valuenow',
    '12',
  );
  await page.getByLabel('Go to').selectOption('table');
  await page.getByLabel('Number of the table').fill('18');
  await page.keyboard.press('Enter');
  await expect(details(page)).toContainText('moved from L1 to L2');
  await details(page).getByRole('button', { name: 'step 25' }).click();
  await expect(sentence(page)).toContainText('Step 25');
  // Play goes from change to change up to the end.
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(sentence(page)).toContainText('Step 34');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('logs and blob files open in their places, and lead to their bytes', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'b_blob_files');
  const way = page
    .getByRole('navigation', { name: 'The way to what is opened' })
    .getByRole('button');
  const option = (name: RegExp) => picture(page).getByRole('option', { name });
  await option(/^000028\.log/).dblclick();
  await expect(way).toHaveText(['tree', '000028.log']);
  await expect(option(/^user:\d+, put, sequence number 38\d$/)).toHaveCount(5);
  expect(await violationsInBoth(page), 'in a log').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(way).toHaveCount(0);
  await option(/^blob file 30/).click();
  await details(page).getByRole('button', { name: 'Look inside' }).click();
  await expect(way).toHaveText(['tree', '000030.blob']);
  expect(new URL(page.url()).hash).toMatch(/^#directory\/b_blob_files~\d+\/inside\/@000030\.blob$/);
  await option(/^user:\d+, value$/)
    .first()
    .dblclick();
  await expect(
    page.getByRole('treeitem', { name: /^record \d+: "user/, selected: true }),
  ).toBeVisible();
  expect(new URL(page.url()).hash).toMatch(/^#directory\/b_blob_files~\d+\/bytes$/);
  await page.goBack();
  await expect(way).toHaveText(['tree', '000030.blob']);
});

test('a table opens in its place, by keyboard and by pointer, and leads to its bytes', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'm_levels');
  const way = page.getByRole('navigation', { name: 'The way to what is opened' });
  const last = way.getByRole('button').last();
  const option = (name: RegExp) => picture(page).getByRole('option', { name });
  const table = option(/^table 45 /);
  await table.click();
  await page.keyboard.press('Enter');
  await expect(way.getByRole('button')).toHaveText(['tree', 'L1', 'table 45']);
  // The columns have all entries of the table.
  const blocks = option(/^block \d+, \d+ entr\w+, user:\d+ to user:\d+$/);
  const counts = await blocks.evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''));
  expect(counts.reduce((all, label) => all + Number(/, (\d+) entr/.exec(label)?.[1]), 0)).toBe(47);
  for (const name of [/^index$/, /^properties$/, /^footer$/])
    await expect(option(name)).toBeVisible();
  expect(await violationsInBoth(page), 'in a table').toEqual([]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(last).toHaveText('block 2');
  expect(new URL(page.url()).hash).toMatch(/^#directory\/m_levels~\d+\/inside\/table:45\/block:2$/);
  await expect(option(/^user:\d+, put, sequence number \d+$/)).toHaveCount(13);
  expect(await violationsInBoth(page), 'in a block').toEqual([]);
  // Where the table does not exist, the tree is whole.
  await page.getByRole('button', { name: 'First step' }).click();
  await expect(way).toHaveCount(0);
  await page.getByRole('button', { name: 'Last step', exact: true }).click();
  await expect(last).toHaveText('block 2');
  await option(/, put, sequence number \d+$/)
    .first()
    .dblclick();
  await expect(page.getByRole('treeitem', { name: /^entry/ }).first()).toBeVisible();
  await page.goBack();
  await expect(last).toHaveText('block 2');
  await page.goForward();
  await expect(page.getByRole('treeitem', { name: /^entry/ }).first()).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(last).toHaveText('table 45');
  await page.goBack();
  await expect(way).toHaveCount(0);
  await table.dblclick();
  await expect(last).toHaveText('table 45');
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await expect(way).toHaveCount(0);
  await page.keyboard.up('Control');
  await details(page).getByRole('button', { name: 'Look inside' }).click();
  await expect(last).toHaveText('table 45');
  await way.getByRole('button', { name: 'tree' }).click();
  await expect(way).toHaveCount(0);
});

test('nothing moves from step to step but what changed', async ({ page, site }) => {
  await opened(page, site.url, 'm_levels');
  await page.keyboard.press('Home');
  await expect(sentence(page)).toContainText('Step 0');
  const places = () =>
    page.evaluate(() => {
      const boxOf = (selector: string) => {
        const { x, y, width, height } = document
          .querySelector(selector)
          ?.getBoundingClientRect() ?? {
          x: 0,
          y: 0,
          width: 0,
          height: 0,
        };
        return [x, y, width, height];
      };
      const heads = [...document.querySelectorAll('.level .row-label')];
      return {
        slider: boxOf('.timeline-slider'),
        picture: boxOf('.lens .frame'),
        axis: boxOf('.axis-line'),
        heads: heads.map((head) => Math.round(head.getBoundingClientRect().x)),
      };
    });
  const first = await places();
  for (let step = 1; step <= 12; step += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(sentence(page)).toContainText(`Step ${step} `);
    expect(await places(), `step ${step}`).toEqual(first);
  }
});

test('a question leads to a step, a step to a table, a table to its keys', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'm_levels');
  await tab(page, 'Questions').click();
  await expect(page.getByRole('article').getByRole('status')).toContainText('Level 0 of family');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('level0.csv');
  await page.getByRole('article').getByRole('button', { name: '7', exact: true }).click();
  await expect(sentence(page)).toContainText('Step 7');
  await picture(page)
    .getByRole('option', { name: /^table 15 / })
    .click();
  await expect(details(page)).toContainText('Its file was deleted since');
  await page.keyboard.press('End');
  const table = picture(page).getByRole('option', { name: /^table 52 / });
  await table.click();
  // The menu of an object types commands for the own database.
  await table.click({ button: 'right' });
  await expect(page.getByRole('menu')).toHaveCount(0);
  await details(page).getByRole('button', { name: 'Read from its first key' }).click();
  await expect(page.getByText('50 live entries')).toBeVisible();
  await expect(page.getByLabel('From the key', { exact: true })).toHaveValue('user:000002');
});

test('damage is found by a check, and the live entries are saved as a table', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'd_table_flip');
  await page.getByRole('button', { name: /not checked|remark/ }).click();
  await page.getByRole('button', { name: 'Check all checksums' }).click();
  await expect(page.getByText('1 problem was found: every checksum was compared.')).toBeVisible();
  await expect(page.getByText(/wrong xxh3 checksum/)).toBeVisible();
  await opened(page, site.url, 'm_levels');
  await tab(page, 'Problems').click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save “default” as a table (.sst)' }).click();
  expect((await saved).suggestedFilename()).toBe('default.sst');
  await expect(page.getByText(/RocksDB ingests it/)).toBeVisible();
  // The same entries as a branch of the playground.
  await page.getByRole('button', { name: 'Open the entries in the playground' }).click();
  const playground = new Playground(page);
  await expect
    .poll(async () => (await playground.rows()).join(' '))
    .toContain('live entries taken');
  await playground.idle();
  expect(await playground.run('get user:000002')).not.toContain('not found');
  expect((await playground.run('check')).join(' ')).toContain('no damage');
});

test('a table that would lose columns is saved only after a confirmation', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'e_wide_columns');
  await tab(page, 'Problems').click();
  await page.getByRole('button', { name: 'Save “default” as a table (.sst)' }).click();
  await expect(page.getByRole('alert')).toContainText('other columns left out');
  expect(await violations(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the table with these losses' }).click();
  expect((await saved).suggestedFilename()).toBe('default.sst');
  await expect(page.getByText(/^It does not hold everything/)).toBeVisible();
  await expect(page.getByText(/^70 entries .* default column only/)).toBeVisible();
});

test('the readable part of a damaged database is saved after a confirmation', async ({
  page,
  site,
}) => {
  await opened(page, site.url, 'd_blob_missing');
  await tab(page, 'Problems').click();
  await page.getByRole('button', { name: 'Save “default” as a table (.sst)' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was saved.');
  expect(await violations(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save what can be read' }).click();
  expect((await saved).suggestedFilename()).toBe('default.sst');
  await expect(page.getByText(/\.blob: the file is missing$/)).toBeVisible();
});

test('at 1280 by 720 nothing is cut off', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const name of ['c_families', 'b_blob_garbage']) {
    await opened(page, site.url, name);
    const signs = page.getByRole('list', { name: /^Signs of/ });
    await expect(signs).toHaveCount(2);
    const terminal = await page.getByRole('region', { name: 'Terminal' }).boundingBox();
    for (const list of await signs.all()) {
      const box = await list.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(terminal?.y ?? 0);
    }
    const select = page.getByLabel('Column family');
    const room = await select.evaluate((element: HTMLSelectElement) => {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) return 0;
      context.font = getComputedStyle(element).font;
      const text = element.selectedOptions[0]?.text ?? '';
      return element.clientWidth - context.measureText(text).width;
    });
    expect(room, name).toBeGreaterThan(16);
    await tab(page, 'Questions').click();
    await page.getByRole('button', { name: /Which tables cover/ }).click();
    await expect(page.getByRole('article').getByRole('table').last()).toBeVisible();
    const cut = await page.evaluate(() => {
      const rows = document.querySelector('.lens-rows');
      return rows ? rows.scrollWidth - rows.clientWidth : 0;
    });
    expect(cut, name).toBeLessThanOrEqual(0);
  }
});

test('bytes that are no text, and text that is markup, are shown as text', async ({
  page,
  site,
}) => {
  for (const name of ['e_odd_keys', 'e_merge_operands', 'e_wide_columns', 'e_timestamps']) {
    await opened(page, site.url, name);
    await tab(page, 'Read').click();
    await expect(page.getByText(/live entr/).first()).toBeVisible();
    expect(await violations(page), name).toEqual([]);
  }
  await opened(page, site.url, 'c_reverse_order');
  await expect(details(page)).toContainText('descending');
});

test('every byte of a file has a name, down to a key', { tag: '@slow' }, async ({ page, site }) => {
  await opened(page, site.url, 'm_levels');
  await picture(page)
    .getByRole('option', { name: /^table 52 / })
    .click();
  await details(page).getByRole('button', { name: 'Every byte of its file' }).click();
  await expect(page.getByText(/RocksDB block-based table/)).toBeVisible();
  const tree = page.getByRole('tree', { name: 'Parts of the file' });
  for (const name of [/^data blocks/, /^data block 1/, /^block content/, /^entries/, /^entry/]) {
    await tree.getByRole('treeitem', { name }).first().click();
    await page.keyboard.press('ArrowRight');
  }
  await expect(tree).toContainText('user:000002');
  // The part that was chosen is marked among the bytes, with its place and its meaning beside them.
  await expect(page.getByRole('region', { name: 'Data inspector' })).toContainText('Offset');
  expect(await violations(page)).toEqual([]);
});

test('the terminal below the views asks about what is on show, and moves it', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.url}#directory/rocksdb`);
  await expect(picture(page)).toBeVisible();
  const terminal = new Playground(page);
  await expect.poll(() => terminal.rows()).toContain('lsm>');
  expect((await terminal.rows()).join(' ')).toContain('214 version edits, from the beginning');
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press('/');
  await expect(terminal.commandLine).toBeFocused();
  await terminal.run('goto 3');
  await expect(sentence(page)).toContainText('Step 3 of');
  expect((await terminal.run('levels')).join(' ')).toMatch(/L0 +1 table, 2\.1 KiB/);
  expect((await terminal.run('put a 1')).join(' ')).toContain('only read');
  await page.keyboard.insertText('lay');
  await page.keyboard.press('Tab');
  await expect.poll(() => terminal.lastRow()).toBe('lsm> layout');
  await page.keyboard.insertText('CURRENT');
  await page.keyboard.press('Enter');
  await terminal.idle();
  expect((await terminal.rows()).join(' ')).toContain('lsm> layout CURRENT');
  // The keys of the view lead through the history, and the terminal follows.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await expect(sentence(page)).toContainText('Step 0 of');
  expect(await terminal.run('levels')).toEqual(['L0      0 tables, 0 B']);
  expect(await terminal.run('clear')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  const pane = page.getByRole('region', { name: 'Terminal' });
  await expect.poll(async () => (await pane.boundingBox())?.height).toBeLessThan(40);
});

test('on a phone the terminal takes the place of the view, and goes again', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.url}#directory/rocksdb`);
  const raise = page.getByRole('button', { name: 'Terminal' });
  await raise.click();
  const field = page.getByRole('textbox', { name: 'Command line' });
  await field.fill('goto 3');
  await field.press('Enter');
  await expect(page.getByRole('log')).toContainText('lsm> goto 3');
  expect(await violationsInBoth(page)).toEqual([]);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await raise.click();
  await expect(sentence(page)).toContainText('Step 3 of');
  expect(await wide()).toBeLessThanOrEqual(0);
});
