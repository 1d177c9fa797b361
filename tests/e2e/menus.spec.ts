// The menus of objects: by keyboard, by pointer, by finger.

import type { Page } from '@playwright/test';
import { violations } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

const FILL = 'fill 200 --words --seed 7; run; fill 20 --words --seed 8';

const menu = (page: Page) => page.getByRole('menu');
const stage = (page: Page) => page.getByRole('listbox', { name: /^Picture of the tree/ });
const firstTable = (page: Page) =>
  stage(page)
    .getByRole('option', { name: /^table \d+/ })
    .first();

test('by keyboard: the menu of the object in focus, its commands, and back', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await stage(page).focus();
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('m');
  await expect(menu(page)).toBeVisible();
  await expect(menu(page).getByRole('menuitem').first()).toBeFocused();
  expect(await violations(page), 'with a menu').toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(menu(page).getByRole('menuitem').nth(1)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(stage(page)).toBeFocused();

  await page.keyboard.press('ContextMenu');
  await expect(menu(page)).toBeVisible();
  const item = menu(page).getByRole('menuitem', { name: /^Break on this/ });
  const command = (await item.locator('code').textContent()) ?? '';
  expect(command).toMatch(/^break on (level|table|wal) \d+$/);
  await page.keyboard.press('b');
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
  await playground.idle();
  await expect(stage(page)).toBeFocused();
  expect((await playground.rows()).join('\n')).toContain(`lsm> ${command}`);
  await expect(playground.button('Break 1')).toBeVisible();
});

test('by pointer: damage, bytes and the key of an entry', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await firstTable(page).click({ button: 'right' });
  const box = await menu(page).boundingBox();
  const size = page.viewportSize();
  expect(box && size && box.y >= 0 && box.y + box.height <= size.height).toBe(true);
  await menu(page)
    .getByRole('menuitem', { name: /^Every byte/ })
    .click();
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toBeVisible();

  const tree = page.getByRole('tree', { name: 'Parts of the file' });
  await tree.getByRole('treeitem', { name: /^data block 1/ }).click();
  await page.keyboard.press('ArrowRight');
  await tree.getByRole('treeitem', { name: /^compressed block/ }).click();
  await page.keyboard.press('ArrowRight');
  const entry = tree.getByRole('treeitem', { name: /^entry 1/ }).first();
  await entry.click({ button: 'right' });
  await expect(menu(page)).toHaveAccessibleName(/^key /);
  expect(await violations(page), 'among bytes').toEqual([]);
  await menu(page)
    .getByRole('menuitem', { name: /^Explain how it is found/ })
    .click();
  await playground.idle();
  await expect(page.getByRole('tab', { name: 'Read' })).toHaveCount(0);

  await page.getByRole('gridcell').nth(3).click({ button: 'right' });
  await menu(page)
    .getByRole('menuitem', { name: /^Corrupt the byte at 3/ })
    .click();
  await playground.idle();
  await expect(page.getByRole('combobox', { name: /branch/ })).toContainText('damage');
});

test('by finger: a long press', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  const box = await firstTable(page).boundingBox();
  if (!box) throw new Error('the table has no place');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const touch = (type: 'touchStart' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [at] : [],
    });
  await touch('touchStart');
  await expect(menu(page)).toBeVisible();
  await touch('touchEnd');
  await expect(menu(page)).toBeVisible();
  await menu(page)
    .getByRole('menuitem', { name: /^Break on this table/ })
    .click();
  await expect(playground.button('Break 1')).toBeVisible();
});

test('bookmarks have names, are found again, and go with the history', { tag: '@slow' }, async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.deniedUrl, 'not saved');
  await playground.run(FILL);
  await playground.run('goto 12');
  await playground.run('bookmark "the first flush"');
  await playground.run('now');
  await playground.button(/^Break/).click();
  const name = page.getByRole('textbox', { name: 'Name of the bookmark at step 12' });
  await expect(name).toHaveValue('the first flush');
  await name.fill('before the flush');
  await name.press('Enter');
  expect(await violations(page), 'with bookmarks').toEqual([]);
  await page
    .getByRole('region', { name: 'Bookmarks' })
    .getByRole('button', { name: 'step 12', exact: true })
    .click();
  await expect(page.getByText(/Viewing the past · step 12/)).toBeVisible();
  expect((await playground.run('bookmark --list')).join('\n')).toContain(
    'step 12  before the flush',
  );
  await playground.run('fork');
  expect((await playground.run('bookmark --list')).join('\n')).toContain('step 12');
  await page.reload();
  await playground.ready('not saved');
  expect((await playground.run('bookmark --list')).join('\n')).toContain('There are no bookmarks');
});

test('help and completion know the verbs of the page', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  const help = (await playground.run('help bookmark')).join('\n');
  expect(help).toContain('bookmark [NAME]');
  await page.keyboard.type('boo');
  await page.keyboard.press('Tab');
  await expect.poll(() => playground.lastRow()).toBe('lsm> bookmark');
});
