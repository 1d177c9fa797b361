// The stage in a lecture hall: nothing is cut, nothing is small, and a clicker alone leads through a class.

import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';
import { cutSentences, outOfTerminal, toLastStop } from './steps';

const PROJECTOR = { width: 1280, height: 720 };

test('no sentence, cause or next step is cut in a thousand steps at 1280 × 720', {
  tag: '@slow',
}, async ({ page, site }) => {
  test.slow();
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 200 --words --seed 7; run; goto 6');
  await playground.run('goto 6');
  await outOfTerminal(page);
  expect(await cutSentences(page, 1000)).toEqual([]);
});

test('a clicker walks, presents and darkens from wherever the focus is', async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7');
  const { narration } = playground;
  for (const focus of ['terminal', 'tab', 'radio'] as const) {
    if (focus === 'terminal') await playground.commandLine.focus();
    if (focus === 'tab') await page.getByRole('tab', { name: 'Stats' }).click();
    if (focus === 'radio')
      await page
        .locator('label')
        .filter({ hasText: /^phase$/ })
        .click();
    const before = (await narration.textContent()) ?? '';
    await page.keyboard.press('PageDown');
    await expect(narration, focus).not.toHaveText(before);
    await playground.idle();
    await page.keyboard.press('PageUp');
    await expect(page.getByText(/Viewing the past/)).toBeVisible();
    await page.keyboard.press('PageDown');
    await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  }
  await page.keyboard.press('F5');
  await expect(page.locator('.app.presented')).toBeVisible();
  await page.keyboard.press('.');
  await expect(page.locator('.curtain')).toBeVisible();
  await page.keyboard.press('.');
  await expect(page.locator('.curtain')).toHaveCount(0);
  await outOfTerminal(page);
  await page.keyboard.press('Escape');
  await expect(page.locator('.app.presented')).toHaveCount(0);
  // A stray letter in the command line does not stop a clicker.
  await playground.commandLine.focus();
  await page.keyboard.type('v');
  await page.keyboard.press('PageUp');
  await expect(page.getByText(/Viewing the past/)).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await page.keyboard.press('Backspace');
  // After Escape from the terminal, keys move time.
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText(/Viewing the past/)).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  // A line that is being typed keeps its keys.
  await playground.commandLine.focus();
  await page.keyboard.type('put a.b 1');
  await expect.poll(() => playground.lastRow()).toBe('lsm> put a.b 1');
  await expect(page.locator('.curtain')).toHaveCount(0);
});

test('the stage has its share, and the sentence in a hall is large', async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7; step 4');
  await outOfTerminal(page);
  const shares = () =>
    page.evaluate(() => {
      const stage = document.querySelector('.page-stage')?.getBoundingClientRect().height ?? 0;
      const sentence = document.querySelector('.sentence');
      const letters = sentence ? Number.parseFloat(getComputedStyle(sentence).fontSize) : 0;
      const zoom = sentence?.currentCSSZoom ?? 1;
      return { stage: stage / window.innerHeight, letters: letters * zoom };
    });
  await page.keyboard.press('t');
  await expect.poll(async () => (await shares()).stage).toBeGreaterThan(0.6);
  await page.keyboard.press('F5');
  await expect.poll(async () => (await shares()).letters).toBeGreaterThanOrEqual(24);
  await expect.poll(async () => (await shares()).stage).toBeGreaterThan(0.6);
});

test('a lookup is walked stop by stop in the tree, and verdicts wait until they are revealed', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 60 --words --seed 7; put apple red; flush; run; put plum blue');
  await playground.run('explain get apple');
  await outOfTerminal(page);
  const marks = page.locator('.plumb circle');
  const reveal = page.getByRole('button', { name: /Is it here/ });
  const head = page.locator('.plumb .head');
  await expect(marks).toHaveCount(1);
  await expect(page.getByRole('listbox', { name: /^Picture of the tree/ })).toBeVisible();
  await page.keyboard.press('v');
  await expect(reveal).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(reveal).toHaveCount(0);
  await expect(marks).toHaveCount(1);
  await page.keyboard.press('PageDown');
  await expect(marks).toHaveCount(2);
  await expect(reveal).toBeVisible();
  // Neither the title nor the tab Read reveals the result.
  const read = page.getByRole('tabpanel', { name: 'Read' });
  await expect(read).toContainText('The next results are covered');
  await expect(read).not.toContainText(/found|\bred\b|has it/);
  await expect(playground.narration).toContainText(/Stop 2 of \d+, .+: is apple here\?/);
  await page.keyboard.press('v');
  await expect(reveal).toHaveCount(0);
  await toLastStop(page);
  await expect(head).toHaveText('apple');
  await expect(page.locator('.plumb .sign-found .tag')).toContainText(/= red · .*found/);
  await expect(playground.narration).toContainText(/get apple\. Stop (\d+) of \1: .*has it/);
  // The asked places are numbered for a screen reader, too.
  await expect(page.getByRole('option', { name: /asked as number 1: not here/ })).toHaveCount(1);
  // A press too many leaves the way without its words, and no work is done.
  const stop = await playground.narration.textContent();
  await page.keyboard.press('PageDown');
  await expect(page.locator('.plumb .tag')).toHaveText(['= red']);
  await expect(head).toHaveText('apple');
  await expect(playground.narration).toContainText('finds "red"');
  await page.keyboard.press('PageUp');
  await expect(page.locator('.plumb .sign-found .tag')).toBeVisible();
  await expect(playground.narration).toHaveText(stop ?? '');
});

test('a table opens in its place, a block in the table, and an entry leads to its bytes', async ({
  page,
  site,
}) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 200 --words --seed 7; run');
  await outOfTerminal(page);
  const stage = page.getByRole('listbox', { name: /^Picture of the tree/ });
  const way = page.getByRole('navigation', { name: 'The way to what is opened' });
  const focused = async () => (await stage.getAttribute('aria-activedescendant')) ?? '';
  const last = way.getByRole('button').last();
  await page.keyboard.press('g');
  for (let press = 0; press < 12 && !/stage-table-\d+$/.test(await focused()); press += 1)
    await page.keyboard.press(press % 2 === 0 ? 'ArrowDown' : 'ArrowRight');
  const table = (await focused()).replace(/\D+/, '');
  await page.keyboard.press('Enter');
  await expect(way.getByRole('button')).toHaveText(['tree', /^L\d$/, `table ${table}`]);
  await expect(stage.getByRole('option', { name: 'index', exact: true })).toBeVisible();
  await expect(stage.getByRole('option', { name: /^filter, \d+ of \d+ bits set$/ })).toBeVisible();
  // The columns have all entries of the table.
  const closed = stage.getByRole('option', { name: `table ${table},` });
  const blocks = stage.getByRole('option', { name: /^block \d+, \d+ entries, \w+ to \w+$/ });
  const counts = await blocks.evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''));
  const sum = counts.reduce((all, label) => all + Number(/, (\d+) entr/.exec(label)?.[1]), 0);
  await expect(closed).toHaveAccessibleName(new RegExp(`, ${sum} entries`));
  expect(await violationsInBoth(page), 'in a table').toEqual([]);

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(last).toHaveText('block 2');
  const entry = stage.getByRole('option', { name: /, put, sequence number \d+$/ }).first();
  await expect(entry).toBeVisible();
  expect(await violationsInBoth(page), 'in a block').toEqual([]);
  expect(new URL(page.url()).hash).toBe(`#inside/table:${table}/block:2`);
  // Time goes on meanwhile, and back.
  await playground.run('put apple red');
  await expect(last).toHaveText('block 2');
  await playground.run('goto 6');
  await expect(way).toHaveCount(0);
  await playground.run('now');
  await expect(last).toHaveText('block 2');

  await outOfTerminal(page);
  await entry.dblclick();
  const bytes = page.getByRole('region', { name: 'Bytes of files' });
  await expect(bytes.getByRole('treeitem', { name: /^entry 1/ }).first()).toBeVisible();
  await page.goBack();
  await expect(bytes).toHaveCount(0);
  await expect(last).toHaveText('block 2');
  await page.keyboard.press('g');
  await page.keyboard.press('Escape');
  await expect(last).toHaveText(`table ${table}`);
  await page.goForward();
  await expect(last).toHaveText('block 2');
  await way.getByRole('button', { name: 'tree' }).click();
  await expect(way).toHaveCount(0);

  // With the pointer: a double click or the wheel, and by the menu.
  await closed.dblclick();
  await expect(way).toBeVisible();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await expect(way).toHaveCount(0);
  await page.keyboard.up('Control');
  await closed.click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Look inside/ }).click();
  await expect(way).toBeVisible();
  // A lookup happens in the tree.
  await playground.run('explain get apple');
  await expect(way).toHaveCount(0);
});

test('after a crash the title names the losses, and Predict keeps them until they are revealed', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(
    'options set wal_sync none; put apple red; sync; put kiwi green; put fig brown',
  );
  await playground.run('crash');
  const losses = /2 acknowledged writes are lost: "kiwi" = "green" and "fig" = "brown"/;
  await expect(playground.narration).toHaveText(losses);
  await outOfTerminal(page);
  await page.keyboard.press('v');
  await expect(playground.narration).toContainText('Which acknowledged writes are lost?');
  const card = page.getByRole('button', { name: /Which acknowledged writes are lost/ });
  await expect(card).toBeVisible();
  await page.keyboard.press('PageDown');
  await expect(card).toHaveCount(0);
  await expect(playground.narration).toHaveText(losses);
  await playground.run('get kiwi');
  await expect(playground.narration).toContainText('The caller gets "kiwi" and finds nothing.');
});

test('Escape leaves one thing at a time, and the presentation last', async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7; run');
  await outOfTerminal(page);
  const presented = page.locator('.app.presented');
  await page.keyboard.press('F5');
  await page.keyboard.press('.');
  await page.keyboard.press('Escape');
  await expect(page.locator('.curtain')).toHaveCount(0);
  await expect(presented).toBeVisible();
  // The answer of a command is put away, and the clicker's keys are back.
  await playground.commandLine.focus();
  await page.keyboard.type('get apple');
  await page.keyboard.press('Enter');
  await expect(page.locator('.terminal-pane.folded')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.terminal-pane.folded')).toBeVisible();
  await expect(presented).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.story.past')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.locator('.story.past')).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toHaveCount(0);
  await expect(presented).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(presented).toHaveCount(0);
});

test('a flush is seen to its end, and a crash needs one key', async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7');
  await outOfTerminal(page);
  await page.keyboard.press('F5');
  const synced = page.getByRole('option', { name: /^table \d+, written, not yet installed/ });
  for (let press = 0; press < 14 && (await synced.count()) === 0; press += 1) {
    // A press is answered a little later: before that the page looks idle, and a press in between would do nothing.
    const before = (await playground.narration.textContent()) ?? '';
    await page.keyboard.press('PageDown');
    await expect(playground.narration).not.toHaveText(before);
    await playground.idle();
  }
  await expect(synced).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: 'Pull the plug' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(playground.narration).toContainText('The power failed');
});

test('bytes in a lecture hall have six rows, and nothing scrolls the page itself', async ({
  page,
  site,
}) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 300 --words --seed 7; run');
  await outOfTerminal(page);
  await page.keyboard.press('F5');
  await page.keyboard.press('b');
  await page.getByRole('option', { name: /\.sst/ }).first().click();
  const bytes = page.getByRole('grid', { name: /^Bytes of/ });
  await bytes.locator('[role=gridcell]').nth(40).click();
  const flip = page.getByRole('button', { name: 'Flip a bit here' });
  await flip.focus();
  await expect(flip).toBeInViewport({ ratio: 1 });
  const seen = await page.evaluate(() => {
    const moved = [...document.querySelectorAll('html, body, #root, .app, .app *')]
      .filter(({ scrollLeft }) => scrollLeft > 0)
      .map(({ className }) => className);
    const grid = document.querySelector('.hex-grid');
    const row = grid?.querySelector('.hex-row')?.getBoundingClientRect().height ?? 1;
    return { moved, rows: (grid?.getBoundingClientRect().height ?? 0) / row };
  });
  expect(seen.moved.filter((name) => !name.includes('file-strip'))).toEqual([]);
  expect(seen.rows).toBeGreaterThanOrEqual(6);
  for (const box of await page.locator('.app, .bytes-view, .bytes-columns > *').all()) {
    const [inner, outer] = await box.evaluate((e) => [e.scrollWidth, e.clientWidth]);
    expect(inner).toBeLessThanOrEqual(outer ?? 0);
  }
});

test('nothing jumps while jobs run', async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 50 --words --seed 7');
  await page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEntry[] & LayoutShift[]) {
        // What a person has just pressed may move things.
        if (entry.hadRecentInput || entry.value < 0.0001) continue;
        for (const { node } of entry.sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // Lists to which something is added grow: the stages of a job, the parts of a table.
          if (!element || element.closest('.inspector')) continue;
          shifts.push(`${entry.value.toFixed(4)} ${element.className} ${node?.textContent}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: false });
  });
  const begun = Date.now();
  await playground.run('play 4');
  await expect(page.getByText('nothing to do')).toBeVisible({ timeout: 60_000 });
  // A press counts as recent for half a second only.
  expect(Date.now() - begun).toBeGreaterThan(2000);
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
});

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

test('a clicker scrolls an experiment and a file, and the database stays at its step', {
  tag: '@slow',
}, async ({ page, site }) => {
  await page.setViewportSize(PROJECTOR);
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 300 --words --seed 7; run');
  await playground.button('Experiments').click();
  const list = page.getByRole('navigation', { name: 'All experiments' });
  await list.getByRole('button', { name: /^L1 / }).click();
  await playground.button('Run experiment').click();
  const shown = page.getByRole('article', { name: /^L1:/ });
  await expect(shown.locator('.drawing svg').first()).toBeVisible();
  await playground.idle();
  await page.keyboard.press('Escape');
  await playground.run('goto 1000');
  await expect(playground.narration).toContainText('Step 1000.');
  await playground.button('Experiments').click();
  await expect(shown).toBeVisible();
  await outOfTerminal(page);
  await page.keyboard.press('F5');
  await expect(page.locator('.app.presented')).toBeVisible();
  await page.keyboard.press('Home');
  const top = () => page.evaluate(() => document.querySelector('[data-pages]')?.scrollTop ?? -1);
  await expect.poll(top).toBe(0);
  const chart = shown.locator('.drawing-host').first();
  await expect(async () => {
    await page.keyboard.press('PageDown');
    await expect(chart).toBeInViewport({ ratio: 0.6, timeout: 200 });
  }).toPass();
  for (const key of ['PageUp', 'ArrowRight', 's', ' ']) await page.keyboard.press(key);
  await page.keyboard.press('End');
  await expect.poll(top).toBeGreaterThan(0);

  await page.keyboard.press('b');
  await expect(page.getByRole('listbox', { name: 'Files' })).toBeVisible();
  await page.keyboard.press('PageDown');
  await page.getByRole('option', { name: /\.sst/ }).first().click();
  await expect(page.locator('.hex-row').nth(8)).toBeVisible();
  await outOfTerminal(page);
  await page.keyboard.press('PageDown');
  await expect.poll(top).toBeGreaterThan(0);
  await page.keyboard.press('F5');
  await expect(playground.narration).toContainText('Step 1000.');
});
