// Files on the page: chosen and dropped, looked into in every tab, and a database that goes out as an archive and comes in
// as a branch.

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

const tree = (page: Page) => page.getByRole('tree', { name: 'Parts of the file' });
const grid = (page: Page) => page.getByRole('grid', { name: /^Bytes of/ });
const ribbon = (page: Page) => page.getByRole('listbox', { name: /^The file .* to scale/ });
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const fileRow = (page: Page, file: string) =>
  page.getByRole('table', { name: 'Files of the directory' }).getByRole('row', { name: file });

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

test('every family by picker: formats, bytes, entries and a lookup', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  const chooser = page.waitForEvent('filechooser');
  await playground.type('open');
  await (await chooser).setFiles(FAMILIES.map(({ file }) => at(file)));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Files');
  const main = page.getByRole('main');
  for (const { file, format, key } of FAMILIES) {
    const name = basename(file);
    await tab(page, 'Files').click();
    await expect(fileRow(page, name), file).toContainText(format);
    await fileRow(page, name).getByRole('button').click();
    await expect(tree(page).getByRole('treeitem').first(), file).toBeVisible();
    await expect(ribbon(page).getByRole('option').first(), file).toBeVisible();
    await expect(page.locator('[role=gridcell][data-o="0"]').first(), file).not.toBeEmpty();
    await tab(page, 'Read').click();
    const choice = page.getByLabel('File', { exact: true });
    const wanted = choice.getByRole('option').filter({ hasText: `${name}:` });
    await choice.selectOption((await wanted.getAttribute('value')) ?? '');
    await expect(main, file).toContainText(/live entr/);
    if (key === undefined) continue;
    await page.getByRole('radio', { name: 'get one key' }).check();
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Get', exact: true }).click();
    await expect(main, file).toContainText(/The entry is here/);
    await page.getByRole('radio', { name: 'scan in order' }).check();
  }
});

test('by drop: the view and the terminal name the damage', async ({ page, site }) => {
  await new Playground(page).open(site.url);
  const bytes = [...readFileSync(at('cloudcentric/s6/tiny.sst'))];
  const table = [...readFileSync(at('cloudcentric/s6/lorem.sst'))];
  table[2] = (table[2] ?? 0) ^ 1;
  await drop(page, [
    { name: 'whole.sst', bytes },
    { name: 'cut "x"<b>.sst', bytes: bytes.slice(0, -3) },
    { name: 'corrupt.sst', bytes: table },
  ]);
  await expect(fileRow(page, 'corrupt.sst')).toContainText('▲');
  await expect(fileRow(page, 'cut "x"<b>.sst')).toBeVisible();
  await tab(page, 'Problems').click();
  await expect(page.getByRole('main')).toContainText(/corrupt\.sst.*offset [\d,]+/);
  await page.getByRole('button', { name: 'Check all checksums' }).click();
  await expect(page.getByRole('main')).toContainText(/1 problem/);
  expect(await violationsInBoth(page)).toEqual([]);
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
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Levelscope');
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('button', { name: 'Open the database as a branch' }).click();
  // The files may still be on their way in: then the answer comes after their lines.
  await expect(async () => {
    expect((await playground.run('get apple')).at(-1)).toBe('1');
  }).toPass();
  await playground.run('branch main');
  expect((await playground.run('get apple')).join(' ')).toMatch(/not found|apple/);
});
