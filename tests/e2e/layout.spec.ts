// Layout that a small screen must not cut.

import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';
import { cutSentences, outOfTerminal } from './steps';

test('at 1280 × 720 the header shows its chips and the branch in full', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run');
  await playground.run('fork 203');
  await expect(page.locator('.branch-menu select')).toBeVisible();
  expect(await cutWords(page)).toEqual([]);
});

test('while writes slow down, the header has room for the sign of it', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run; fill 60 --words --seed 9; flush');
  await playground.run('fork');
  const sign = page.locator('.chip.writes');
  const lessons = page.getByRole('button', { name: 'Lessons' });
  await expect(sign).toBeVisible();
  const place = await lessons.boundingBox();
  await playground.run('branch main; run');
  await expect(sign).toHaveCount(0);
  expect(await lessons.boundingBox()).toEqual(place);
  await playground.run('branch "fork 1"');
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(sign).toContainText(/(Slowdown|Stall)/);
    expect((await sign.boundingBox())?.width).toBeGreaterThan(30);
    expect(await cutWords(page), `${width} pixels`).toEqual([]);
  }
});

/** The words of the header that are cut, and the header itself where it is. */
function cutWords(page: Page): Promise<(string | null)[]> {
  return page.locator('header').evaluate((header) => {
    const canvas = document.createElement('canvas').getContext('2d');
    const tooNarrow = [...header.querySelectorAll<HTMLElement>('.chip, .chip .words')].filter(
      ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
    );
    const select = header.querySelector('select');
    const text = select?.selectedOptions[0]?.text ?? '';
    const texts = tooNarrow.map(({ textContent }) => textContent);
    if (header.scrollWidth > header.clientWidth) texts.push('the header');
    if (!canvas || !select) return texts;
    const style = getComputedStyle(select);
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    // The arrow takes its part.
    const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - 20;
    if (canvas.measureText(text).width > room) texts.push(text);
    return texts;
  });
}

test('every button of the header is in sight, beside the state of writes and branches', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options set maintenance manual; fill 80 --words --seed 7');
  await playground.run('fork');
  for (const width of [1024, 1180, 1280, 1366, 1440, 1600]) {
    await page.setViewportSize({ width, height: 720 });
    const help = page.getByRole('button', { name: 'Help and keys' });
    await expect(help).toBeInViewport({ ratio: 1 });
    const header = page.getByRole('banner');
    expect(await header.evaluate((each) => each.scrollWidth - each.clientWidth), `${width}`).toBe(
      0,
    );
  }
});

test('the time bar is whole beside a lesson, also in a presentation', async ({ page, site }) => {
  await new Playground(page).open(site.url);
  await page.getByRole('button', { name: /^Start lesson 1/ }).click();
  const bar = page.getByRole('toolbar', { name: 'Time' });
  await expect(bar).toBeVisible();
  for (const presented of [false, true]) {
    if (presented) await page.keyboard.press('F5');
    await expect(page.locator('.app.presented')).toHaveCount(presented ? 1 : 0);
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      const [needed, given] = await bar.evaluate((each) => [each.scrollWidth, each.clientWidth]);
      expect(needed, `${width} × ${height}, presented: ${presented}`).toBe(given);
    }
  }
});

const SCREENS = [
  [1024, 768],
  [1280, 720],
  [1366, 768],
  [1440, 900],
  [1680, 1050],
  [1920, 1080],
] as const;

test('in a lecture hall each verdict of a merge is whole, also while a key is followed', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put banana yellow; flush; run');
  await playground.run('put apple green; del banana; put cherry red; flush');
  await playground.run('follow apple; until after compaction.begin');
  await outOfTerminal(page);
  for (const key of ['F5', '3', 'v']) await page.keyboard.press(key);
  const verdict = page.locator('.sweep [class*=verdict-], .stage-question');
  const seen: string[] = [];
  for (let press = 0; press < 12; press += 1) {
    const before = await playground.narration.textContent();
    await page.keyboard.press('PageDown');
    await expect(playground.narration).not.toHaveText(before ?? '');
    await playground.idle();
    for (const each of await verdict.all()) {
      await expect(each).toBeInViewport({ ratio: 1 });
      seen.push((await each.textContent()) ?? '');
    }
  }
  expect(seen.join()).toContain('Keep or drop?');
  expect(seen.join()).toContain('nothing left to hide');
});

test('in a lecture hall an open terminal cuts nothing of the picture', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 500 --words --seed 7; run; options set maintenance manual');
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  const room = page.locator('.stage-room');
  // The last line begins a merge of three tables in L0.
  for (const line of [
    'put apple red',
    'begin; put fig green',
    'commit; fill 60 --words --seed 3',
  ]) {
    await playground.run(line);
    await expect(page.locator('.terminal-pane.folded')).toHaveCount(0);
    const [needed, given] = await room.evaluate((each) => [each.scrollHeight, each.clientHeight]);
    expect(needed, line).toBe(given);
    await expect(room.getByText('zurich')).toBeInViewport({ ratio: 1 });
    await expect(room.getByRole('option', { name: /^L3–L4/ })).toBeInViewport({ ratio: 1 });
  }
  await playground.run('until after compaction.begin');
  for (const each of await room.getByRole('option').all())
    await expect(each).toBeInViewport({ ratio: 0.97 });
});

test('the terminal has six lines on a projector, ten on a laptop', async ({ page, site }) => {
  for (const [width, height, lines] of [
    [1280, 720, 6],
    [1440, 900, 10],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    // The tests choose a height; a visitor has not.
    await page.evaluate(() => localStorage.setItem('levelscope.preferences', '{}'));
    await page.reload();
    await expect(page.locator('.xterm-rows > div')).toHaveCount(lines);
  }
});

test('beside a lesson no sentence, cause or next step is cut', async ({ page, site }) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await page.getByRole('button', { name: /^Start lesson 1/ }).click();
  await playground.run('fill 90 --words --seed 7; run');
  const walk = async (from: number) => {
    await playground.run(`goto ${from}`);
    await outOfTerminal(page);
    expect(await cutSentences(page, 24), JSON.stringify(page.viewportSize())).toEqual([]);
  };
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height });
    await walk(300);
  }
  await page.keyboard.press('F5');
  for (const [width, height] of SCREENS) {
    await page.setViewportSize({ width, height });
    await walk(300);
  }
});
