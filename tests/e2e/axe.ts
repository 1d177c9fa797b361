// The violations that axe finds on a page, in one line each.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axe from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Axe parses the few colours of a page anew for each text and all that lies under it, by far its greatest effort. */
const COLORS_ONCE = `{
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map();
  prototype.parseString = function (text) {
    const { r, g, b, alpha } = known.get(text) ?? parseString.call(this, text);
    known.set(text, { r, g, b, alpha });
    return Object.assign(this, { r, g, b, alpha });
  };
}`;

/** Axe itself, or nothing where every frame of the page has it from an examination before. */
async function missing(page: Page): Promise<string> {
  const all = page.frames().map((frame) => frame.evaluate(() => 'axe' in window));
  return (await Promise.all(all)).every(Boolean) ? '"here"' : `${axe.source}\n${COLORS_ONCE}`;
}

/** Without a second page that sums up reports of foreign frames (there are none), and without descriptions of passed rules. */
const lean = async (page: Page) =>
  new AxeBuilder({ page, axeSource: await missing(page) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], selectors: false, preload: false });

async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}

export const violations = async (page: Page) => found((await lean(page)).withTags(TAGS));

/** The violations of the dark page too, which differs from the light one by its colours alone. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found((await lean(page)).withRules('color-contrast'));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((each) => `dark: ${each}`)];
}
