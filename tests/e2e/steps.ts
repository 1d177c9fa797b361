// The step on show, and its picture.

import { expect, type Locator, type Page } from '@playwright/test';
import type { Playground } from './playground';

/** Everything that the picture shows, in words. */
export async function pictured(page: Page): Promise<string> {
  const options = page.locator('.stage [role="option"], .sweep, .plumb');
  const wordsOf = (all: Element[]) => all.map((each) => each.ariaLabel ?? each.textContent);
  return (await options.evaluateAll(wordsOf)).join('\n');
}

export const slider = (page: Page): Locator => page.getByRole('slider', { name: 'History' });

export const stepOf = async (page: Page): Promise<number> =>
  Number(await slider(page).getAttribute('aria-valuenow'));

export async function outOfTerminal(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** The sentences, causes and next steps that are cut within so many steps of the past, from the step on show. */
export function cutSentences(page: Page, steps: number): Promise<string[]> {
  return page.evaluate(async (steps) => {
    const found = new Set<string>();
    const places = '.narration .sentence, .because > p, header .chip';
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < steps; step += 1) {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      await frame();
      await frame();
      for (const place of document.querySelectorAll<HTMLElement>(places)) {
        const { scrollHeight, clientHeight, scrollWidth, clientWidth, textContent } = place;
        const isCut = scrollHeight > clientHeight + 2 || scrollWidth > clientWidth + 2;
        if (isCut) found.add(textContent ?? '');
      }
      if (document.querySelector('.past-bar') === null) break;
    }
    return [...found];
  }, steps);
}

/** Walks the lookup on show to its last stop, with the key of a clicker. */
export async function toLastStop(page: Page): Promise<void> {
  const marks = page.locator('.plumb circle');
  // The key with "not found" or "deleted", or the value beside the last mark.
  const words = page.locator('.plumb .words');
  for (let stop = 0; stop < 20; stop += 1) {
    const [tags, head] = [
      await words.allTextContents(),
      await page.locator('.plumb .head').textContent(),
    ];
    if (head?.includes(' ') || tags.some((text) => text.startsWith('= '))) return;
    const before = await marks.count();
    await page.keyboard.press('PageDown');
    await expect(marks).toHaveCount(before + 1);
  }
}

/** A compaction that has picked its inputs and has not begun. */
export async function untilPicked(page: Page, playground: Playground): Promise<void> {
  await playground.run('fill 90 --words --seed 7; run; fill 60 --words --seed 9; flush');
  const begins = playground.narration;
  for (let step = 0; step < 200; step += 1) {
    await playground.run('step phase 1');
    if (/will merge/.test((await begins.textContent()) ?? '')) break;
  }
  await expect(begins).toContainText('will merge');
  await outOfTerminal(page);
}
