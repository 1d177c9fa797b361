// The pictures of the inspector, by keyboard and by pointer: what they show is what the commands print.

import type { Locator, Page } from '@playwright/test';
import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground, tall } from './playground';
import { outOfTerminal, untilPicked } from './steps';

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });
const panel = (page: Page, name: string): Locator => page.getByRole('tabpanel', { name });
const picture = (page: Page): Locator =>
  page.getByRole('listbox', { name: /^Picture of the tree/ });

/** Texts of the cells of a table, row by row. */
async function cells(table: Locator): Promise<string[][]> {
  return table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      (rows as HTMLTableRowElement[]).map((row) =>
        [...row.cells].map((cell) => cell.innerText.replaceAll(/(?<=\d),(?=\d{3})/g, '').trim()),
      ),
    );
}

/** The words of a line of the terminal, which sets columns apart by spaces. */
const words = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');

test('a lookup: bits, comparisons and entries are those that explain prints', async ({
  page,
  site,
}) => {
  await tall(page);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 150 --words --seed 7; put apple red; flush; run');
  const lines = await playground.run('explain get apple --detail');
  const read = panel(page, 'Read');
  await expect(read.getByRole('heading', { level: 2 })).toHaveText('get apple found');
  const cost = lines.find((line) => /comparisons?; /.test(line)) ?? '';
  const [comparisons, blocks, cached, range, filter] = cost.match(/\d+/g) ?? [];
  expect(cached).toBe('0');
  await expect(read).toContainText(`${comparisons} key comparisons, ${blocks} block read;`);
  await expect(read).toContainText(
    new RegExp(`skipped: ${range} tables? by key range, ${filter} by`),
  );
  await expect(read.locator('.stops > li').last()).toContainText('has it');
  await opened(read);
  const tables = read.getByRole('table');
  const bits = await cells(tables.filter({ hasText: 'probe' }).first());
  const printed = lines.flatMap((line) => line.match(/^\s+bit (\d+)\b/)?.[1] ?? []);
  expect(printed.length).toBeGreaterThan(3);
  expect(bits.map(([, bit]) => bit)).toEqual(printed);
  expect(bits.every(([, , , set]) => set === 'yes')).toBe(true);
  const searched: string[] = [];
  for (const table of await tables.filter({ hasText: 'is before' }).all()) {
    for (const [low, middle, high, key, isBefore] of await cells(table)) {
      const not = isBefore?.startsWith('no') ? 'not ' : '';
      searched.push(`low ${low}, middle ${middle}, high ${high}: ${key} is ${not}before`);
    }
  }
  const turns = lines.flatMap((line) => line.match(/low \d+, middle .*before/)?.[0] ?? []);
  expect(turns.length).toBeGreaterThan(2);
  expect(searched).toEqual(turns);
  const walked = await cells(tables.filter({ hasText: 'entries walked over' }).last());
  const entries = lines.flatMap((line) => {
    const found = words(line).match(
      /^entry at (\d+) (\S+) shares (\d+) bytes?, sequence number (\d+): (.+)$/,
    );
    return found ? [[found[1], found[2], `${found[3]} B`, found[4], found[5]]] : [];
  });
  expect(entries.length).toBeGreaterThan(0);
  expect(walked).toEqual(entries);
  // A stop leads to its object.
  await read
    .getByRole('button', { name: /^L\d+ table \d+$/ })
    .last()
    .click();
  await expect(picture(page).getByRole('option', { selected: true })).toHaveCount(1);
});

/** Opens the details of every stop. */
async function opened(read: Locator): Promise<void> {
  await read.locator('details').evaluateAll((all) => {
    for (const each of all as HTMLDetailsElement[]) each.open = true;
  });
}

test('a memtable opens into the leaf nodes and the entries that mem prints', async ({
  page,
  site,
}) => {
  await tall(page);
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set memtable_bytes 16384');
  await playground.run('fill 90 --words --seed 7; put apple red; put apple green; del apple');
  const memtable = picture(page).getByRole('option', { name: /^memtable/ });
  await memtable.dblclick();
  const way = page.getByRole('navigation', { name: 'The way to what is opened' });
  await expect(way.getByRole('button')).toHaveText(['tree', /^memtable \d+$/]);
  const number = (await way.getByRole('button').last().textContent())?.match(/\d+/)?.[0];
  const leaves = picture(page).getByRole('option', { name: /^leaf \d+, / });
  const drawn = await leaves.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel ?? ''));
  const lines = (await playground.run(`mem ${number} --path apple`)).map(words);
  const printed = lines.flatMap(
    (line) => /leaf (\d+) +(\d+) keys? from/.exec(line)?.slice(1) ?? [],
  );
  expect(drawn.flatMap((label) => /^leaf (\d+), (\d+) /.exec(label)?.slice(1) ?? [])).toEqual(
    printed,
  );
  expect(printed.length).toBeGreaterThan(2);
  expect(await violationsInBoth(page), 'in a memtable').toEqual([]);
  await leaves.first().dblclick();
  await expect(way.getByRole('button').last()).toHaveText(/^leaf \d+$/);
  const entries = picture(page).getByRole('option', { name: /, sequence number / });
  const shown = await entries.evaluateAll((all) =>
    all.map(({ ariaLabel }) => /^(\S+),.* sequence number (\d+)/.exec(ariaLabel ?? '')?.slice(1)),
  );
  const stored = lines.flatMap((line) => {
    const found = /^\W*(\S+) sequence (\d+), (?:\d+ bytes?|tombstone)/.exec(line);
    return found ? [found.slice(1)] : [];
  });
  expect(stored.length).toBeGreaterThan(10);
  expect(shown.slice(0, stored.length)).toEqual(stored);
  await entries.first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /^Explain how it is found/ })).toBeVisible();
  await page.keyboard.press('Escape');
  // Its bytes are those of its record in the log.
  await outOfTerminal(page);
  await entries.first().dblclick();
  const bytes = page.getByRole('region', { name: 'Bytes of files' });
  await expect(bytes.getByRole('treeitem', { name: /^record \d+/ }).first()).toBeVisible();
});

test('a log opens into its records, parted by their safety', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(
    'put apple red; sync; begin; put fig blue; put kiwi green; commit --sync off',
  );
  const log = picture(page).getByRole('option', { name: /^WAL/ });
  const selected = panel(page, 'Selected');
  await log.click();
  await expect(selected).toContainText('2, 1 of them synced');
  await expect(selected).toContainText('A crash of the machine now could lose the last 1 record.');
  await playground.run('sync');
  await expect(selected).toContainText('Everything in it survives a crash.');
  await log.dblclick();
  const records = picture(page).getByRole('option', { name: /, sequence number / });
  await expect(records).toHaveCount(2);
  await expect(records.last()).toHaveAccessibleName(/^fig, kiwi, batch of 2, sequence number 2/);
  expect(await violationsInBoth(page), 'in a log').toEqual([]);
  await outOfTerminal(page);
  await records.last().dblclick();
  const bytes = page.getByRole('region', { name: 'Bytes of files' });
  await expect(bytes.getByRole('treeitem', { name: /^record 2/ }).first()).toBeVisible();
});

test('charts and figures are those of stats, at every step that is looked at', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  const figures = async () => {
    const lines = await playground.run('stats');
    return ['write', 'read', 'space'].map(
      (name) =>
        lines
          .map(words)
          .find((line) => line.startsWith(`${name} ampl`))
          ?.split(' ')[2],
    );
  };
  await tall(page);
  await playground.run('fill 60 --words --seed 7; run; get apple');
  const early = await figures();
  const step = await page.getByLabel('Go to step').inputValue();
  await playground.run('fill 90 --words --seed 9; run; get pear');
  await tab(page, 'Charts').click();
  const charts = panel(page, 'Charts');
  const now = async () => (await charts.locator('.now').allTextContents()).slice(0, 3);
  const latest = await figures();
  await expect.poll(now).toEqual(latest);
  await charts.getByRole('button', { name: 'As table' }).click();
  expect((await cells(charts.getByRole('table')))[0]?.slice(1, 4)).toEqual(await figures());
  await charts.getByRole('button', { name: 'As picture' }).click();
  await page.getByLabel('Go to step').fill(step);
  await page.keyboard.press('Enter');
  await expect.poll(now).toEqual(early);
  await tab(page, 'Stats').click();
  await expect(page.locator('.amplification .figure')).toHaveText(early.map(String));
});

for (const { name, begins, left } of [
  { name: 'before the manifest is written', begins: 'manifest.append', left: 'before' },
  { name: 'after the manifest is written, before its sync', begins: 'manifest.append', left: 'at' },
  { name: 'before a flush is installed', begins: 'flush.install', left: 'before' },
  { name: 'before the log is synced', begins: 'wal.sync', left: 'before' },
] as const) {
  test(`a power failure ${name} loses nothing that was acknowledged as durable`, async ({
    page,
    site,
  }) => {
    await tall(page);
    const playground = await new Playground(page).open(site.url);
    await playground.run('fill 20 --words --seed 7; put apple red --sync on; flush');
    await outOfTerminal(page);
    await playground.button('Crash').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Pull the plug' });
    await dialog.getByLabel('When').selectOption({ label: name });
    await expect(dialog).toContainText('waits for it: step, or run');
    await dialog.getByRole('button', { name: 'Pull the plug' }).click();
    await playground.idle();
    // Nothing has happened yet: it waits for its moment.
    await expect(playground.button(/Break 1/)).toBeVisible();
    const lines = await playground.run('put nectarine green --sync on; run');
    const struck = lines.find((line) => line.startsWith('Crash point 1')) ?? lines.join('\n');
    expect(struck).toMatch(new RegExp(`^Crash point 1, ${left} step`));
    await expect(page.getByLabel('branch')).toHaveValue('1');
    await expect(page.getByText(/Not saved/).first()).toBeVisible();
    expect(await playground.run('get apple')).toEqual(['red']);
    // The write whose sync the power failure forestalled was never acknowledged.
    const pear = (await playground.run('get nectarine')).join(' ');
    if (begins === 'wal.sync') expect(pear).toMatch(/not found/);
    else expect(pear).toBe('green');
    expect((await playground.run('check')).join(' ')).toMatch(
      /no (errors|damage)|0 errors|is sound|fine/i,
    );
  });
}

test('breakpoints by tick boxes: by keyboard, each can be set, strikes, and goes away', {
  tag: '@slow',
}, async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  const dialog = page.getByRole('dialog', { name: /Breakpoints/ });
  const boxes = dialog.getByRole('checkbox');
  await playground.button(/Break/).focus();
  await page.keyboard.press('Enter');
  const count = await boxes.count();
  expect(count).toBeGreaterThan(6);
  for (let box = 0; box < count; box += 1) {
    await boxes.nth(box).focus();
    await page.keyboard.press('Space');
    await expect(boxes.nth(box)).toBeChecked();
  }
  await page.keyboard.press('Escape');
  await expect(playground.button(new RegExp(`Break ${count}`))).toBeVisible();
  for (let strike = 0; strike < 4; strike += 1) {
    await playground.run('now');
    await playground.run(`fill 60 --words --seed ${7 + strike}; run`);
    // At an entry of a merge under way there is no past to look at: the sentence is the news.
    await expect(page.locator('.narration [role="status"]')).toHaveText(/^Breakpoint\./);
  }
  await playground.run('now');
  await playground.button(/Break \d/).click();
  await expect(dialog.getByText(/· \d+×/).first()).toBeVisible();
  for (let box = 0; box < count; box += 1) {
    await boxes.nth(box).click();
    await expect(boxes.nth(box)).not.toBeChecked();
  }
  await page.keyboard.press('Escape');
  await playground.idle();
  await playground.run('run');
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await expect(page.getByText('nothing to do')).toBeVisible();
});

test('a byte that is broken in the hex view is found by check and by the lookup that needs it', async ({
  page,
  site,
}) => {
  await tall(page);
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set compression none');
  await playground.run('fill 4 --words --seed 7; put apple red; flush; run');
  // No lookup before: it would leave the block in the cache.
  const table = (await playground.run('files')).join('\n').match(/(\d{6})\.sst/)?.[1];
  await picture(page)
    .getByRole('option', { name: new RegExp(`^table ${Number(table)},`) })
    .click();
  await outOfTerminal(page);
  await page.keyboard.press('b');
  const tree = page.getByRole('tree', { name: 'Parts of the file' });
  const grid = page.getByRole('grid', { name: /^Bytes of/ });
  await tree
    .getByRole('treeitem', { name: /^data block/ })
    .first()
    .click();
  await expect(grid).toBeVisible();
  await page.getByRole('button', { name: 'Flip a bit here' }).click();
  await playground.idle();
  const check = (await playground.run('check')).join('\n');
  expect(check).toContain(`${table}.sst`);
  expect(check).toMatch(/checksum/);
  expect((await playground.run('get apple')).join('\n')).toMatch(/checksum/);
});

test('no accessibility violations in the pictures', { tag: '@slow' }, async ({ page, site }) => {
  test.slow();
  const playground = await new Playground(page).open(site.url);
  await untilPicked(page, playground);
  expect(await violationsInBoth(page), 'a job').toEqual([]);
  await playground.run('step phase 2; step entry 6');
  await expect(page.locator('.sweep')).toBeVisible();
  expect(await violationsInBoth(page), 'a merge').toEqual([]);
  await playground.run('run; put apple red; put apple green; explain get apple --detail');
  const read = panel(page, 'Read');
  await expect(read).toBeVisible();
  expect(await violationsInBoth(page), 'a lookup').toEqual([]);
  await opened(read);
  expect(await violationsInBoth(page), 'the details of a lookup').toEqual([]);
  await tab(page, 'Stats').click();
  await expect(page.locator('.amplification')).toBeVisible();
  expect(await violationsInBoth(page), 'figures').toEqual([]);
  await tab(page, 'Charts').click();
  await page.getByRole('button', { name: 'As table' }).last().click();
  expect(await violationsInBoth(page), 'charts as table').toEqual([]);
});
