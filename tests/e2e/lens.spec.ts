// Directories of other engines on the page: samples, archives and drops, reported damage, and files that are
// something else.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { violationsInBoth } from './axe';
import { type Dropped, transferOf } from './dropped';
import { expect, test } from './harness';
import { Playground } from './playground';

const fixtures = fileURLToPath(new URL('../fixtures/lsm', import.meta.url));

/** The files of a fixture. */
function directory(fixture: string): Dropped[] {
  return readdirSync(`${fixtures}/${fixture}`).map((name) => ({
    name: `${fixture}/${name}`,
    bytes: [...readFileSync(`${fixtures}/${fixture}/${name}`)],
  }));
}

/** Drops files on the page, as far as a script can. */
async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const transfer = await transferOf(page, files);
  const target = page.locator('.app');
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer: transfer });
  }
}

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });

test('a sample opens from an address, and the module comes only then', async ({ page, site }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const playground = await new Playground(page).open(site.url);
  expect(fetched.filter((url) => /lens/.test(url))).toEqual([]);
  await playground.button('Open …').click();
  await page.getByRole('link', { name: 'view of their own' }).click();
  await expect(page.getByRole('heading', { name: /RocksDB under the lens/ })).toBeVisible();
  expect(fetched.filter((url) => /lensWorker|levelscope_lens/.test(url))).toEqual([]);
  expect(await violationsInBoth(page)).toEqual([]);
  for (const [engine, name] of [
    ['rocksdb', /RocksDB/],
    ['pebble', /Pebble/],
    ['leveldb', /LevelDB/],
  ] as const) {
    await page.goto(`${site.url}#directory/${engine}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(tab(page, /^Levels/)).toBeVisible();
  }
  expect(fetched.filter((url) => /levelscope_lens/.test(url)).length).toBeGreaterThan(0);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pebble');
});

test('an archive with a directory opens, and Back leads to the playground', async ({
  page,
  site,
}) => {
  await new Playground(page).open(site.url);
  const content = directory('m_levels').map(({ name, bytes }) => [name, Uint8Array.from(bytes)]);
  const archive = zipSync(Object.fromEntries(content));
  await drop(page, [{ name: 'levels.zip', bytes: [...archive] }]);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('RocksDB');
  expect(new URL(page.url()).hash).toMatch(/^#directory\/m_levels~\d+$/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Levelscope' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('RocksDB');
});

test('a file that inflates too far is left out by name, and the rest opens', {
  tag: '@slow',
}, async ({ page, site }) => {
  await new Playground(page).open(site.url);
  const content = directory('m_levels').map(({ name, bytes }) => [
    name.replace('m_levels', '._ö (1)'),
    Uint8Array.from(bytes),
  ]);
  const bomb = { '._ö (1)/000052.sst': new Uint8Array(32 << 20) };
  const archive = zipSync({ ...Object.fromEntries(content), ...bomb }, { level: 9 });
  await drop(page, [{ name: 'bomb.zip', bytes: [...archive] }]);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('RocksDB');
  await tab(page, /^Problems/).click();
  await expect(page.getByRole('main')).toContainText(
    /000052\.sst: The file was left out: it would inflate from [\d.]+ KiB to 32\.0 MiB/,
  );
});

test('opening is shown, and can be stopped', async ({ page, site }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rocksdb*.zip', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.goto(`${site.url}#directory/rocksdb`);
  await expect(page.getByRole('status').filter({ hasText: 'Opening rocksdb …' })).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Choose a directory …' })).toBeVisible();
  release();
  await page.unroute('**/rocksdb*.zip');
  await page.getByRole('link', { name: 'RocksDB' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('RocksDB');
});

test('a directory that is dropped opens, and shows its damage', async ({ page, site }) => {
  await new Playground(page).open(site.url);
  await drop(page, directory('d_table_missing'));
  await tab(page, /^Problems/).click();
  await expect(page.getByRole('main')).toContainText(/\d+\.sst/);
  await expect(page.getByRole('main')).toContainText(/the table is missing/);
  // Another directory takes its place.
  await drop(page, directory('p_history'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pebble');
  // One without a manifest opens with all of its tables, and names the missing part.
  const rest = directory('d_current_missing').filter(({ name }) => !/MANIFEST/.test(name));
  await drop(page, [...rest, { name: 'd_current_missing/CURRENT', bytes: [77, 10] }]);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('RocksDB');
  await tab(page, /^Problems/).click();
  await expect(page.getByRole('main')).toContainText(/manifest/i);
});

test('an entry has details, and the address of its block leads into no other directory', async ({
  page,
  site,
}) => {
  await new Playground(page).open(site.url);
  await drop(page, directory('m_levels'));
  const option = (name: RegExp) => page.getByRole('option', { name });
  const heading = page.getByRole('heading', { level: 1 });
  const way = page.getByRole('navigation', { name: 'The way to what is opened' });
  await option(/^table 45 /).dblclick();
  await option(/^block 2,/).dblclick();
  await option(/^user:000106, put, sequence number 659$/).click();
  const part = page.getByRole('region', { name: 'Selected part' });
  await expect(part).toContainText('Sequence659');
  await expect(part).toContainText('000045.sst, data blocks, data block 2');
  expect(await violationsInBoth(page)).toEqual([]);
  const inside = /^#directory\/m_levels~\d+\/inside\/table:45\/block:2$/;
  expect(new URL(page.url()).hash).toMatch(inside);
  await page.getByRole('button', { name: 'Open another …' }).click();
  await drop(page, directory('m_fifo'));
  await expect(heading).toContainText('m_fifo');
  await page.goBack();
  await expect(page.getByRole('status')).toContainText('m_levels is not open.');
  expect(new URL(page.url()).hash).toMatch(inside);
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back to m_fifo' }).click();
  await expect(heading).toContainText('m_fifo');
  await page.goBack();
  await drop(page, directory('m_levels'));
  await expect(way).toContainText('block 2');
});

test('an own database opens as a directory, and as a branch of the playground', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 20 --words --seed 7; flush; run');
  await playground.button('Open …').click();
  const download = page.waitForEvent('download');
  await playground.button('Download database (.zip)').click();
  const archive = [...readFileSync(await (await download).path())];
  const files = directory('l_history').map(({ name, bytes }) => ({
    name: name.replace('l_history/', ''),
    bytes,
  }));
  await drop(page, files);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('LevelDB');
  await drop(page, [{ name: 'mine.zip', bytes: archive }]);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Levelscope');
  await tab(page, /^Files/).click();
  await playground.button('Open the database as a branch').click();
  await expect(page.locator('.lens')).toHaveCount(0);
  await expect(async () => {
    expect((await playground.run('branches')).join(' ')).toContain('import');
  }).toPass();
  // A table beside a file of another program is a file like that one.
  const [table] = files.filter(({ name }) => name.endsWith('.ldb'));
  const notes = { name: 'notes.txt', bytes: [97] };
  await drop(page, [{ name: 'one.ldb', bytes: table?.bytes ?? [] }, notes]);
  await expect(page.getByRole('main')).toContainText('notes.txt');
});

test('a module that does not come is reported, and comes when the server is back', async ({
  page,
  site,
  complaints,
}) => {
  await new Playground(page).open(site.url);
  await page.route('**/levelscope_lens*', (route) => route.abort());
  await page.goto(`${site.url}#directory/pebble`);
  await expect(page.getByRole('alert')).toContainText('did not come');
  complaints.length = 0;
  await page.unroute('**/levelscope_lens*');
  await drop(page, directory('p_history'));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pebble');
});
