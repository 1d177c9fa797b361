// Two configurations under one cursor, in the real page: every figure and every tree comes from the engine's own events.

import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

const LINE = 'compare leveled tiered { fill 120 --words --seed 7; run }';

test('a typed comparison shows both trees, and one cursor walks through both', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red');
  await playground.run(LINE);
  const view = page.getByRole('region', { name: 'Two configurations' });
  const slider = view.getByRole('slider', { name: 'One cursor for both' });
  const figures = (title: string) =>
    view.getByRole('complementary', { name: `Figures of ${title}` });
  const written = (title: string) => figures(title).locator('dd').first();
  const stage = (index: number) => view.locator('.compare-stage').nth(index);
  await expect(view.getByRole('heading', { name: 'leveled' })).toBeVisible();
  await expect(view.getByRole('heading', { name: 'tiered' })).toBeVisible();
  await expect(view.locator('.compare-stage')).toHaveCount(2);
  await expect(view.locator('.compare-stage.late')).toHaveCount(0);
  await expect(slider).toBeFocused();
  const total = Number(await slider.getAttribute('aria-valuemax'));
  await expect(slider).toHaveAttribute('aria-valuenow', String(total));
  const atEnd = await written('leveled').textContent();
  expect(await stage(0).locator('svg').innerHTML()).not.toBe(
    await stage(1).locator('svg').innerHTML(),
  );

  // The beginning: nothing is written. Then from change to change of the tables.
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
  await expect(view.getByText('Before the first command: both are empty.')).toBeVisible();
  await expect(figures('tiered').getByText('at the end')).toHaveCount(2);
  await page.keyboard.press('ArrowRight');
  await expect(view.getByText('Command 1 of 2')).toBeVisible();
  await expect(view.locator('.compare-picture p').first()).toContainText('step');
  const first = Number(await slider.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowRight');
  expect(Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(first);
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuenow', String(first));

  // The slider is dragged to the end.
  const box = await slider.boundingBox();
  if (!box) throw new Error('the slider is not drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuenow', String(total));
  await expect(written('leveled')).toHaveText(atEnd ?? '');

  // Escape leads back to the database, which is as it was; the word alone shows the comparison again.
  await page.keyboard.press('Escape');
  await expect(view).toHaveCount(0);
  expect((await playground.run('get apple')).at(0)).toBe('red');
  await playground.type('compare');
  await expect(view).toBeVisible();

  // Each side is a branch. A comparison ends with it.
  await view.getByRole('button', { name: 'Go to tiered 2' }).click();
  await expect(view).toHaveCount(0);
  await playground.idle();
  expect((await playground.rows()).join('\n')).toContain('You are on tiered 2');
  await playground.run('branch main; branch --drop tiered 2');
  expect((await playground.run('compare')).join('\n')).toContain('There is no comparison yet');
});

test('texts have 16 pixels, sentences are whole, and axe finds nothing', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run(LINE);
  const view = page.getByRole('region', { name: 'Two configurations' });
  await expect(view.locator('.compare-stage')).toHaveCount(2);
  for (const key of ['End', 'Home', 'ArrowRight']) {
    await page.keyboard.press(key);
    await expect(view.locator('.compare-stage.late')).toHaveCount(0);
    expect(await violationsInBoth(page), key).toEqual([]);
    const small = await view.evaluate((root) => {
      const texts = [...root.querySelectorAll('*')].filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
      );
      const size = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
      const isRead = (element: Element) =>
        !element.closest('.visually-hidden, title') && element.getClientRects().length > 0;
      return texts.filter((element) => isRead(element) && size(element) < 15.9).map(String);
    });
    expect(small, key).toEqual([]);
    // A sentence of two lines keeps its place: it pushes no picture, and none is cut.
    for (const sentence of await view.locator('.compare-picture figcaption').all()) {
      const [inner, outer] = await sentence.evaluate((box) => [box.scrollHeight, box.clientHeight]);
      expect(inner, key).toBeLessThanOrEqual(outer ?? 0);
    }
  }
});

test('in a lecture hall both trees are whole at every change, and Escape first folds the terminal', async ({
  page,
  site,
}) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('compare leveled tiered { fill 300 --words --seed 7; run }');
  const view = page.getByRole('region', { name: 'Two configurations' });
  await expect(view.locator('.compare-stage')).toHaveCount(2);
  const cut = () =>
    view.evaluate((root) => {
      const bottom = (element: Element) => element.getBoundingClientRect().bottom;
      const top = (element: Element) => element.getBoundingClientRect().top;
      const stages = [...root.querySelectorAll('.compare-stage')];
      const outside = stages.flatMap((stage) => {
        const rows = [...stage.querySelectorAll('.level .level-head, .level .table')];
        return rows
          .filter((row) => bottom(row) > bottom(stage) + 1 || top(row) < top(stage) - 1)
          .map((row) => row.getAttribute('aria-label') ?? '');
      });
      const others = '.compare-picture p, .compare-figures, .compare-head';
      const full = [...root.querySelectorAll<HTMLElement>(others)].filter(
        (element) =>
          element.scrollHeight > element.clientHeight + 2 ||
          element.scrollWidth > element.clientWidth + 2,
      );
      return [...outside, ...full.map(({ className, textContent }) => className + textContent)];
    });
  // Beside an open terminal, at the usual scale.
  expect(await cut()).toEqual([]);
  await page.keyboard.press('F5');
  await expect(page.locator('.app.presented')).toBeVisible();
  const slider = view.getByRole('slider', { name: 'One cursor for both' });
  // The page is magnified; the cursor goes to where the pointer is all the same.
  await slider.click();
  const middle = Number(await slider.getAttribute('aria-valuemax')) / 2;
  await expect
    .poll(async () => Math.abs(Number(await slider.getAttribute('aria-valuenow')) - middle))
    .toBeLessThan(2);
  await page.keyboard.press('Home');
  const total = Number(await slider.getAttribute('aria-valuemax'));
  for (let change = 0; change < 60; change += 1) {
    await expect(view.locator('.compare-stage.late')).toHaveCount(0);
    expect(await cut(), `change ${change}`).toEqual([]);
    if (Number(await slider.getAttribute('aria-valuenow')) === total) break;
    await page.keyboard.press('PageDown');
  }
  await expect(slider).toHaveAttribute('aria-valuenow', String(total));
  expect(await view.locator('.compare-stage').first().locator('.level-head').count()).toBe(3);

  await page.keyboard.press('t');
  await expect(page.locator('.terminal-pane.folded')).toHaveCount(0);
  await expect.poll(cut, 'beside an open terminal').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.locator('.terminal-pane.folded')).toHaveCount(1);
  await expect(view).toBeVisible();
  await expect(page.locator('.app.presented')).toBeVisible();
});
