// A whole lesson by touch, on the screen of a phone.

import { chromium, type Page } from '@playwright/test';
import { lessons } from './authored';
import { violations } from './axe';
import { expect, test as withSite } from './harness';

const test = withSite.extend<{ phone: Page }>({
  phone: async ({ site }, use) => {
    const executablePath = process.env.LEVELSCOPE_CHROMIUM;
    const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    });
    const page = await context.newPage();
    await page.goto(site.url);
    await use(page);
    await browser.close();
  },
});

test('a tap on an object names it below the picture, which stays whole', async ({ phone }) => {
  const line = phone.getByRole('textbox', { name: 'Command line' });
  const terminal = phone.getByRole('tab', { name: 'Terminal' });
  await terminal.tap();
  await line.fill('put apple red; flush; run');
  await phone.getByRole('button', { name: 'Enter', exact: true }).tap();
  const table = phone.getByRole('option', { name: /^table \d+, apple/ });
  await expect(table).toBeVisible();
  await terminal.tap();
  const height = () => phone.locator('.phone-picture').evaluate((each) => each.clientHeight);
  await expect.poll(height).toBeGreaterThan(500);
  const before = await height();
  await table.tap();
  await expect(table).toHaveAttribute('aria-selected', 'true');
  const look = phone.getByRole('tab', { name: /^Look at table \d+$/ });
  await expect(look).toBeInViewport({ ratio: 1 });
  expect(await height()).toBe(before);
  expect(await violations(phone)).toEqual([]);
  await look.tap();
  await expect(phone.getByRole('heading', { name: /^\d+\.sst/ })).toBeInViewport();
  await expect(phone.getByRole('tab', { name: 'Look', exact: true })).toBeVisible();
});

test('the first lesson is played to its end by touch', async ({ phone }) => {
  test.setTimeout(240_000);
  const [first] = lessons;
  if (!first) throw new Error('there are no lessons');
  const [answers, solutions] = [[...first.answers], [...first.solutions]];
  await phone.getByRole('button', { name: /Start lesson 1: / }).tap();
  const column = phone.getByRole('complementary', { name: /^Lesson: / });
  const next = column.locator('.lesson-next');
  const line = phone.getByRole('textbox', { name: 'Command line' });
  const state = async () =>
    `${await column.getByRole('progressbar').getAttribute('value')} ${await column.textContent()}`;
  await expect(column).toBeVisible();
  for (;;) {
    // Picture and lesson are seen together, and nothing is wider than the screen.
    await expect(phone.locator('.phone-picture')).toBeInViewport({ ratio: 0.9 });
    await expect(next).toBeInViewport();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const before = await state();
    if (before.includes('The lesson is over.')) break;
    const ask = column.locator('.lesson-ask:enabled').last();
    if (before.includes('Answer the question to go on.')) {
      const right = answers.shift() ?? '';
      const choices = ask.getByRole('radio');
      if (await choices.count()) await choices.nth(Number(right) - 1).tap();
      else await ask.getByRole('textbox').fill(right);
      await ask.getByRole('button', { name: 'Answer' }).tap();
    } else if (before.includes('Do the task in the terminal')) {
      await next.getByRole('button').tap();
      await expect(line).toBeFocused();
      await expect(line).toBeInViewport();
      for (const command of solutions.shift() ?? []) {
        await line.fill(command);
        await phone.getByRole('button', { name: 'Enter', exact: true }).tap();
        // A task that is done leads back to the lesson.
        await expect(phone.locator('#plain-input')).toHaveValue('');
      }
    } else {
      await next.getByRole('button').tap();
    }
    await expect.poll(state, { intervals: [20, 50, 100] }).not.toBe(before);
    await expect(column.locator('.lesson-wrong, .reveal.other')).toHaveCount(0);
  }
  expect(await violations(phone)).toEqual([]);
  await column.getByRole('button', { name: 'Back to your own database' }).tap();
  await expect(column).toHaveCount(0);
});
