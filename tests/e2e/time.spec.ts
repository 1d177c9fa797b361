// Back and forward through what happened, by keyboard and by pointer.

import { readFileSync } from 'node:fs';
import { violationsInBoth } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, pictured, slider, stepOf } from './steps';

const FILL = 'fill 120 --words --seed 7; run; fill 25 --words --seed 9; flush; step phase 6';

test('back step by step and forward again shows the same pictures, by keyboard', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await outOfTerminal(page);
  const last = await stepOf(page);
  const seen = new Map<number, string>();
  seen.set(last, await pictured(page));
  for (let back = 0; back < 40; back += 1) {
    await page.keyboard.press('ArrowLeft');
    const step = await stepOf(page);
    expect(step).toBe(last - back - 1);
    seen.set(step, await pictured(page));
  }
  await expect(page.getByText(`Viewing the past · step ${last - 40} of ${last}`)).toBeVisible();
  expect(new Set(seen.values()).size).toBeGreaterThan(5);
  for (let forward = 0; forward < 40; forward += 1) {
    await page.keyboard.press('ArrowRight');
    const step = await stepOf(page);
    expect(await pictured(page), `step ${step}`).toBe(seen.get(step));
  }
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await page.keyboard.press('Home');
  expect(await stepOf(page)).toBe(1);
  await page.keyboard.press('1');
  await page.keyboard.press('PageDown');
  // The events there may have been left out, and come when they are asked for.
  await expect.poll(() => stepOf(page)).toBeGreaterThan(2);
  const operation = await stepOf(page);
  await page.keyboard.press(']');
  expect(await stepOf(page)).toBeGreaterThan(operation);
  await page.keyboard.press('End');
  expect(await stepOf(page)).toBe(last);
});

test('scrubs with the pointer, to landmarks too, and never animates', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  const last = await stepOf(page);
  const box = await slider(page).boundingBox();
  if (!box) throw new Error('the slider has no place');
  await page.evaluate(() => {
    const animate = Element.prototype.animate;
    Object.assign(window, { animations: 0 });
    Element.prototype.animate = function (this: Element, ...inputs) {
      (window as unknown as { animations: number }).animations += 1;
      return animate.apply(this, inputs);
    };
  });
  const y = box.y + box.height * 0.7;
  await page.mouse.move(box.x + box.width * 0.9, y);
  await page.mouse.down();
  const steps: number[] = [];
  for (let share = 0.9; share > 0.1; share -= 0.05) {
    await page.mouse.move(box.x + box.width * share, y);
    steps.push(await stepOf(page));
  }
  await page.mouse.up();
  expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  expect(steps.at(-1)).toBeLessThan(last * 0.2);
  expect(await page.evaluate(() => (window as unknown as { animations: number }).animations)).toBe(
    0,
  );
  // A landmark, its table twin, and the number box.
  await playground.button(/Break/).click();
  const dialog = page.getByRole('dialog', { name: /landmarks/ });
  const flush = dialog.getByRole('row', { name: /flush/ }).first();
  const target = Number(((await flush.getByRole('button').textContent()) ?? '').match(/\d+/)?.[0]);
  await flush.getByRole('button').click();
  expect(await stepOf(page)).toBe(target);
  await expect(playground.narration).toContainText('installed table');
  await page.getByLabel('Go to step').fill('7');
  await page.keyboard.press('Enter');
  await expect.poll(() => stepOf(page)).toBe(7);
  await playground.button('Return to now').click();
  await expect.poll(() => stepOf(page)).toBe(last);
});

test('keys move nothing while something is typed', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put a 1; put b 2');
  const last = await stepOf(page);
  await playground.commandLine.focus();
  await page.keyboard.type('1 2[]. ');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Home');
  expect(await stepOf(page)).toBe(last);
});

test('a bookmark and Why? lead back', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await outOfTerminal(page);
  await page.keyboard.press('ArrowLeft');
  const marked = await stepOf(page);
  await page.keyboard.press('k');
  await page.keyboard.press('Home');
  await playground.button('Why?').click();
  await playground.button('Return to now').click();
  await outOfTerminal(page);
  await page.keyboard.press('[');
  expect(await stepOf(page)).toBe(marked);
  const chain = page.getByRole('tabpanel', { name: 'Why' }).getByRole('listitem');
  expect(await chain.count()).toBeGreaterThan(1);
  await chain.last().getByRole('button').click();
  expect(await stepOf(page)).toBeLessThan(marked);
});

test('a point of a chart opens its step, and the charts can be saved', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.locator('.charts svg').first();
  await expect.poll(() => chart.locator('[role=img], circle, path').count()).toBeGreaterThan(2);
  await chart.hover({ position: { x: 160, y: 60 } });
  const wanted = await chart.evaluate(
    (svg) => (svg as unknown as { value: { x: number } }).value.x,
  );
  expect(wanted).toBeLessThan(await stepOf(page));
  await chart.click({ position: { x: 160, y: 60 } });
  await expect.poll(() => stepOf(page)).toBe(wanted);
  for (const [name, begin] of [
    ['Save SVG', '<svg'],
    ['Save PNG', '\x89PNG'],
  ] as const) {
    const coming = page.waitForEvent('download');
    await playground.button(name).first().click();
    const file = readFileSync(await (await coming).path(), 'latin1');
    expect(file.slice(0, 4), name).toBe(begin);
  }
  await page.getByRole('button', { name: 'As table', exact: true }).last().click();
  const row = page.getByRole('tabpanel', { name: 'Charts' }).getByRole('row').nth(1);
  const step = Number(await row.getByRole('button').textContent());
  await row.getByRole('button').click();
  await expect.poll(() => stepOf(page)).toBe(step);
});

test('the past answers, and a command that writes asks where it belongs', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red');
  const first = await stepOf(page);
  await playground.run('put apple green; put pear yellow');
  const last = await stepOf(page);
  await page.getByLabel('Go to step').fill(String(first));
  await page.keyboard.press('Enter');
  await playground.idle();
  expect(await playground.run('get apple')).toEqual([`as of step ${first}:`, 'red']);
  expect((await playground.run('get pear')).join(' ')).toMatch(/not found/);
  const asks = page.getByRole('dialog', { name: 'This is the past' });

  // Cancel: nothing happens.
  await playground.type('put apple blue');
  await expect(asks).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(asks).toHaveCount(0);
  await playground.idle();
  expect(await stepOf(page)).toBe(first);

  // Return to now, by keyboard: the command is carried out there.
  await playground.type('put fig purple');
  await expect(asks).toBeVisible();
  await asks.getByRole('button', { name: 'Return to now' }).focus();
  await page.keyboard.press('Enter');
  await playground.idle();
  await expect(page.getByText(/Viewing the past/)).toHaveCount(0);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(last);
  await playground.idle();
  expect(await playground.run('get fig')).toEqual(['purple']);
  expect(await playground.run('get apple')).toEqual(['green']);

  // Fork here, by pointer: a branch in memory goes on from there, the old one stays.
  await page.getByLabel('Go to step').fill(String(first));
  await page.keyboard.press('Enter');
  await playground.idle();
  await playground.type('put apple blue');
  await asks.getByRole('button', { name: /^Fork/ }).click();
  await expect(asks).toHaveCount(0);
  await expect(page.getByLabel('branch')).toHaveValue('1');
  await playground.idle();
  expect((await playground.run('get pear')).join(' ')).toMatch(/not found/);
  expect(await playground.run('get apple')).toEqual(['blue']);
  await expect(page.getByText(/Not saved/).first()).toBeVisible();
  const branches = page.getByLabel('branch');
  await expect(branches).toHaveValue('1');
  await branches.selectOption('0');
  await playground.idle();
  await expect(page.getByText(/Saved in this browser/).first()).toBeVisible();
  expect(await playground.run('get apple')).toEqual(['green']);
  expect(await playground.run('get fig')).toEqual(['purple']);
  // What both share is the same, whichever branch is looked at.
  await page.getByLabel('Go to step').fill(String(first));
  await page.keyboard.press('Enter');
  await playground.idle();
  const shared = await pictured(page);
  await branches.selectOption('1');
  await playground.idle();
  await expect(page.getByText(/Not saved/).first()).toBeVisible();
  await page.getByLabel('Go to step').fill(String(first));
  await page.keyboard.press('Enter');
  await playground.idle();
  expect(await pictured(page)).toBe(shared);
});

test('the inspector shows the bytes and figures of the past', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 40 --words --seed 7; run');
  const then = (await playground.run('stats')).join('\n');
  const step = await stepOf(page);
  await playground.run('fill 90 --words --seed 8; run; compact; run');
  await page.getByLabel('Go to step').fill(String(step));
  await page.keyboard.press('Enter');
  await playground.idle();
  const now = (await playground.run('stats')).join('\n');
  expect(now).toBe(then);
  await page.getByRole('tab', { name: 'Stats' }).click();
  const shown = page.locator('.amplification .figure').first();
  await page.getByRole('tab', { name: 'Charts' }).click();
  const drawn = page.locator('.charts .now').first();
  await expect(drawn).toHaveText(/\d/);
  const figure = (await drawn.textContent()) ?? '';
  await page.getByRole('tab', { name: 'Stats' }).click();
  await expect(shown).toHaveText(figure);
});

test('charts and figures agree amid a call, and at the steps of an earlier visit', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 120 --words --seed 7; run');
  const last = await stepOf(page);
  const agree = async (step: number) => {
    await playground.run(`goto ${step}`);
    await page.getByRole('tab', { name: 'Stats' }).click();
    const figures = page.locator('.amplification .figure');
    await expect(figures.first()).toHaveText(/\d/);
    const figuresNow = await figures.allTextContents();
    await page.getByRole('tab', { name: 'Charts' }).click();
    const drawn = page.locator('.charts .now');
    const [write, read, space] = figuresNow;
    for (const [index, figure] of [write, read, space].entries()) {
      await expect(drawn.nth(index), `step ${step}`).toHaveText(figure ?? '');
    }
  };
  for (const back of [13, 22, 49, 67]) await agree(last - back);
  await page.reload();
  await playground.ready();
  await agree(last - 13);
});

test('no accessibility violations in the past', { tag: '@slow' }, async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await outOfTerminal(page);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('w');
  await playground.idle();
  expect(await violationsInBoth(page), 'why, in the past').toEqual([]);
  await page.getByRole('tab', { name: 'Charts' }).click();
  expect(await violationsInBoth(page), 'charts').toEqual([]);
  await playground.button(/Break/).click();
  expect(await violationsInBoth(page), 'breakpoints').toEqual([]);
  await page.keyboard.press('Escape');
  await playground.button('Crash').click();
  expect(await violationsInBoth(page), 'crash').toEqual([]);
});

test('the picture follows a hand that drags over 10,000 steps, and ends at the step itself', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  for (let part = 0; part < 24; part += 1) {
    await playground.run(`fill 90 --words --seed ${part}; run`);
  }
  const last = await stepOf(page);
  expect(last).toBeGreaterThan(10_000);
  // While a command is at work, its progress stands beside the line and takes more room.
  await expect(page.getByLabel('Go to step')).toBeVisible();
  const box = await slider(page).boundingBox();
  if (!box) throw new Error('the slider has no place');
  /** How far the knob is from the hand, and the sentence from the knob [px]; the line has margins. */
  const apart = async (share: number) => {
    const at = await stepOf(page);
    const named = /^Step (\d+)/.exec((await playground.narration.textContent()) ?? '')?.[1];
    const pixel = last / box.width;
    const away = [at - last * share, Number(named) - at].map((steps) => Math.abs(steps) / pixel);
    return Math.max(...away);
  };
  const drag = (share: number) => page.mouse.move(box.x + box.width * share, box.y + 26);
  await drag(0.9);
  await page.mouse.down();
  for (let turn = 0; turn <= 40; turn += 1) {
    const share = 0.5 + 0.4 * Math.cos(turn / 6);
    await drag(share);
    await expect.poll(() => apart(share)).toBeLessThan(9);
  }
  await page.mouse.up();
  const rest = await stepOf(page);
  await expect(playground.narration).toHaveText(new RegExp(`^Step ${rest}\\. [A-Z]`));
});

test('frames while work goes on at full speed', { tag: '@slow' }, async ({ page, site }, info) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('play max');
  await page.evaluate(() => {
    const watch = { work: [] as number[] };
    Object.assign(window, { watch });
    // From the beginning of a frame to the first task after it: scripts, style, layout and paint.
    const channel = new MessageChannel();
    let start = 0;
    channel.port1.onmessage = () => watch.work.push(performance.now() - start);
    const frame = (now: number) => {
      start = Math.max(now, performance.now());
      channel.port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await playground.run('fill 10000');
  await expect(page.getByText('nothing to do')).toBeVisible({ timeout: 90_000 });
  const work = await page.evaluate(
    () => (window as unknown as { watch: { work: number[] } }).watch.work,
  );
  work.sort((a, b) => a - b);
  const p95 = work[Math.floor(work.length * 0.95)] ?? 0;
  const figures = `fill 10000 at full speed: ${work.length} frames, work p95 ${p95.toFixed(1)} ms, the worst ${(work.at(-1) ?? 0).toFixed(0)} ms`;
  info.annotations.push({ type: 'figures', description: figures });
  console.log(`  ${figures}`);
  // Figures of time are for people to judge; here it counts that there were frames at all.
  expect(work.length).toBeGreaterThan(0);
  expect(await stepOf(page)).toBeGreaterThan(10_000);
  await playground.run('pause');
  await outOfTerminal(page);
  await page.keyboard.press('[');
  await expect.poll(() => page.getByText(/Viewing the past/).count()).toBe(1);
});
