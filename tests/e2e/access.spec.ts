// Accessibility: keyboard only, screen readers, small windows, a busy engine.

import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

test('axe finds what is wrong on a page, in a frame and in the dark', async ({ page, site }) => {
  await page.goto(`${site.url}rig.html`);
  await page.setContent(`<html lang="en"><title>wrong</title><main><h1>wrong</h1>
    <style>@media (prefers-color-scheme: dark) { p { color: #222; background: #000 } }</style>
    <p>dark</p><button></button><iframe title="inner" srcdoc="<img src='data:,'>"></iframe></main>`);
  const found = await violationsInBoth(page);
  const rules = found.map((line) => line.split(/: [A-Z]/)[0]);
  expect(rules).toEqual(
    expect.arrayContaining(['button-name', 'image-alt', 'dark: color-contrast']),
  );
  expect(rules).not.toContain('color-contrast');
});

test('no accessibility violations', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  expect(await violationsInBoth(page), 'empty').toEqual([]);
  await playground.run(
    'fill 300 --words --seed 7; run; fill 20 --words --seed 8; flush; step phase 3',
  );
  expect(await violationsInBoth(page), 'with tables and a job').toEqual([]);
  await playground.button('As table').click();
  expect(await violationsInBoth(page), 'as table').toEqual([]);
  await page
    .getByRole('button', { name: /^table \d+/ })
    .first()
    .click();
  expect(await violationsInBoth(page), 'with a selected table').toEqual([]);
  await playground.button('Help and keys').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violationsInBoth(page), 'with help').toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await playground.button(/^preset/).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violationsInBoth(page), 'with options').toEqual([]);
});

test('everything works from the keyboard alone', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.commandLine.blur();
  await page.keyboard.press('/');
  await expect(playground.commandLine).toBeFocused();
  await page.keyboard.type('fill 60 --words --seed 7');
  await page.keyboard.press('Enter');
  await playground.idle();
  await page.keyboard.type('flu');
  await page.keyboard.press('Tab');
  await expect.poll(() => playground.lastRow()).toBe('lsm> flush');
  await page.keyboard.press('Enter');
  await playground.idle();

  await page.keyboard.press('Escape');
  await expect(playground.commandLine).not.toBeFocused();
  const before = await playground.narration.textContent();
  await page.keyboard.press('s');
  await expect(playground.narration).not.toHaveText(before ?? '');
  await playground.idle();

  await page.keyboard.press('g');
  const stage = page.getByRole('listbox', { name: /^Picture of the tree/ });
  await expect(stage).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(stage).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Space');
  await expect(stage.getByRole('option', { selected: true })).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(stage.getByRole('option', { selected: true })).toHaveCount(0);

  // Tab and Shift+Tab alone reach everything, and leave the terminal again: Escape leads from it to the picture.
  const reached = new Set<string>();
  const walk = async (key: string, presses: number) => {
    for (let press = 0; press < presses; press += 1) {
      await page.keyboard.press(key);
      const name = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
      });
      reached.add(name.trim());
      if (/^Command line/.test(name)) await page.keyboard.press('Escape');
    }
  };
  await walk('Tab', 30);
  await stage.focus();
  await walk('Shift+Tab', 10);
  await walk('Tab', 10);
  const wanted = [
    /Step$/,
    /Play$/,
    /As table/,
    /^Command line/,
    /^Picture of the tree/,
    /Help and keys/,
  ];
  for (const pattern of wanted) {
    expect(
      [...reached].some((name) => pattern.test(name)),
      `${pattern} by Tab`,
    ).toBe(true);
  }
});

test('a phone shows everything without scrolling sideways', async ({ page, site }) => {
  await page.goto(site.url);
  await expect(page.getByText(/Saved in this browser/).first()).toBeVisible();
  // The last one is a window of 1280 × 1024 at 400 %.
  for (const [width, height] of [
    [390, 844],
    [360, 740],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    const shown = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(shown).toBeLessThanOrEqual(width);
  }
  // There it scrolls down to the sheet.
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await expect(page.getByRole('textbox', { name: 'Command line' })).toBeVisible();
});

test('a long fill leaves the page alive, and Stop stops it', async ({ page, site }, info) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('options preset default');
  await page.evaluate(() => {
    const watch = { gaps: [] as number[], last: performance.now() };
    Object.assign(window, { watch });
    const frame = () => {
      const now = performance.now();
      watch.gaps.push(now - watch.last);
      watch.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await playground.type('fill 10000000');
  const stop = playground.button(/Stop$/);
  await expect(stop).toBeVisible();
  // Frames come while the engine works, and the work goes on meanwhile.
  const frames = () =>
    page.evaluate(() => (window as unknown as { watch: { gaps: number[] } }).watch.gaps.length);
  await expect.poll(frames).toBeGreaterThan(60);
  const waited = await stop.evaluate(async (button) => {
    const start = performance.now();
    (button as HTMLButtonElement).click();
    const alive = () =>
      [...document.querySelectorAll('button')].some((each) => /Stop$/.test(each.textContent ?? ''));
    while (alive()) await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - start;
  });
  const gaps = await page.evaluate(
    () => (window as unknown as { watch: { gaps: number[] } }).watch.gaps,
  );
  const worst = Math.max(...gaps);
  const slow = gaps.filter((gap) => gap > 100).length;
  const figures = `Stop after ${waited.toFixed(0)} ms; ${gaps.length} frames, ${slow} over 100 ms, the worst ${worst.toFixed(0)} ms`;
  info.annotations.push({ type: 'figures', description: figures });
  console.log(`  ${figures}`);
  await playground.idle();
  const printed = (await playground.rows()).join(' ');
  expect(printed).toMatch(/fill was stopped; [\d,]{1,9} of 10,000,000 pairs were written/);
  await playground.run('fill 20000');
  expect((await playground.run('check')).join(' ')).toContain('no damage');
});

test('Down enters the picture after the terminal, and Enter opens what was clicked', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 90 --words --seed 7; run');
  await playground.commandLine.focus();
  for (const key of ['Escape', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  const stage = page.locator('#stage');
  await expect(stage).toHaveAttribute('aria-activedescendant', /^stage-/);
  const table = stage.getByRole('option', { name: /^table \d+, / }).last();
  const [, number] = (await table.getAttribute('aria-label'))?.match(/^table (\d+)/) ?? [];
  await table.click();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe(`#inside/table:${number}`);
});
