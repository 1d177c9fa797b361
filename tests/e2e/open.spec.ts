// Files of other programs on the page: chosen and dropped, inspected in every tab, and a database that is exported
// as an archive and imported again.

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { violationsInBoth } from './axe';
import { type Dropped, transferOf } from './dropped';
import { expect, test } from './harness';
import { Playground } from './playground';

const at = (path: string) => fileURLToPath(new URL(`../fixtures/formats/${path}`, import.meta.url));

/** A file of every format of the playground: what it is, and a key in it where it holds any. */
const FAMILIES: readonly { file: string; format: string; key?: string }[] = [
  { file: 'cloudcentric/worked/s1.sst', format: 'ladder-fixed', key: 'bar' },
  { file: 'cloudcentric/worked/s2.sst', format: 'ladder-varint', key: 'bar' },
  { file: 'cloudcentric/worked/s3.sst', format: 'ladder-indexed', key: 'bar' },
  { file: 'cloudcentric/worked/s4.sst', format: 'ladder-blocks', key: 'bar' },
  { file: 'cloudcentric/worked/s5.sst', format: 'ladder-snappy', key: 'bar' },
  { file: 'cloudcentric/worked/s6.sst', format: 'ladder-incremental', key: 'bar' },
  { file: 'cloudcentric/worked/s6n.sst', format: 'ladder-incremental-raw', key: 'bar' },
  { file: 'cloudcentric/s7_wal/small/000001.log', format: 'ladder-log' },
  { file: 'kvdb/basic.db', format: 'kvdb-log' },
  { file: 'froopydb/tiny/0_0.sst', format: 'froopy-table' },
  { file: 'froopydb/wal/1795221886453_9007.log', format: 'froopy-log' },
];

const strip = (page: Page) => page.getByRole('listbox', { name: 'Files' });
const tree = (page: Page) => page.getByRole('tree', { name: 'Parts of the file' });
const grid = (page: Page) => page.getByRole('grid', { name: /^Bytes of/ });
const ribbon = (page: Page) => page.getByRole('listbox', { name: /^The file .* to scale/ });

/** Drops files on the page, as far as a script can: the browser makes the same events of a real drop. */
async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const transfer = await transferOf(page, files);
  const target = page.locator('.app');
  await target.dispatchEvent('dragenter', { dataTransfer: transfer });
  await expect(page.getByText('Drop files to look inside them')).toBeVisible();
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByText('Drop files to look inside them')).toBeHidden();
}

/** Chooses files with the picker that typing `open` brings up. */
async function pick(page: Page, playground: Playground, files: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await playground.type('open');
  await (await chooser).setFiles(files);
  await playground.idle();
}

const idOf = (file: string) => `@${basename(file)}`;

test('every family by picker: tree, bytes, entries and a lookup', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await pick(
    page,
    playground,
    FAMILIES.map(({ file }) => at(file)),
  );
  for (const { file, format } of FAMILIES) {
    const option = strip(page).getByRole('option', { name: new RegExp(`^${idOf(file)}, `) });
    await expect(option, file).toContainText(format);
    await option.click();
    await expect(tree(page).getByRole('treeitem').first(), file).toBeVisible();
    await expect(ribbon(page).getByRole('option').first(), file).toBeVisible();
    await expect(page.locator('[role=gridcell][data-o="0"]').first(), file).not.toBeEmpty();
    await playground.button(/^Entries$/).click();
    const rows = page.getByRole('region', { name: 'Entries' }).getByRole('row');
    await expect(rows.nth(1), file).toBeVisible();
    // A click on a key looks it up; the reads are drawn to scale under the ribbon and listed in words.
    await rows.nth(1).getByRole('rowheader').getByRole('button').click();
    const lookup = page.getByRole('region', { name: 'Look up a key' });
    await expect(lookup.getByRole('status'), file).toContainText(/ = |deleted \(tombstone/);
    await expect(lookup.locator('.read-row').first()).toBeVisible();
    await lookup.getByRole('listitem').first().getByRole('button').first().click();
    await expect(grid(page)).toBeVisible();
    await expect(page.locator('[role=gridcell].pin').first()).toBeVisible();
  }
  await playground.button('Close the file').click();
  await expect(strip(page).getByRole('option')).toHaveCount(4 + FAMILIES.length - 1);
  // The database is unchanged.
  await playground.button(/Lab$/).click();
  await expect(playground.narration).toContainText('The database is open');
});

test('by drop and keyboard: a damaged file shows what is left of it', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  const bytes = [...readFileSync(at('cloudcentric/s6/tiny.sst'))];
  const cut = bytes.slice(0, -3);
  const table = [...readFileSync(at('cloudcentric/s6/lorem.sst'))];
  table[2] = (table[2] ?? 0) ^ 1;
  await drop(page, [
    { name: 'whole.sst', bytes },
    { name: 'cut "x"<b>.sst', bytes: cut },
    { name: 'corrupt.sst', bytes: table },
  ]);
  const damaged = page.getByRole('row', { name: /corrupt\.sst/ });
  await expect(damaged).toContainText(/damaged at offset \d/);
  await expect(page.getByRole('row', { name: /@cut__x__b_\.sst/ })).toBeVisible();

  await strip(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const head = page.locator('.opened-damage');
  await expect(head).toContainText('Damaged at offset');
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#bytes\/@corrupt\.sst\/bytes:\d+-\d+$/);
  await expect(page.locator('[role=gridcell].pin').first()).toBeVisible();
  await playground.button('Look up').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Key', exact: true }).focus();
  await page.keyboard.type('no such key');
  await page.keyboard.press('Enter');
  const lookup = page.getByRole('region', { name: 'Look up a key' });
  await expect(lookup.locator('.problem, .lookup-verdict')).toContainText(/damaged|not found/);

  // The terminal says the same, and its links lead there.
  const told = (await playground.run('opened @corrupt.sst')).join(' ');
  expect(told).toMatch(/ladder-incremental.*damaged at offset [\d,]+/);
  await page.getByRole('button', { name: 'Lab', exact: true }).click();
  await playground.run('put a 1');
  await expect(page.getByRole('listbox', { name: /^Picture of the tree/ })).toBeVisible();
});

test('a broken directory of LevelDB opens in a view of its own, with what is missing and damaged', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  const from = at('leveldb/c_levels_snappy_bloom');
  const files = readdirSync(from)
    .filter((name) => name !== '000007.ldb')
    .map((name) => ({ name: `broken/${name}`, bytes: [...readFileSync(`${from}/${name}`)] }));
  const damaged = files.find(({ name }) => name.endsWith('000009.ldb'));
  if (damaged) damaged.bytes[5000] = (damaged.bytes[5000] ?? 0) ^ 1;
  await drop(page, files);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('LevelDB');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText(/000007\.ldb.*the table is missing/);
  await playground.button('Check all checksums').click();
  await expect(main).toContainText(/000009\.ldb.*wrong crc32c checksum/);
});

for (const [file, engine, ...tag] of [
  ['leveldb/p_snapshot_head/000005.ldb', 'LevelDB', '@slow'],
  ['rocksdb/tiny.sst', 'RocksDB'],
] as const) {
  test(`a single file of ${engine} opens with its entries and its bytes`, { tag }, async ({
    page,
    site,
  }) => {
    await new Playground(page).open(site.url);
    await drop(page, [{ name: basename(file), bytes: [...readFileSync(at(file))] }]);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(engine);
    await page.getByRole('tab', { name: /^Read/ }).click();
    const main = page.getByRole('main');
    await expect(main).toContainText(/live entr/);
    await expect(
      main.getByRole('table', { name: 'Live entries' }).getByRole('row').nth(1),
    ).toBeVisible();
    await page.getByRole('tab', { name: /^Bytes/ }).click();
    await expect(tree(page).getByRole('treeitem').first()).toBeVisible();
    await expect(grid(page)).toBeVisible();
    expect(await violationsInBoth(page)).toEqual([]);
  });
}

test('a database goes out as an archive and comes in as a branch', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 60 --words --seed 7; flush; run; put apple 1');
  await playground.button('Open …').click();
  const download = page.waitForEvent('download');
  await playground.button('Download database (.zip)').click();
  const path = await (await download).path();
  const archive = [...readFileSync(path)];
  await playground.run('del apple');
  await drop(page, [{ name: 'mine.zip', bytes: archive }]);
  await playground.idle();
  // It is offered for the directory as a whole, and beside each of its files.
  await expect(playground.button('Open the database @levelscope as a branch')).toBeVisible();
  await strip(page)
    .getByRole('option', { name: /^@levelscope\/.*\.sst, / })
    .first()
    .click();
  await playground.button('Open this database as a branch').click();
  await playground.idle();
  expect((await playground.run('get apple')).at(-1)).toBe('1');
  await playground.run('branch main');
  expect((await playground.run('get apple')).join(' ')).toMatch(/not found|apple/);
  // A reload has lost nothing and kept nothing.
  await page.reload();
  await playground.ready();
  expect((await playground.run('opened')).join(' ')).toContain('No file is open');
});

test('opened files are accessible', { tag: '@slow' }, async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.button('Open …').click();
  await page.getByText(/formats of single files/).click();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByLabel('Files to open').setInputFiles([at('cloudcentric/s6/lorem.sst')]);
  await playground.idle();
  await expect(grid(page)).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await playground.button(/^Entries$/).click();
  await expect(page.getByRole('region', { name: 'Entries' }).getByRole('row').nth(1)).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page
    .getByRole('region', { name: 'Entries' })
    .getByRole('rowheader')
    .nth(30)
    .getByRole('button')
    .click();
  await expect(page.locator('.read-row').first()).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
});
