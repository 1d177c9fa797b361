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
    'LabChart',
    'XtermView',
    'lensPart',
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

/** The rest of the engine's module, which is fetched after the engine is ready. */
const REST = /\/levelscope_part[\w-]*\.wasm$/;

test('the rest of the engine is fetched after it is ready, and once', async ({ page, site }) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const [name] = /levelscope_\w+(?=[\w-]*\.wasm)/.exec(request.url()) ?? [];
    if (name !== undefined) fetched.push(`${name.replace(/_bg.*/, '')}, ${request.resourceType()}`);
  });
  const playground = await new Playground(page).open(site.url);
  const both = ['levelscope_wasm, fetch', 'levelscope_part, fetch'];
  // A command of the rest waits for the fetch that is on its way. (A function that is called before it has arrived would
  // be fetched at once, see below.)
  expect((await playground.run('convert ladder-varint --name t.sst')).join(' ')).toContain(
    '@t.sst',
  );
  expect(fetched).toEqual(both);
  await playground.run('fill 200 --words --seed 7; run; explain get apple');
  await playground.run('lab ladder; entries @t.sst; mem; stats');
  expect(fetched).toEqual(both);
});

test('a first visit needs nothing of the rest', async ({ page, site, complaints }) => {
  const asked: string[] = [];
  await page.route(REST, (route, request) => {
    asked.push(request.resourceType());
    return route.abort();
  });
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red; put pear green; del pear; get apple');
  await playground.run('fill 40 --words --seed 7');
  for (let count = 0; count < 12; count += 1) {
    const before = (await playground.narration.textContent()) ?? '';
    await playground.button(/Step$/).click();
    await playground.idle();
    await expect(playground.narration).not.toHaveText(before);
  }
  await playground.run('fill 120 --words --seed 8; run');
  expect(await playground.run('get apple')).toEqual(['red']);
  // Only what fetches it ahead has asked, which keeps no call waiting.
  expect(asked).toEqual(['fetch']);
  complaints.length = 0;
});

test('a command of the rest that cannot be fetched is told, and runs when the server is back', async ({
  page,
  site,
  complaints,
}) => {
  await page.route(REST, (route) => route.abort());
  const playground = await new Playground(page).open(site.url);
  const told = (await playground.run('put apple red; lab ladder')).join(' ');
  expect(told).toContain('could not be fetched from the server');
  expect(told).toContain('Run the command again');
  expect((await playground.run('get apple')).join(' ')).toContain('red');
  await page.unroute(REST);
  expect((await playground.run('convert ladder-varint --name t.sst')).join(' ')).toContain(
    '@t.sst',
  );
  expect((await playground.run('entries @t.sst')).join(' ')).toContain('apple');
  expect((await playground.run('lab ladder')).join(' ')).not.toContain('could not be fetched');
  complaints.length = 0;
});

test('a function of the rest that is missing amid a call is fetched at once', async ({
  page,
  site,
  complaints,
}) => {
  await page.route(REST, (route, request) =>
    request.resourceType() === 'xhr' ? route.continue() : route.abort(),
  );
  const playground = await new Playground(page).open(site.url);
  // Memtables as text are not among what a first visit does, although their newest entries are.
  expect((await playground.run('put apple red; mem')).join(' ')).toContain('memtable');
  expect((await playground.run('lab ladder')).join(' ')).not.toContain('could not be fetched');
  complaints.length = 0;
});

test('a function of the rest that does not come stops the engine with a sentence; nothing is lost', async ({
  page,
  site,
  complaints,
}) => {
  await page.route(REST, (route) => route.abort());
  const playground = await new Playground(page).open(site.url);
  await playground.run('put apple red');
  await playground.type('mem; put apple green');
  const notice = page.getByRole('alertdialog', { name: 'The engine has stopped' });
  await expect(notice).toContainText('could not be fetched from the server');
  await page.unroute(REST);
  await notice.getByRole('button', { name: 'Reload the page' }).click();
  await playground.ready();
  expect((await playground.run('get apple')).join(' ')).toContain('red');
  complaints.length = 0;
});

test('without the server all data can still be saved, and archives opened', async ({
  page,
  complaints,
}) => {
  const server = await serve(dist);
  const playground = await new Playground(page).open(`http://localhost:${server.port}/`);
  await playground.run('fill 200 --words --seed 7; run; put apple red');
  // Both need the rest of the module, which was fetched ahead.
  await playground.run('kvdb put key1 value1');
  server.stop();
  const download = page.waitForEvent('download');
  await playground.run('export');
  const archive = readFileSync(await (await download).path());
  expect(archive.subarray(0, 2).toString()).toBe('PK');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'copy.zip', mimeType: '', buffer: archive });
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toBeVisible();
  await playground.idle();
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
  await expect(page.locator('.lab-chart svg').first()).toBeVisible();
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
