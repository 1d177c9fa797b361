// The page without a network: its copy, new versions, several tabs, other paths, and the way out.

import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { buildServiceWorker } from '../../scripts/offline.mjs';
import { serve } from '../../scripts/serve.mjs';
import { test as base, expect } from './harness';
import { Playground } from './playground';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** The build on a server that can be stopped and can get a new version. */
interface Server {
  /** Address of the page, with a slash at its end. */
  url: string;
  /** The page under another path of the same origin. */
  otherUrl: string;
  stop(): void;
  back(): Promise<void>;
  /** Makes a new version of the page, with one more comment. */
  deploy(): Promise<void>;
  /** Changes a file after its hash was listed. */
  spoil(): void;
}

const test = base.extend<{ server: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  server: async ({}, use) => {
    const root = mkdtempSync(join(tmpdir(), 'levelscope-offline-'));
    const site = join(root, 'deep', 'path');
    for (const directory of [site, join(root, 'other')])
      cpSync(dist, directory, { recursive: true });
    let running = await serve(root);
    const { port } = running;
    await use({
      url: `http://localhost:${port}/deep/path/`,
      otherUrl: `http://localhost:${port}/other/`,
      stop: () => running.stop(),
      back: async () => {
        running = await serve(root, { port });
      },
      deploy: async () => {
        appendFileSync(join(site, 'index.html'), '<!-- the next version -->\n');
        await buildServiceWorker(site);
      },
      spoil: () => appendFileSync(join(site, 'icons', 'icon-192.png'), ' '),
    });
    running.stop();
    rmSync(root, { recursive: true, force: true });
  },
});

test.use({ serviceWorkers: 'allow' });

const offer = (page: Page) => page.getByText('A new version is here.');
const caches = (page: Page) => page.evaluate(() => window.caches.keys());

/** Waits until the copy of the page is complete and answers for it, at the path on show. */
async function copied(page: Page): Promise<void> {
  const scope = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? null);
  await expect.poll(scope).toBe(new URL('sw.js', page.url()).href);
}

/** Whether the page is the deployed one. */
const isNext = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.childNodes,
      ...document.documentElement.childNodes,
      ...document.body.childNodes,
    ].some((node) => node.nodeType === Node.COMMENT_NODE),
  );

test('after one visit everything works without a network', async ({ page, server, complaints }) => {
  const playground = await new Playground(page).open(server.url);
  await copied(page);
  server.stop();
  await page.reload();
  await playground.ready();
  await copied(page);
  await playground.run('put a 1');
  expect((await playground.run('get a')).join(' ')).toContain('1');
  // The charts are fetched when they are first used.
  await playground.button('Experiments').click();
  const report = (await playground.run('lab L13 --records 1000')).join(' ');
  expect(report).toMatch(/bytes/);
  await page.getByRole('button', { name: /^L13/ }).click();
  await expect(page.locator('.drawing svg').first()).toBeVisible();
  await playground.button('Files').click();
  await expect(page.getByRole('region', { name: 'Bytes of files' })).toBeVisible();
  await playground.button('Help').click();
  await expect(page.getByText('This browser keeps a copy of the page.')).toBeVisible();
  // Another page of the session, by an address with a query.
  await page.goto(`${server.url}?from=elsewhere`);
  await playground.ready();
  expect((await playground.run('get a')).join(' ')).toContain('1');
  expect(complaints).toEqual([]);
});

test('a visit that brought the copy goes on without a network', async ({ page, server }) => {
  const playground = await new Playground(page).open(server.url);
  await copied(page);
  server.stop();
  await playground.button('Experiments').click();
  await playground.run('lab L13 --records 1000');
  await page.getByRole('button', { name: /^L13/ }).click();
  await expect(page.locator('.drawing svg').first()).toBeVisible();
});

test('a new version changes nothing until a person loads it, in all tabs', async ({
  page,
  browserOnDisk,
  server,
}) => {
  const first = await new Playground(page).open(server.url);
  await copied(page);
  await first.run('put a 1');
  const before = await caches(page);
  await server.deploy();
  const second = await browserOnDisk.context.newPage();
  await second.goto(server.url);
  await expect(offer(page)).toBeVisible();
  await expect(offer(second)).toBeVisible();
  for (const tab of [page, second]) expect(await isNext(tab)).toBe(false);
  // The old version keeps its copy, and a reload alone does not end it.
  expect(await caches(page)).toEqual(expect.arrayContaining(before));
  await second.reload();
  await expect(offer(second)).toBeVisible();
  expect(await isNext(second)).toBe(false);
  expect((await first.run('get a')).join(' ')).toContain('1');

  const load = page.getByRole('button', { name: 'Load it' });
  await expect(load).toHaveAttribute('title', /history and the branches.*end.*database stays/);
  await load.click();
  for (const tab of [page, second]) {
    await expect.poll(() => isNext(tab).catch(() => false)).toBe(true);
    await expect(offer(tab)).toHaveCount(0);
  }
  await expect.poll(async () => (await caches(page)).length).toBe(1);
  expect(await caches(page)).not.toEqual(before);
  await second.close();
  await page.reload();
  await first.ready();
  expect((await first.run('get a')).join(' ')).toContain('1');
});

test('two paths of one origin have a copy each', async ({ page, server }) => {
  await page.goto(server.otherUrl);
  await copied(page);
  await page.goto(server.url);
  await copied(page);
  const paths = (await caches(page)).map((name) => name.replace(/^.*@/, ''));
  expect(paths.sort()).toEqual(['/deep/path/', '/other/']);
});

test('a version of which one file does not match is not kept', async ({ page, server }) => {
  await page.goto(server.url);
  await copied(page);
  const before = await caches(page);
  await server.deploy();
  server.spoil();
  await page.reload();
  await new Playground(page).ready();
  // The browser asks for the worker, whose list does not hold, and then for nothing more.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update().catch(() => undefined);
  });
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const { installing, waiting } = await navigator.serviceWorker.ready;
        return [installing, waiting];
      }),
    )
    .toEqual([null, null]);
  await expect.poll(() => caches(page)).toEqual(before);
  await expect(offer(page)).toHaveCount(0);
  expect(await isNext(page)).toBe(false);
});

test('the address ?sw=off ends the copy of this path and no other', { tag: '@slow' }, async ({
  page,
  server,
}) => {
  const playground = await new Playground(page).open(server.otherUrl);
  await copied(page);
  await page.goto(server.url);
  await copied(page);
  await page.goto(`${server.url}?sw=off`);
  await playground.ready();
  const scopes = () =>
    page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(
        ({ scope }) => new URL(scope).pathname,
      ),
    );
  await expect.poll(scopes).toEqual(['/other/']);
  await expect.poll(async () => (await caches(page)).length).toBe(1);
  // The next ordinary visit makes a copy again.
  await page.goto(server.url);
  await copied(page);
  await expect.poll(async () => (await caches(page)).length).toBe(2);
});

test('the page can be installed', { tag: '@slow' }, async ({ page, server }) => {
  await new Playground(page).open(server.url);
  await copied(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '{}')).toEqual(
    JSON.parse(readFileSync(join(dist, 'manifest.webmanifest'), 'utf8')),
  );
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

test('an offer leaves header and picture whole, and stays out of a presentation', {
  tag: '@slow',
}, async ({ page, server }) => {
  const playground = await new Playground(page).open(server.url);
  await copied(page);
  await playground.run('fill 90 --words --seed 7; run; fill 60 --words --seed 9; flush; fork');
  await server.deploy();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(offer(page)).toBeVisible();
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 720 });
    const line = await offer(page).boundingBox();
    expect((line?.x ?? -1) >= 0 && (line?.width ?? width + 1) <= width, `${width} pixels`).toBe(
      true,
    );
    await expect(page.locator('#stage')).toBeInViewport();
  }
  await playground.button('Present').click();
  await expect(offer(page)).toBeHidden();
});

test('a part that the server no longer has brings one offer to load the page again', {
  tag: '@slow',
}, async ({ page, server }) => {
  await new Playground(page).open(`${server.url}?sw=off`);
  await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError')));
  await expect(offer(page)).toBeVisible();
  await page.getByRole('button', { name: 'Load it' }).click();
  await expect(offer(page)).toHaveCount(0);
  await new Playground(page).ready();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.method()));
  await page.evaluate(() => window.dispatchEvent(new Event('vite:preloadError')));
  await expect(offer(page)).toHaveCount(0);
  expect(asked).not.toContain('HEAD');
});

test.describe('where the browser denies service workers', () => {
  test.use({ serviceWorkers: 'block' });
  test('the page works without a message', async ({ page, server }) => {
    const playground = await new Playground(page).open(server.url);
    await playground.run('put a 1');
    await playground.button('Help').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByText('Works offline')).toHaveCount(0);
    await expect(offer(page)).toHaveCount(0);
    expect(await caches(page)).toEqual([]);
  });
});
