// Every byte of every file, as the page shows it: the same as the terminal prints.

import type { Page } from '@playwright/test';
import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

const tree = (page: Page) => page.getByRole('tree', { name: 'Parts of the file' });
const grid = (page: Page) => page.getByRole('grid', { name: /^Bytes of/ });
const files = (page: Page) => page.getByRole('listbox', { name: 'Files' });
const data = (page: Page) => page.getByRole('region', { name: 'Data inspector' });

/** Bytes on screen, by offset. */
async function shown(page: Page): Promise<Map<number, string>> {
  const cells = await page
    .locator('[role=gridcell][data-o]')
    .evaluateAll((all) =>
      all.map((cell) => [(cell as HTMLElement).dataset.o, cell.textContent] as const),
    );
  return new Map(cells.map(([offset, text]) => [Number(offset), text ?? '']));
}

async function open(page: Page, playground: Playground, name: RegExp): Promise<void> {
  await playground.button('Files').click();
  await files(page).getByRole('option', { name }).first().click();
  await expect(tree(page).getByRole('treeitem').first()).toBeVisible();
}

test('by pointer: tree, bytes, ribbon and data lead to each other', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 120 --words --seed 7; run');
  await open(page, playground, /\.sst/);
  await expect(grid(page)).toBeVisible();
  await tree(page)
    .getByRole('treeitem', { name: /^data block 2/ })
    .click();
  await expect(page).toHaveURL(/#bytes\/table:\d+\/block:2$/);
  await expect(page.locator('[role=gridcell].pin').first()).toBeVisible();
  await expect(data(page).getByRole('heading', { level: 2 })).toHaveText('data block 2');

  const first = page.locator('[role=gridcell].pin').nth(4);
  await first.hover();
  await expect(first).toHaveClass(/hover/);
  await first.click();
  await expect(page).toHaveURL(/block:2\/.*entry:1\/key:1$/);
  await expect(tree(page).locator('[aria-selected=true]')).toContainText('key suffix');

  const ribbon = page.getByRole('listbox', { name: /^The file .* to scale/ });
  await ribbon.getByRole('option', { name: /^footer/ }).click();
  await expect(page).toHaveURL(/footer:1$/);
  await expect(data(page)).toContainText('footer');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox', { name: /^Picture of the tree/ })).toBeVisible();
  await expect(page).toHaveURL(/#table:\d+\/footer:1$/);
});

test('by keyboard alone, and the address brings everything back', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 60 --words --seed 7; run');
  await playground.commandLine.blur();
  await page.keyboard.press('b');
  await expect(files(page)).toBeVisible();
  await files(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await tree(page).focus();
  await expect(tree(page).getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(tree(page).getByRole('treeitem').first()).toHaveAttribute('aria-expanded', 'true');
  await expect(tree(page).getByRole('treeitem', { name: /^(entry 1|compressed)/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#bytes\/table:\d+\/block:1\/\w+:1$/);
  // The keyboard cursor moves to the pinned part as soon as the engine has answered with its offset.
  await expect(data(page).getByRole('heading', { level: 2 })).toHaveText(/^(entry 1|compressed)/);
  await expect(page.locator('[role=gridcell].pin').first()).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await expect(data(page).getByRole('heading', { level: 2 })).toHaveText('magic');
  await page.keyboard.press('g');
  await page.keyboard.type('0x10');
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'hex-16');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page).toHaveURL(/bytes:\d+-\d+$/);
  const address = page.url();
  await page.reload();
  await playground.ready();
  await expect(grid(page)).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(page.locator('[role=gridcell].pin')).toHaveCount(2);
  await grid(page).focus();
  await page.keyboard.press('Escape');
  await expect(grid(page)).toHaveCount(0);
});

test('the picture shows what layout and hex print, for every file', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set compression none; fill 40 --words --seed 7; run; put last one');
  await playground.button('Files').click();
  await expect(files(page).getByRole('option', { name: /^CURRENT/ })).toBeVisible();
  const names = await files(page)
    .getByRole('option')
    .evaluateAll((all) => all.map((option) => option.querySelector('code')?.textContent ?? ''));
  expect(names).toEqual(expect.arrayContaining(['CURRENT', 'LOCK']));
  expect(names.some((name) => name.endsWith('.sst'))).toBe(true);
  expect(names.some((name) => name.endsWith('.wal'))).toBe(true);
  expect(names.some((name) => name.startsWith('MANIFEST-'))).toBe(true);
  for (const name of names) {
    await files(page)
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .click();
    await expect(page.locator('.bytes-title h2 code')).toHaveText(name);
    const printed = await playground.run(`layout ${name} --limit 3`);
    // `     offset      bytes  part = value`
    const parts = printed.flatMap((row) => {
      const match = /^ *([\d,]+) +([\d,]+) {2}(\S.*?)(?: = .*)?$/.exec(row);
      return match ? [match.slice(1, 4).map((word) => word.replaceAll(',', ''))] : [];
    });
    const items = await tree(page)
      .getByRole('treeitem')
      .evaluateAll((all) => all.slice(0, 3).map((item) => item.getAttribute('aria-label') ?? ''));
    expect(parts.length, name).toBe(name === 'LOCK' ? 0 : items.length);
    for (const [index, [offset, bytes, part]] of parts.entries()) {
      const label = (items[index] ?? '').replaceAll(',', '');
      expect(label.startsWith(part ?? '?'), `${name}: ${label}`).toBe(true);
      expect(label, name).toContain(`${bytes} bytes at ${offset}`);
    }
    if (name === 'LOCK') continue;
    // The terminal is low here: whichever rows it still shows are compared.
    const dump = (await playground.run(`hex ${name} --length 32 -v`)).join('\n');
    const printedBytes = Array.from(
      dump.matchAll(/^([0-9a-f]{8}) {2}((?:[0-9a-f]{2} )+)/gm),
      ([, offset, digits = '']) => ({
        at: Number(`0x${offset}`),
        digits: digits.trim().split(' '),
      }),
    );
    expect(printedBytes.length, name).toBeGreaterThan(0);
    const drawn = await shown(page);
    for (const { at, digits } of printedBytes) {
      expect(
        digits.map((_, index) => drawn.get(at + index)),
        `${name} at ${at}`,
      ).toEqual(digits);
    }
  }
});

test('a large table is shown in windows, and scrolls', async ({ page, site }, info) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options preset default');
  await playground.run('fill 20000 --value-size 200; flush; run');
  await open(page, playground, /\.sst.* MiB$/);
  await expect(grid(page)).toBeVisible();
  const rows = Number(await grid(page).getAttribute('aria-rowcount'));
  expect(rows).toBeGreaterThan(60_000);
  await grid(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await expect(data(page).getByRole('heading', { level: 2 })).toHaveText('magic');
  expect(await page.locator('[role=gridcell]').count()).toBeLessThan(80 * 16);
  expect(await page.getByRole('treeitem').count()).toBeLessThan(120);
  // The wheel, as fast as frames come.
  const gaps = await page.evaluate(async () => {
    const host = document.querySelector('.hex-grid') as HTMLElement;
    host.scrollTop = 0;
    const found: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 120; frame += 1) {
      host.scrollTop += 60;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      found.push(now - last);
      last = now;
    }
    return found.slice(10).sort((left, right) => left - right);
  });
  const p95 = gaps[Math.floor(gaps.length * 0.95)] ?? 0;
  const figures = `${rows} rows; 110 frames of scrolling, p50 ${gaps[55]?.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  info.annotations.push({ type: 'figures', description: figures });
  console.log(`  ${figures}`);
});

test('hostile keys and values are bytes and text, never markup', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set compression none');
  await playground.run(`put "<img src=x onerror=alert(1)>" "</td><script>alert(2)</script>"`);
  await playground.run(String.raw`put "\xe2\x80\xaegnp.exe" "\x1b[2J\x9b31m\xff"`);
  await playground.run('flush; run');
  await open(page, playground, /\.sst/);
  await page.getByLabel(/^Find text/).fill('<img');
  await page.keyboard.press('Enter');
  await expect(page.locator('[role=gridcell].pin')).toHaveCount(4);
  await page.locator('[role=gridcell].pin').first().click();
  await expect(data(page)).toContainText('<img src=x onerror=alert(1)>');
  await playground.button('As table').click();
  await expect(page.getByRole('region', { name: 'Fields, one a row' })).toContainText('<img src=x');
  expect(await page.locator('img, .bytes-view script').count()).toBe(0);
  const text = await page.locator('body').innerText();
  for (const hidden of ['\u202e', '\u001b', '\u009b']) expect(text).not.toContain(hidden);
});

test('no accessibility violations among bytes', { tag: '@slow' }, async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 120 --words --seed 7; run');
  await playground.button('Files').click();
  await expect(page.getByText(/Choose one to see its bytes/)).toBeVisible();
  expect(await violationsInBoth(page), 'files').toEqual([]);
  for (const name of [/\.sst/, /^LOCK/]) {
    await files(page).getByRole('option', { name }).first().click();
    await expect(page.locator('.byte-status')).toBeVisible();
    const first = tree(page).getByRole('treeitem').first();
    if (String(name) !== '/^LOCK/') {
      await first.click();
      await tree(page).focus();
      await page.keyboard.press('ArrowRight');
    }
    expect(await violationsInBoth(page), String(name)).toEqual([]);
  }
  await files(page).getByRole('option', { name: /\.sst/ }).first().click();
  await playground.button('As table').click();
  await expect(page.getByRole('region', { name: 'Fields, one a row' })).toBeVisible();
  expect(await violationsInBoth(page), 'as table').toEqual([]);
});

test('in the past, the bytes are those of the past', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red');
  await playground.run('put pear green');
  await open(page, playground, /\.wal/);
  const records = page.getByRole('treeitem', { name: /^record/ });
  await expect(records).toHaveCount(2);
  await expect(tree(page)).toContainText('sequence numbers 2 to 2');
  // Back, until the second write has not happened yet.
  await playground.run('back 1');
  for (let steps = 0; steps < 12 && (await records.count()) === 2; steps += 1) {
    await playground.run('back 1');
    await page.waitForTimeout(500);
  }
  await expect(records).toHaveCount(1);
  await expect(tree(page)).not.toContainText('sequence numbers 2 to 2');
  await expect(page.locator('[role=gridcell][data-o="0"]')).toHaveText('6c');
});

test('a bit that is flipped in the hex view is caught by its checksum', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set compression none');
  await playground.run('fill 40 --words --seed 7; run');
  await open(page, playground, /\.sst/);
  await tree(page)
    .getByRole('treeitem', { name: /^data block 1/ })
    .click();
  await data(page).getByRole('button', { name: 'Flip a bit here' }).click();
  await playground.idle();
  await expect
    .poll(async () => (await playground.rows()).join('\n'))
    .toMatch(/corrupt table:\d+ 0 1/);
  await expect(page.locator('[role=gridcell][data-o="0"]')).toHaveText('01');
  const block = tree(page).getByRole('treeitem', { name: /^data block 1/ });
  await tree(page).focus();
  if ((await block.getAttribute('aria-expanded')) === 'false')
    await page.keyboard.press('ArrowRight');
  const address = page.url().replace(/block:1.*$/, 'block:1/trailer:1/checksum:1');
  await page.evaluate((url) => window.location.assign(url), address);
  await expect(data(page)).toContainText('does not match');
});
