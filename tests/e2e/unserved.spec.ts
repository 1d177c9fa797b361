// The server goes away while the page is at work, in a browser without a copy of the page: only what has to be fetched
// fails, and it can be tried again.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../scripts/serve.mjs';
import { expect, test } from './harness';
import { Playground } from './playground';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

test('the parts that are fetched later import only what is loaded already', () => {
  const assets = readdirSync(join(dist, 'assets'));
  const head = readFileSync(join(dist, 'index.html'), 'utf8');
  const scripts = assets.filter((name) => name.endsWith('.js') && !/^(lensW|w)orker-/.test(name));
  const parts = scripts.filter((name) => !head.includes(`./assets/${name}"`));
  expect(parts.map((name) => name.replace(/-.*/, '')).sort()).toEqual([
    'Drawing',
    'XtermView',
    'lensPart',
    'lessonTexts',
    'link',
    'otherWindows',
  ]);
  for (const part of parts) {
    const text = readFileSync(join(dist, 'assets', part), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?["'`]\.\/([^"'`]+)["'`]/g)];
    for (const [, file = ''] of imports) {
      expect(scripts, part).toContain(file);
      expect(parts, part).not.toContain(file);
    }
  }
  expect(assets.filter((name) => name.endsWith('.css'))).toHaveLength(1);
});

test('without the server all data can still be saved', async ({ page, complaints }) => {
  const server = await serve(dist);
  const playground = await new Playground(page).open(`http://localhost:${server.port}/`);
  await playground.run('fill 200 --words --seed 7; run; put apple red');
  server.stop();
  const download = page.waitForEvent('download');
  await playground.run('export');
  const archive = readFileSync(await (await download).path());
  expect(archive.subarray(0, 2).toString()).toBe('PK');
  await expect(page.getByText(/could not be fetched|has stopped/)).toHaveCount(0);
  expect((await playground.run('get apple')).join(' ')).toContain('red');
  complaints.length = 0;
});

test('charts that cannot be fetched are missing alone, and come when the server is back', async ({
  page,
  complaints,
}) => {
  const server = await serve(dist);
  const playground = await new Playground(page).open(`http://localhost:${server.port}/`);
  await playground.run('lab ladder');
  server.stop();
  await playground.button('Experiments').click();
  await playground.run('lab L1');
  const missing = page.getByText('The charts could not be fetched from the server');
  await expect(missing).toBeVisible();
  await expect(page.getByRole('table', { name: /Claim, original/ })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(missing).toBeVisible();
  const back = await serve(dist, { port: server.port });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.drawing svg').first()).toBeVisible();
  expect((await playground.run('put apple red; scan')).join(' ')).toContain('red');
  back.stop();
  complaints.length = 0;
});

test('a full terminal that cannot be fetched is replaced by the plain one', async ({
  page,
  complaints,
}) => {
  const server = await serve(dist);
  const url = `http://localhost:${server.port}/`;
  await page.addInitScript(() =>
    localStorage.setItem('levelscope.preferences', '{"plainTerminal":true}'),
  );
  await page.goto(url);
  await expect(page.getByText(/Saved in this browser/).first()).toBeVisible();
  await expect(page.getByRole('log')).toBeVisible();
  server.stop();
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('checkbox', { name: /plain/i }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByText('The full terminal could not be fetched')).toBeVisible();
  const line = page.getByRole('textbox', { name: 'Command line' });
  await line.fill('put apple red; scan');
  await line.press('Enter');
  await expect(page.getByRole('log')).toContainText('apple = red');
  const back = await serve(dist, { port: server.port });
  await page.getByRole('button', { name: 'Try again' }).click();
  const playground = new Playground(page);
  await expect.poll(async () => (await playground.rows()).join('\n')).toContain('apple = red');
  back.stop();
  complaints.length = 0;
});
