// A presentation in two windows: the presenter's with the engine, the audience's with nothing but what is shown.

import type { Page } from '@playwright/test';
import { violations } from './axe';
import { type Browser, expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, stepOf } from './steps';

/** The objects of the picture, in their order, with their names. */
async function objects(page: Page): Promise<string[]> {
  return page
    .locator('#stage [data-object]')
    .evaluateAll((found) =>
      found.map(
        (each) => `${each.getAttribute('data-object')} ${each.getAttribute('aria-label') ?? ''}`,
      ),
    );
}

/** Opens the audience's window as a presenter does; the requests that it makes. */
async function opened(
  page: Page,
  { context }: Browser,
): Promise<{ audience: Page; asked: string[] }> {
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  const [audience] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Second window' }).click(),
  ]);
  await expect(page.getByText('Audience’s window: visible')).toBeVisible();
  return { audience, asked };
}

const sentence = (audience: Page) => audience.locator('.audience-sentence');

test('the audience sees the presenter’s picture, step by step, without an engine', async ({
  page,
  site,
  browserOnDisk,
}) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  await playground.run('put apple red; put fig green; flush');
  const { audience, asked } = await opened(page, browserOnDisk);
  await expect(sentence(audience)).toContainText('Memtable 1');
  for (const line of [
    'step',
    'step phase 3',
    'run',
    'follow apple',
    'del fig; flush; run',
    'goto 12',
    'now',
  ]) {
    await playground.run(line);
    await expect(sentence(audience)).toHaveText(
      ((await playground.narration.textContent()) ?? '').replace(/^the past /, ''),
    );
    await expect(async () => expect(await objects(audience)).toEqual(await objects(page))).toPass();
  }
  expect(asked.filter((url) => /wasm|worker/.test(url))).toEqual([]);
  expect(await violations(audience)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  // Either window may be loaded again.
  await audience.reload();
  await expect.poll(() => objects(audience)).toEqual(await objects(page));
  await page.reload();
  await playground.ready();
  await expect(page.getByText('Audience’s window: visible')).toBeVisible();
  await playground.run('put kiwi brown');
  await expect(sentence(audience)).toContainText('kiwi');
  await page.getByRole('button', { name: 'End' }).click();
  await expect(audience.getByText('The presentation is over.')).toBeVisible();
});

test('windows fit a hall, and arrows move through time after them', async ({ page, site }) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  await playground.run('put apple red; put fig green');
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await page.locator('#stage').click();
  for (const [key, name] of [
    ['?', 'Help'],
    ['c', 'Pull the plug'],
  ] as const) {
    await page.keyboard.press(key);
    const window = page.getByRole('dialog', { name });
    const box = await window.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    await page.keyboard.press(key === '?' ? 'Escape' : 'Enter');
    await expect(window).toHaveCount(0);
  }
  await playground.idle();
  const last = await stepOf(page);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => stepOf(page)).toBe(last - 1);
});

test('before a hall the terminal opens for an answer that stands nowhere else', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put fig green');
  await outOfTerminal(page);
  await page.keyboard.press('F5');
  const folded = page.locator('.terminal-pane.folded');
  await expect(folded).toBeVisible();
  await page.keyboard.press('w');
  await expect(folded).toHaveCount(0);
  await page.keyboard.press('ArrowLeft');
  await expect(folded).toBeVisible();
});

test('keys act from either window, and only End ends', { tag: '@slow' }, async ({
  page,
  site,
  browserOnDisk,
}) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  await playground.run('put apple red; flush');
  const { audience } = await opened(page, browserOnDisk);
  const before = await sentence(audience).textContent();
  await audience.keyboard.press('PageDown');
  await expect(sentence(audience)).not.toHaveText(before ?? '');
  await audience.keyboard.press('.');
  await expect(audience.getByRole('main', { name: 'Nothing is shown' })).toBeVisible();
  await page.bringToFront();
  await page.getByRole('button', { name: /^Black/ }).focus();
  await page.keyboard.press('.');
  await expect(sentence(audience)).toBeVisible();
  await page.evaluate(() => {
    const pressed: string[] = [];
    Object.assign(window, { pressed });
    window.addEventListener(
      'keydown',
      (event) => {
        setTimeout(() => event.defaultPrevented && pressed.push(event.key));
      },
      true,
    );
  });
  for (const key of ['F5', 'Escape', 'Escape']) await page.keyboard.press(key);
  const pressed = () => page.evaluate(() => (window as unknown as { pressed: string[] }).pressed);
  await expect.poll(pressed).toContain('F5');
  await expect(page.getByText('Audience’s window: visible')).toBeVisible();
  await page.getByRole('button', { name: 'Larger', exact: true }).click();
  await expect(page.getByText('110 %')).toBeVisible();
  await audience.close();
  await expect(page.getByRole('link', { name: /closed: open it again/ })).toBeVisible();
});

test('hands are counted before the engine’s answer is revealed', { tag: '@slow' }, async ({
  page,
  site,
  browserOnDisk,
}) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  const { audience } = await opened(page, browserOnDisk);
  await page.bringToFront();
  await playground.run('lesson start deleting');
  const next = page.getByRole('button', { name: /PgDn$/ });
  const hands = page.getByRole('group', { name: 'Hands' });
  await expect(async () => {
    if (!(await hands.isVisible())) await next.click();
    await expect(hands).toBeVisible({ timeout: 1000 });
  }).toPass();
  const lesson = audience.getByRole('region', { name: /^Lesson: / });
  await expect(lesson.getByRole('listitem')).toHaveCount(3);
  for (const [index, count] of ['7', '3', '11'].entries()) {
    await hands.getByRole('textbox').nth(index).fill(count);
  }
  await expect(lesson).not.toContainText('11');
  await next.click();
  await expect(lesson.getByText('first count: 11 hands')).toBeAttached();
  await page.getByRole('button', { name: /^Discuss/ }).click();
  await expect(lesson).toContainText('Discuss with your neighbour');
  await expect(async () => {
    const text = (await next.textContent()) ?? '';
    if (!text.startsWith('Reveal')) await next.click();
    await expect(next).toContainText('Reveal the answer', { timeout: 1000 });
  }).toPass();
  await expect(lesson).not.toContainText('The engine’s answer');
  await page.waitForTimeout(1000);
  await next.click();
  await expect(lesson.getByRole('status')).toContainText('The engine’s answer: They grow.');
  expect(await violations(audience)).toEqual([]);
  await page.getByRole('button', { name: 'QR code' }).click();
  // This test's server is on this computer.
  const note = audience.getByRole('note').filter({ hasText: 'on this computer only' });
  await expect(note).toBeVisible();
  await expect(audience.getByText('#v1/l.deleting/')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(note).toHaveCount(0);
});

test('an address of no presentation waits, and of none at all is the page', async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}#present/abcdef123`);
  await expect(page.getByText('Waiting for the presenter’s window …')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${site.url}#present/x`);
  await new Playground(page).ready();
});

test('the audience reads what the picture cannot show, and that the presenter has gone', async ({
  page,
  site,
  browserOnDisk,
}) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  const { audience } = await opened(page, browserOnDisk);
  await page.bringToFront();
  await playground.run('kvdb put key1 value1');
  const typed = audience.getByRole('region', { name: 'What was typed' });
  await expect(typed).toContainText('lsm> kvdb put key1 value1');
  expect(await violations(audience)).toEqual([]);
  // A put is drawn.
  await playground.run('put apple red');
  await expect(typed).toHaveCount(0);
  await page.close();
  await expect(audience.getByText('The presenter’s window is closed.')).toBeVisible();
});
