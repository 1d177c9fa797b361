// Which step is shown, and what its picture looks like.

import type { Locator, Page } from '@playwright/test';

/** Everything that the picture shows, in words. */
export async function pictured(page: Page): Promise<string> {
  const options = page.locator('.stage [role="option"]');
  return (await options.evaluateAll((all) => all.map((each) => each.ariaLabel))).join('\n');
}

export const slider = (page: Page): Locator => page.getByRole('slider', { name: 'History' });

export const stepOf = async (page: Page): Promise<number> =>
  Number(await slider(page).getAttribute('aria-valuenow'));

export async function outOfTerminal(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}
