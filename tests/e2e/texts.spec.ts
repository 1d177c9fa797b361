// No text of the picture covers another, whatever has happened.

import type { Page } from '@playwright/test';
import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal } from './steps';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];
/** The history; `npm run test:all` gives another one each day. */
const SEED = Number(process.env.LEVELSCOPE_SEED ?? 20_786);
const STEPS = 60;

for (const size of SIZES) {
  const name = `${size.width} × ${size.height}`;
  test(`at ${name} no text of the picture covers another`, async ({ page, site }) => {
    test.slow();
    await page.setViewportSize({ width: 1440, height: 900 });
    const playground = await new Playground(page).open(site.url);
    await playground.run(`fill ${40 + (SEED % 160)} --words --seed ${SEED}; begin; put mango red`);
    await playground.run(`step phase 60; fill 30 --seed ${SEED}; run; fill 20 --words --sync off`);
    await outOfTerminal(page);
    await page.setViewportSize(size);
    expect(await coveredTexts(page, SEED), `seed ${SEED}`).toEqual([]);
  });
}

/** Pairs of texts that cover each other by more than two pixels, at steps all over the history. */
function coveredTexts(page: Page, seed: number): Promise<string[]> {
  return page.evaluate(
    async ([seed, steps]) => {
      const found = new Set<string>();
      const settled = async () => {
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        for (const motion of document.querySelector('.stage')?.getAnimations({ subtree: true }) ??
          [])
          motion.finish();
      };
      const press = (key: string) =>
        window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      let random = seed;
      for (let step = 0; step < steps; step += 1) {
        // Some steps on, and sometimes to another landmark or the other end.
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
        press(
          ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', '[', '[', ']', 'ArrowRight'][random % 7] ?? '',
        );
        await settled();
        const texts = [...document.querySelectorAll<SVGTextElement>('.stage svg text')].filter(
          (text) => text.checkVisibility({ opacityProperty: true }) && text.textContent?.trim(),
        );
        const boxes = texts.map((text) => text.getBoundingClientRect());
        for (const [one, box] of boxes.entries()) {
          for (const [two, other] of boxes.entries()) {
            // Words with a paper of their own lie on what was drawn before.
            if (two <= one || texts[two]?.closest('.words')) continue;
            const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
            const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
            if (wide <= 2 || high <= 2) continue;
            const [a, b] = [texts[one]?.textContent, texts[two]?.textContent];
            found.add(`${a} | ${b}: ${wide.toFixed(0)} × ${high.toFixed(0)}`);
          }
        }
      }
      return [...found];
    },
    [seed, STEPS] as const,
  );
}
