// Every lesson of the library, played to its end by keyboard: right as its author marks it, and wrong.

import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { type Authored, lessons, textOf } from './authored';
import { violations } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

/** A learner at the keyboard. */
class Learner {
  readonly column: Locator;
  readonly #page: Page;
  readonly #playground: Playground;
  readonly #lesson: Authored;
  readonly #right: boolean;
  #asked = 0;
  #tried = 0;

  constructor(page: Page, playground: Playground, lesson: Authored, right: boolean) {
    this.column = page.getByRole('complementary', { name: /^Lesson: / });
    this.#page = page;
    this.#playground = playground;
    this.#lesson = lesson;
    this.#right = right;
  }

  async starts(): Promise<void> {
    await this.#playground.run(`lesson start ${this.#lesson.id}`);
    await expect(this.column).toBeVisible();
    await this.leavesTerminal();
  }

  async leavesTerminal(): Promise<void> {
    await this.#page.keyboard.press('Escape');
  }

  get isOver(): Promise<boolean> {
    return this.column.getByText('The lesson is over.').isVisible();
  }

  /** One act; waits until the lesson has come further. */
  async goesOn(): Promise<void> {
    const before = await this.#state();
    if (await this.column.locator('.lesson-ask:enabled [data-lesson-next]').count()) {
      await this.#answers();
    } else if (await this.column.getByRole('button', { name: 'Let the lesson do it' }).count()) {
      await this.#tries();
    } else {
      await this.#page.keyboard.press('n');
    }
    await expect.poll(() => this.#state(), { intervals: [20, 50, 100] }).not.toBe(before);
    await this.#playground.idle();
    await expect(this.column.locator('.lesson-wrong')).toHaveCount(0);
  }

  async #state(): Promise<string> {
    const at = await this.column.getByRole('progressbar').getAttribute('value');
    return `${at} ${await this.column.textContent()}`;
  }

  async #answers(): Promise<void> {
    const right = this.#lesson.answers[this.#asked] ?? '?';
    this.#asked += 1;
    const field = this.column.locator('.lesson-ask:enabled [data-lesson-next]').first();
    // The keyboard is there already, unless the terminal has it.
    await expect(field).toBeFocused();
    const isChoice = (await field.getAttribute('type')) === 'radio';
    if (this.#right && right === '?') {
      await this.column.getByRole('button', { name: 'I do not know' }).press('Enter');
      return;
    }
    if (isChoice) {
      const wrong = right === '1' ? 2 : 1;
      const choice = this.#right ? Number(right) : wrong;
      await this.#page.keyboard.press('Space');
      for (let at = 1; at < choice; at += 1) await this.#page.keyboard.press('ArrowDown');
    } else {
      await this.#page.keyboard.insertText(this.#right ? right : '999999');
    }
    await this.#page.keyboard.press('Enter');
  }

  async #tries(): Promise<void> {
    const solution = this.#lesson.solutions[this.#tried] ?? [];
    this.#tried += 1;
    if (this.#right) {
      // The keyboard comes to the terminal for the task, and leads on from there once it is done.
      await expect(this.#page.locator('.terminal-pane :focus')).toHaveCount(1);
      for (const line of solution) await this.#playground.run(line);
      await expect(this.column.locator('[data-lesson-next]')).toBeFocused();
    } else {
      await this.column.getByRole('button', { name: 'Let the lesson do it' }).press('Enter');
    }
  }
}

// The console's tests play all of them both ways.
for (const [at, lesson] of lessons.entries()) {
  const tag = at === 0 ? [] : '@slow';
  test(`the lesson ${lesson.id} is played right and wrong`, { tag }, async ({ page, site }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width: 1280, height: 720 });
    const playground = await new Playground(page).open(site.url);
    await playground.run('put own 1');
    for (const right of [true, false]) {
      const learner = new Learner(page, playground, lesson, right);
      await learner.starts();
      for (let acts = 0; !(await learner.isOver) && acts < 200; acts += 1) {
        await learner.goesOn();
        const revealed = learner.column.locator('.reveal');
        const other = learner.column.locator('.reveal.other');
        if (right) await expect(other).toHaveCount(0);
        else if (!(await revealed.count())) continue;
      }
      expect(await learner.isOver).toBe(true);
      await learner.column.getByRole('button', { name: 'Back to your own database' }).click();
      await expect(learner.column).toHaveCount(0);
      // The picture is that of the visitor's own database again.
      await expect(page.getByRole('option', { name: /^memtable/ }).first()).toContainText(
        'own = 1',
      );
      expect(await playground.run('get own')).toEqual(['1']);
      await learner.leavesTerminal();
      await playground.run('clear');
    }
  });
}

test('a lesson is left in the middle, and goes on after a reload', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  await page.getByRole('button', { name: /Start lesson 1: / }).click();
  const [first] = lessons;
  if (!first) throw new Error('there are no lessons');
  const learner = new Learner(page, playground, first, false);
  await expect(learner.column).toBeVisible();
  for (let acts = 0; acts < 6; acts += 1) await learner.goesOn();
  expect(await violations(page)).toEqual([]);
  const scene = await learner.column.getByRole('heading').textContent();
  await page.getByRole('button', { name: 'Lessons', exact: true }).click();
  const sheet = page.waitForEvent('download');
  await page.getByRole('textbox', { name: /^Name/ }).fill('Ada');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const saved = JSON.parse(readFileSync(await (await sheet).path(), 'utf8'));
  expect(saved).toMatchObject({ answerSheet: 1, name: 'Ada' });
  expect(saved.answers[0]).toMatchObject({ lesson: 'log', question: 'flushed', right: false });
  await page.keyboard.press('Escape');
  await page.reload();
  await playground.ready();
  await page.getByRole('button', { name: /Continue lesson 1: / }).click();
  await expect(learner.column.getByRole('heading')).toHaveText(scene ?? '');
});

test('commands of one’s own are dropped on the way back', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('lesson start deleting');
  await playground.run('next');
  const column = page.getByRole('complementary', { name: /^Lesson: / });
  await expect(column.getByRole('button', { name: /^Run put apple red/ })).toBeVisible();
  await playground.run('put stray 1');
  await column.getByRole('button', { name: /^Back to the lesson/ }).click();
  await expect(column.getByRole('button', { name: /^Run put apple red/ })).toBeVisible();
  // The picture follows the new database from its first step on.
  await expect(playground.narration).toHaveText(/^Step 5\./);
  await page.keyboard.press('n');
  await expect(page.getByRole('option', { name: /^memtable 1/ })).toContainText('apple = red');
  await playground.run('lesson start rotation');
  await expect(column.getByRole('button', { name: /^Next/ })).toBeVisible();
  await expect(playground.narration).toHaveText(/^Step 5\./);
  await playground.run('lesson start deleting');
  await playground.run('next');
  expect(await playground.run('get stray')).toEqual(['stray: not found']);
  await playground.run('lesson back');
  // A line may be typed by hand, in parts.
  await playground.run('put apple red');
  await expect(column.getByRole('button', { name: /^Run put fig green/ })).toBeVisible();
});

test('a dropped text is played as a lesson, or its mistakes are listed by line', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  const text = textOf('07-deleting.md');
  const choose = async (content: string) => {
    const input = page.locator('input[type=file]').first();
    const buffer = Buffer.from(content);
    await input.setInputFiles({ name: 'mine.md', mimeType: 'text/markdown', buffer });
  };
  await choose(text.replace('get fig', 'gte fig'));
  await expect
    .poll(() => playground.rows().then((rows) => rows.join(' ')))
    .toMatch(/mine\.md:\d+: /);
  const column = page.getByRole('complementary', { name: /^Lesson from a file or link: / });
  await expect(column).toHaveCount(0);
  await choose(text);
  await expect(column).toBeVisible();
});

test('a link leads to a scene, and does nothing else', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put own 1');
  const column = page.getByRole('complementary', { name: /^Lesson: / });
  await page.goto('about:blank');
  await page.goto(`${site.url}#v1/l.deleting/the-tombstone-moves-down`);
  await expect(column.getByRole('heading')).toHaveText('The tombstone moves down');
  expect(new URL(page.url()).hash).not.toContain('v1');
  // The link that the page offers leads back to the same place, also in a page that is open already.
  await column.getByRole('button', { name: 'Link' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${site.url}#v1/l.deleting/the-tombstone-moves-down`);
  await playground.idle();
  await playground.run('lesson start log');
  await expect(column).toHaveAccessibleName('Lesson: A database in one file');
  await page.evaluate((address) => window.location.assign(address), copied);
  await expect(column.getByRole('heading')).toHaveText('The tombstone moves down');
  await playground.idle();
  await playground.run('leave');
  await expect(column).toHaveCount(0);
  for (const hash of ['v1/l.log;put%20own%202', 'v1/l.nothing', 'v1/x.put%20own%202', 'v1/']) {
    await page.goto('about:blank');
    await page.goto(`${site.url}#${hash}`);
    await playground.ready();
    await expect(column).toHaveCount(0);
    if (!hash.startsWith('v1/l.')) {
      await expect(page.getByRole('alert')).toContainText('does not know');
      await page.keyboard.press('Escape');
    }
  }
  expect(await playground.run('get own')).toEqual(['1']);
});

test('questions of earlier lessons are asked again at the end of a later one', {
  tag: '@slow',
}, async ({ page, site }) => {
  const playground = new Playground(page);
  await playground.open(site.url);
  const [first] = lessons;
  if (!first) throw new Error('there are no lessons');
  const learner = new Learner(page, playground, first, false);
  await learner.starts();
  while (!(await learner.isOver)) await learner.goesOn();
  // Nothing comes before the first lesson.
  await expect(page.getByRole('button', { name: /^Next lesson: A full memtable/ })).toBeVisible();
  await playground.run('lesson start rotation --at 999');
  await learner.leavesTerminal();
  await page.keyboard.press('n');
  await expect(page.getByText('Two questions of earlier lessons come next')).toBeVisible();
  const question = page.getByRole('complementary', {
    name: /^Question of the lesson: A database/,
  });
  for (let asked = 1; asked <= 2; asked += 1) {
    await page.getByRole('button', { name: /^A question of lesson 1/ }).click();
    await question.getByRole('button', { name: 'I do not know' }).click();
    await expect(question.getByRole('status')).toContainText('The engine’s answer:');
    await playground.idle();
  }
  expect(await violations(page)).toEqual([]);
  await learner.leavesTerminal();
  await page.keyboard.press('n');
  await expect(
    page.getByRole('complementary', { name: 'Lesson: Every byte of a table' }),
  ).toBeVisible();
});
