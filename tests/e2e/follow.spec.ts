// A key is followed through memory, log and tables, and through time.

import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal } from './steps';

test('every version of a followed key is listed and marked', async ({ page, site }) => {
  test.slow();
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put banana yellow');
  const printed = await playground.run('follow apple');
  expect(printed.join('\n')).toContain('apple has 1 version; a read finds #1.');
  const panel = page.getByRole('tabpanel', { name: 'Follow' });
  const rows = panel.locator('.follow-versions > li');
  const marked = page.locator('.stage [role="option"]', { has: page.locator('.follow-ring') });
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('a read finds this one');
  await expect(page.locator('.stage .mono.followed')).toHaveText('apple = red');
  await expect(marked).toHaveCount(2);
  await expect(marked.first()).toHaveAttribute('aria-label', /holds a version of apple/);

  await playground.run('put apple green');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('shadowed by #3');

  await playground.run('flush; run');
  await expect(rows.first()).toContainText(/L0 table \d+, block 1/);
  await expect(marked).toHaveCount(1);
  await expect(marked.first()).toHaveAttribute('data-object', /^table:/);

  await playground.run('del apple; flush; run; compact; run');
  await expect(panel).toContainText(/tombstone|No version/);

  // At an earlier step the list and the marks are those of that step.
  await outOfTerminal(page);
  await playground.run('goto 3');
  await expect(page.locator('.frame.past')).toBeVisible();
  await expect(panel).toContainText(/WAL \d+, record at \d+|No version/);
  await playground.run('now');
  await playground.run('put apple blue');
  const inLog = panel.getByRole('button', { name: /^WAL/ }).first();
  await inLog.click();
  await outOfTerminal(page);
  await page.keyboard.press('b');
  await expect(page.locator('.hex-row .byte.followed').first()).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Following apple: stop' }).click();
  await playground.idle();
  await expect(page.locator('.follow-ring')).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Follow' })).toHaveCount(0);
});
