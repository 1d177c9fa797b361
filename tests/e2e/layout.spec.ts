// Layout that a small screen must not cut.

import { expect, test } from './harness';
import { Playground } from './playground';

test('at 1280 × 720 the header shows its chips and the branch in full', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run');
  await playground.run('fork 203');
  await expect(page.locator('.branch-menu select')).toBeVisible();
  const cut = await page.locator('header').evaluate((header) => {
    const canvas = document.createElement('canvas').getContext('2d');
    const tooNarrow = [...header.querySelectorAll<HTMLElement>('.chip, .chip .words')].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
    );
    const select = header.querySelector('select');
    const text = select?.selectedOptions[0]?.text ?? '';
    if (!canvas || !select) return ['there is no branch menu'];
    const style = getComputedStyle(select);
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    // The arrow takes its part.
    const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - 20;
    const texts = tooNarrow.map(({ textContent }) => textContent);
    if (canvas.measureText(text).width > room) texts.push(text);
    if (header.scrollWidth > header.clientWidth) texts.push('the header');
    return texts;
  });
  expect(cut).toEqual([]);
});
