// The page from a visitor's view.

import { readFileSync } from 'node:fs';
import { expect, limitQuota, test } from './harness';
import { Playground } from './playground';

test('the first visit shows an empty database, and loads nothing from elsewhere', async ({
  page,
  site,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const playground = await new Playground(page).open(site.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Levelscope');
  await expect(page.getByRole('listbox', { name: /^Picture of the tree/ })).toBeVisible();
  expect((await playground.rows()).join('\n')).toContain('real LSM-tree');
  const foreign = addresses.filter(
    (address) => !address.startsWith(site.url) && !address.startsWith('blob:'),
  );
  expect(foreign).toEqual([]);
});

test('the page forbids scripts from elsewhere and has none inline', async ({ page, site }) => {
  await page.goto(site.url);
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute('content');
  expect(policy).toContain("script-src 'self';");
  const html = readFileSync(new URL('../../dist/index.html', import.meta.url), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(html).not.toMatch(/(src|href)="\//);
});

test('the fonts of the page come late, and nothing moves', async ({ page, site }) => {
  await page.route(/woff2$/, async (route) => {
    await page.waitForTimeout(1500);
    await route.continue();
  });
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        // The side panel has words as soon as the engine reports its first steps.
        const isInside = entry.sources.every(({ node }) =>
          node?.parentElement?.closest('.inspector'),
        );
        if (!isInside) moved.sum += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await new Playground(page).open(site.url);
  await page.evaluate(() => document.fonts.ready);
  const loaded = () =>
    page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length);
  await expect.poll(loaded).toBeGreaterThanOrEqual(2);
  const moved = () =>
    page.evaluate(() => (window as unknown as { moved: { sum: number } }).moved.sum);
  expect(await moved()).toBeLessThan(0.001);
});

interface LayoutShift {
  value: number;
  sources: { node: Node | null }[];
}

test('put, get, scan and del', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put pear green; put plum blue');
  expect(await playground.run('get pear')).toEqual(['green']);
  expect(await playground.run('del pear')).toHaveLength(1);
  const rows = await playground.run('scan');
  expect(rows.slice(0, 2)).toEqual(['apple = red', 'plum = blue']);
  expect((await playground.run('get pear')).join(' ')).toMatch(
    /^pear: deleted \(tombstone with sequence number \d+\)$/,
  );
  expect((await playground.run('pit pear')).join(' ')).toContain('did you mean put');
});

test('a flush and a compaction, step by step', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7');
  const sentences: string[] = [];
  const levelsOf = async () =>
    (await playground.run('lsm')).filter((row) => /^L\d/.test(row)).join('\n');
  const stepUntil = async (done: () => Promise<boolean>) => {
    for (let step = 0; step < 200; step += 1) {
      if (await done()) return;
      const before = (await playground.narration.textContent()) ?? '';
      await playground.button(/Step$/).click();
      await playground.idle();
      // The page shows a step with its next picture.
      await expect(playground.narration).not.toHaveText(before);
      sentences.push((await playground.narration.textContent()) ?? '');
    }
    throw new Error(`200 steps did not lead there:\n${sentences.join('\n')}`);
  };
  const seen = (pattern: RegExp) => async () =>
    sentences.some((sentence) => pattern.test(sentence));

  await stepUntil(seen(/block/i));
  await stepUntil(seen(/filter/i));
  await stepUntil(seen(/footer/i));
  await stepUntil(seen(/manifest/i));
  await stepUntil(seen(/installed table/i));
  expect(await levelsOf()).toMatch(/L0 +\d+ table/);

  await playground.run('fill 60 --words --seed 8');
  sentences.length = 0;
  await stepUntil(seen(/compaction/i));
  await playground.run('run');
  expect(await levelsOf()).toMatch(/L1 +\d+ table/);
  // Each step has a sentence of its own.
  expect(new Set(sentences).size).toBeGreaterThan(3);
  for (const sentence of sentences) expect(sentence).toMatch(/Step [\d,]+\. [A-Z].*\.$/);
});

test('Play does the work by itself and Pause holds it', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 200 --words --seed 3; flush');
  await playground.button(/Play$/).click();
  await expect(playground.button(/Pause$/)).toBeVisible();
  await playground.run('play max');
  await expect(page.getByText('nothing to do')).toBeVisible({ timeout: 60_000 });
  await playground.button(/Pause$/).click();
  await expect(playground.button(/Play$/)).toBeVisible();
  expect((await playground.run('check')).join(' ')).toContain('no damage');
});

test('a reload keeps everything', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 100 --words --seed 7; put apple red; flush; step phase 4');
  const before = await playground.run('scan --limit 8');
  await page.reload();
  await playground.ready();
  expect(await playground.run('scan --limit 8')).toEqual(before);
  expect(await playground.run('get apple')).toEqual(['red']);
  expect((await playground.run('check')).join(' ')).toContain('no damage');
});

test('a second tab names the owner of the database and can take it over', async ({
  browserOnDisk,
  page,
  site,
}) => {
  const first = await new Playground(page).open(site.url);
  await first.run('put apple red; fork; put fig green');
  const other = await browserOnDisk.context.newPage();
  await other.goto(site.url);
  const notice = other.getByRole('alertdialog', { name: /Another tab owns/ });
  await expect(notice).toContainText('History and branches come along');
  await notice.getByRole('button', { name: 'Take over' }).click();
  const second = new Playground(other);
  await second.ready();
  expect(await second.run('get apple')).toEqual(['red']);
  // The branch on which the first tab was closed goes on.
  await second.run('branch 1');
  expect(await second.run('get fig')).toEqual(['green']);
  await expect(second.narration).toContainText(/^Step \d+\. [A-Z]/);
  await second.run('branch main; put pear green');
  await expect(page.getByRole('alertdialog', { name: /taken over/ })).toBeVisible();

  await page.getByRole('button', { name: 'Take the database back' }).click();
  await first.ready();
  expect(await first.run('get pear')).toEqual(['green']);
});

test('where files are denied, the page shows all the time that nothing is saved', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.deniedUrl, 'not saved');
  await playground.run('put apple red');
  expect(await playground.run('get apple')).toEqual(['red']);
  await expect(page.getByText(/Not saved: memory only/)).toBeVisible();
});

test('keys and values that are markup or control sequences stay text', async ({ page, site }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const playground = await new Playground(page).open(site.url);
  const markup = '<img src=x onerror=alert(1)>';
  await playground.run(`put "${markup}" "<script>alert(2)</script>"`);
  await playground.run(
    String.raw`put "\x1b[2J\x1b]0;owned\x07" "\x1b]8;;https://example.org\x1b\\link"`,
  );
  await playground.run(String.raw`put "1\xe2\x80\xaegnp.exe" "\x9b31m\x00\xff"`);
  const rows = (await playground.run('scan')).join('\n');
  expect(rows).toContain(markup);
  expect(rows).toContain('\\x1b[2J');
  expect(rows).not.toContain('\u202e');
  await playground.run('flush; run');
  await playground.button('As table').click();
  await expect(page.getByRole('table').first()).toBeVisible();
  await page
    .getByRole('button', { name: /^table \d+/ })
    .first()
    .click();
  await expect(page.locator('body')).toContainText('<img src=x');
  expect(await page.locator('img[src="x"], script:not([src])').count()).toBe(0);
  expect(await page.locator('a[href*="example.org"]').count()).toBe(0);
  expect(await page.title()).toContain('Levelscope');
  expect(await page.locator('body').innerText()).not.toContain('\u202e');
  expect(dialogs).toEqual([]);
});

test('a pasted script runs line by line, after a question', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await page.evaluate(() => navigator.clipboard.writeText('put a 1\nput b 2\nscan\n'));
  await playground.commandLine.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => playground.lastRow()).toContain('3 pasted commands');
  await page.keyboard.type('y');
  await page.keyboard.press('Enter');
  // The prompt comes back between two of the pasted lines too: the output of the last one proves that all were run.
  await expect.poll(async () => (await playground.rows()).join('\n')).toContain('b = 2');
  await playground.idle();
});

test('a full disk is announced, reads go on, and reloading after making room goes on writing', async ({
  complaints,
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options preset default');
  await playground.run('put before safe');
  await limitQuota(page, site.origin, 6 << 20);
  const printed = await playground.run('fill 100000 --value-size 1000');
  expect(printed.join(' ')).toMatch(/space|full|quota/i);
  await expect(page.getByRole('alert')).toContainText('Read-only');
  expect(await playground.run('get before')).toEqual(['safe']);
  expect((await playground.run('put after refused')).join(' ')).toMatch(/read-only/i);

  await limitQuota(page, site.origin, 1 << 30);
  await page.reload();
  await playground.ready();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await playground.run('get before')).toEqual(['safe']);
  await playground.run('put after welcome');
  expect(await playground.run('get after')).toEqual(['welcome']);
  expect((await playground.run('check')).join(' ')).toContain('no damage');
  complaints.length = 0;
});
