// Layout that a small screen must not cut.

import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';

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
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(sign).toContainText(/(Slowdown|Stall)/);
    expect((await sign.boundingBox())?.width).toBeGreaterThan(30);
    expect(await cutWords(page), `${width} pixels`).toEqual([]);
  }
});

test('with the levels pinned, nothing lies on the picture', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('put a 1; begin; put b 2; put c 3 --in none; rotate; step phase 2');
  await playground.commandLine.blur();
  await page.keyboard.press('l');
  await expect(playground.button(/^Levels pinned/)).toBeVisible();
  const isSeen = (body: SVGElement) => {
    const { right, top } = body.getBoundingClientRect();
    return document.elementFromPoint(right - 4, top + 4)?.closest('svg') !== null;
  };
  expect(await page.locator('.transaction-body').first().evaluate(isSeen)).toBe(true);
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
