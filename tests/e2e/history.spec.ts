// Steps, branches and bookmarks of earlier visits are there when the page is loaded again.

import { expect, test } from './harness';
import { Playground } from './playground';
import { outOfTerminal, pictured, stepOf } from './steps';

test.use({ ownBrowser: true });

const FILL = 'fill 120 --words --seed 7; run; put apple red';

test('history, branches and bookmarks are there after a reload, and lead back', async ({
  page,
  site,
}) => {
  const playground = await new Playground(page).open(site.url);
  await playground.run(FILL);
  await playground.run('bookmark the first --at 40');
  await outOfTerminal(page);
  const last = await stepOf(page);
  for (let back = 0; back < 5; back += 1) await page.keyboard.press('ArrowLeft');
  const before = await pictured(page);
  await page.keyboard.press('End');
  await playground.run('fork 30; put b 2; branch main');

  await page.reload();
  await playground.ready();
  await expect
    .poll(async () => (await playground.rows()).join('\n'))
    .toContain('last visit is there');
  await expect.poll(async () => (await playground.rows()).join('\n')).toContain('is there again');
  expect((await playground.run('get apple')).join(' ')).toContain('red');
  await outOfTerminal(page);
  expect(await stepOf(page)).toBeGreaterThan(last);
  await playground.run(`goto ${last - 5}`);
  await expect.poll(() => pictured(page)).toBe(before);
  expect((await playground.run('bookmark --list')).join(' ')).toContain('the first');
  expect((await playground.run('branches')).join(' ')).toContain('fork 1');
  await playground.run('branch 1');
  expect((await playground.run('get b')).join(' ')).toContain('2');

  // Nothing is asked when the page is left: nothing is lost.
  let asked = false;
  page.on('dialog', (dialog) => {
    asked = true;
    void dialog.accept();
  });
  await page.reload();
  await playground.ready();
  expect(asked).toBe(false);
  expect((await playground.run('branches')).join(' ')).toContain('fork 1');
});

test('a browser that was killed finds the history of its last command', async ({
  browserOnDisk,
  site,
}) => {
  const playground = await new Playground(
    browserOnDisk.context.pages()[0] ?? (await browserOnDisk.context.newPage()),
  ).open(site.url);
  await playground.run(FILL);
  await playground.run('crash --keep none');
  await outOfTerminal(playground.page);
  const last = await stepOf(playground.page);
  await browserOnDisk.kill();
  const page = await (await browserOnDisk.start()).newPage();
  const again = await new Playground(page).open(site.url);
  await expect
    .poll(async () => (await again.rows()).join('\n'))
    .toContain('Branch crash 1 of your last visit');
  await again.run('branch 1');
  await expect.poll(() => stepOf(page)).toBe(last);
  expect((await again.run('branch main; get apple')).join(' ')).toContain('red');
});
