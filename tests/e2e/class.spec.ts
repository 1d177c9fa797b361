// The class of docs/TEACHING.md, given from its first line to its last with a clicker, presented at 1280 × 720.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';
import { toLastStop } from './steps';

const TEACHING = fileURLToPath(new URL('../../docs/TEACHING.md', import.meta.url));

/** Everything in code in the part of the document about the class. */
function written(): string[] {
  const [, rest = ''] = readFileSync(TEACHING, 'utf8').split('## A class of 45 minutes');
  const [part = ''] = rest.split('\n## ');
  return [...part.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const KEYS = ['/', 'c', 'Enter', 'v', '2', '3', 'Escape'];

/** A lecturer: types the lines of the document, folds the terminal, and goes on with the clicker. */
class Lecturer {
  readonly typed: string[] = [];
  readonly #page: Page;
  readonly #playground: Playground;

  constructor(page: Page, playground: Playground) {
    this.#page = page;
    this.#playground = playground;
  }

  async types(line: string): Promise<string[]> {
    this.typed.push(line);
    await this.#page.keyboard.press('/');
    const printed = await this.#playground.run(line);
    await this.#page.keyboard.press('Escape');
    return printed;
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  /** Presses *next* until the sentence matches. */
  async until(sentence: RegExp): Promise<void> {
    await expect(async () => {
      const text = await this.#playground.narration.textContent();
      if (sentence.test(text ?? '')) return;
      await this.press('PageDown');
      await expect(this.#playground.narration).toHaveText(sentence, { timeout: 300 });
    }).toPass();
  }
}

test('the class of the document comes true, press by press', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const playground = await new Playground(page).open(site.url);
  const lecturer = new Lecturer(page, playground);
  const sentence = playground.narration;
  const box = (name: RegExp) => page.getByRole('option', { name }).first();
  await page.keyboard.press('F5');
  await lecturer.types(
    'reset --yes; options set memtable_bytes 256; options set level_multiplier 8',
  );

  await lecturer.types('put apple red');
  await expect(box(/^memtable 1/)).toContainText('apple = red');
  await expect(box(/^WAL/)).toContainText('apple');
  await lecturer.types('put cash 100 --sync on; put cash 50 --sync off');
  for (const key of ['v', 'c']) await lecturer.press(key);
  await expect(page.getByRole('dialog')).toBeVisible();
  await lecturer.press('Enter');
  await expect(sentence).toContainText('Which acknowledged writes are lost?');
  await expect(
    page.getByRole('button', { name: /^Which acknowledged writes are lost/ }),
  ).toBeVisible();
  await lecturer.until(/1 acknowledged write is lost: "cash" = "50"/);
  await lecturer.press('v');
  expect(await lecturer.types('get cash')).toContain('100');
  expect(await lecturer.types('branch main; get cash')).toContain('50');

  await lecturer.types(
    'put banana yellow; put cherry red; put date brown; put fig green; put grape blue',
  );
  // It rotated at fig, after six entries.
  await expect(box(/^memtable 2/)).toContainText('fig');
  await expect(box(/^memtable 1/)).not.toContainText('fig');
  await lecturer.until(/begins to flush memtable 1 with 6 entries/);
  await lecturer.until(/wrote the filter of table/);
  await lecturer.until(/memtable 1 is flushed: 5 written, 1 dropped as shadowed/);
  const merged = (await playground.run('merge')).join(' ');
  expect(merged).toContain('The value of "cash" with sequence number 2 is dropped as shadowed');
  await lecturer.press('Escape');

  await lecturer.types(
    'put apple green; del banana; put kiwi ripe; put mango orange; put nut brown; put olive green; flush',
  );
  expect((await lecturer.types('follow apple')).join(' ')).toMatch(/red +L0 table 8, .* shadowed/);
  await expect(
    page.locator('.stage .follow-sign, .stage .version', { hasText: '◇' }),
  ).toBeVisible();

  await lecturer.types('until after compaction.begin');
  await expect(sentence).toContainText('begins to read 11 entries');
  await expect(sentence).not.toContainText('the past');
  for (const key of ['3', 'v']) await lecturer.press(key);
  await lecturer.until(/Is apple with sequence number 1 kept or dropped/);
  await lecturer.until(/"apple" with sequence number 1 is dropped as shadowed/);
  await lecturer.until(/tombstone of "banana" .* is dropped: it has nothing left to hide/);
  for (const key of ['v', '2']) await lecturer.press(key);
  await lecturer.types('follow --off; run');
  await expect(sentence).toContainText(
    'of 11 entries, 8 written, 2 dropped as shadowed and 1 tombstone dropped',
  );

  const kiwi = (await lecturer.types('explain get kiwi')).join(' ');
  // The terminal of a presentation shows the end of the answer, and the picture all of it.
  expect(kiwi).toContain('kiwi = ripe');
  expect(kiwi).toContain('1 block read');
  await toLastStop(page);
  await expect(page.locator('.plumb .sign-found .tag')).toContainText('= ripe');
  await expect(page.locator('.plumb .sign-found')).toBeVisible();
  const zzz = (await lecturer.types('explain get zzz')).join(' ');
  expect(zzz).toContain('2 tables skipped by range');
  await expect(sentence).toContainText(/Stop 1 of \d+: .*does not have it/);
  await lecturer.until(/finds nothing/);
  await lecturer.types('bytes table:14/block:1/entry:3');
  await expect(page.getByRole('treeitem', { name: /^entry 3/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  // The lengths of the suffix and of the value, and "herry".
  await expect(page.getByRole('row', { name: /0d 03 68 65 72 72 79/ })).toBeVisible();
  await lecturer.press('Escape');

  const compare = 'compare leveled tiered { fill 300 --words --seed 7; run }';
  await playground.run(compare);
  lecturer.typed.push(compare);
  await expect(page.locator('.compare-stage')).toHaveCount(2);
  const figures = (title: string) =>
    page.getByRole('complementary', { name: `Figures of ${title}` });
  await expect(figures('leveled')).toContainText(/write amplification25\.14.*sorted runs2, less/);
  await expect(figures('tiered')).toContainText(/write amplification20\.22, less.*sorted runs6/);
  await lecturer.press('Escape');

  await lecturer.types('goto 60');
  await expect(sentence).toContainText('the past');
  await lecturer.types('fork');
  await expect(page.locator('.branch-menu select')).toContainText('fork');
  await expect(page.getByRole('option', { name: /^table/ })).toHaveCount(0);
  expect(await lecturer.types('get banana')).toContain('yellow');
  expect((await lecturer.types('branch main; get banana')).join(' ')).toContain('not found');

  const code = written().filter((each) => !KEYS.includes(each));
  expect([...new Set(code)].sort()).toEqual([...new Set(lecturer.typed)].sort());
});
