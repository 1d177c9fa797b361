// What axe has against a page, in one line each.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Without a page of its own to sum up what frames from elsewhere told (here are none), and without words for what is well. */
const lean = (page: Page) =>
  new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], selectors: false, preload: false });

async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''}`);
}

export const violations = (page: Page) => found(lean(page).withTags(TAGS));

/** Those of the dark page too, which differs from the light one by its colours alone. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found(lean(page).withRules('color-contrast'));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((each) => `dark: ${each}`)];
}
