// A byte is flipped: the picture, the inspector and the tables show where, and only on the branch in which it happened.

import { violations } from './axe';
import { expect, test } from './harness';
import { Playground } from './playground';

test('a flipped byte is red where it lies, on its branch alone', async ({ page, site }) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('fill 200 --words --seed 7; flush; run');
  const picture = page.getByRole('listbox', { name: /^Picture of the tree/ });
  const tables = picture.getByRole('option', { name: /^table \d+/ });
  const signs = picture.locator('.damage');
  await expect(tables.first()).toBeAttached();
  await expect(signs).toHaveCount(0);
  const name = (await tables.first().getAttribute('aria-label')) ?? '';
  const table = Number(/^table (\d+)/.exec(name)?.[1]);

  const printed = (await playground.run(`corrupt table:${table} --node block:1 4`)).join(' ');
  const offset = Number(/Byte ([\d,]+) of/.exec(printed)?.[1]?.replaceAll(',', ''));
  expect(offset, printed).toBeGreaterThan(0);
  await expect(signs).toHaveCount(1);
  await expect(signs).toContainText('▲');
  await expect(
    picture.getByRole('option', { name: new RegExp(`^table ${table}\\b.*damaged at offset`) }),
  ).toBeAttached();

  await tables.first().click();
  const note = page.locator('.damage-note');
  await expect(note).toContainText(`offset ${offset} was changed: bits 00000100 are flipped`);

  await note.getByRole('button', { name: /^offset/ }).click();
  await expect(page.locator('.byte.flipped').first()).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const check = (await playground.run('check')).join(' ');
  expect(check).toMatch(new RegExp(`0*${table}\\.sst at \\d+: the block does not match`));

  // The files that are kept are sound: there nothing is red.
  await playground.run('branch main');
  await expect(signs).toHaveCount(0);
  expect((await playground.run('check')).join(' ')).toContain('no damage');
});

test('a database that cannot be opened again is reported, with the way back', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run('put a 1; flush; corrupt CURRENT 4096 1; options set strategy tiered');
  await expect(playground.narration).toContainText('No database is open. CURRENT is damaged');
  const card = page.getByRole('region', { name: 'No database is open' });
  await expect(card).toContainText('neither of its slots is valid');
  await expect(page.getByRole('listbox', { name: /^Picture of the tree/ })).toHaveCount(0);
  for (const name of ['Step', 'Play', 'Run'])
    await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  await card.getByRole('button', { name: 'branch main' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Step', exact: true })).toBeEnabled();
});
