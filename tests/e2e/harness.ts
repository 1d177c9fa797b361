// Shared by the browser tests: the production build on a static server under a sub-path, a browser with a profile on
// disk (an incognito context would keep its files in memory), and the means to end that browser violently.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, test as base, chromium, type Page } from '@playwright/test';
import { serve } from '../../scripts/serve.mjs';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const suite = fileURLToPath(new URL('../../target/conformance', import.meta.url));
const suiteWorker = fileURLToPath(new URL('conformanceWorker.js', import.meta.url));

/** The build, served under a path that the build does not know. */
export type Site = {
  /** Address of the page, with a slash at its end. */
  url: string;
  /** The same build in a browser whose worker is refused the origin's file system. */
  deniedUrl: string;
  origin: string;
  /** Path of the engine worker below `url`. */
  worker: string;
};

/** Room for the longest answers that the tests read [px]. */
const TERMINAL_HEIGHT = 236;

/** As if a visitor had moved the divider above the terminal before. */
function rememberTerminal(terminalHeight: number): void {
  try {
    const store = window.localStorage;
    const key = 'levelscope.preferences';
    if (store.getItem(key) === null) store.setItem(key, JSON.stringify({ terminalHeight }));
  } catch {
    // This page has no storage.
  }
}

/** A browser on a profile of its own, which outlives the browser. */
export class Browser {
  #context: BrowserContext | null = null;
  readonly profile: string;

  constructor(profile: string) {
    this.profile = profile;
  }

  async start(serviceWorkers: 'allow' | 'block' = 'block'): Promise<BrowserContext> {
    const executablePath = process.env.LEVELSCOPE_CHROMIUM;
    this.#context = await chromium.launchPersistentContext(this.profile, {
      ...(executablePath === undefined ? {} : { executablePath }),
      headless: true,
      serviceWorkers,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        // Each origin compiles the engine anew; the package's tests and Firefox have it optimized.
        '--js-flags=--liftoff-only --wasm-lazy-validation',
      ],
    });
    await this.#context.addInitScript(rememberTerminal, TERMINAL_HEIGHT);
    return this.#context;
  }

  get context(): BrowserContext {
    if (this.#context === null) throw new Error('The browser is not running.');
    return this.#context;
  }

  /** Kills the browser like a power switch: no page gets an event. */
  async kill(): Promise<void> {
    const session = await this.context.browser()?.newBrowserCDPSession();
    const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
    const main = processInfo.find(({ type }) => type === 'browser');
    if (main === undefined) throw new Error('The browser reports no process of its own.');
    const gone = new Promise((resolve) => this.context.once('close', resolve));
    process.kill(main.id, 'SIGKILL');
    await gone;
    this.#context = null;
    // The lock names a process that is gone; a new browser would take it over, but only after a wait.
    for (const name of readdirSync(this.profile)) {
      if (name.startsWith('Singleton')) rmSync(join(this.profile, name), { force: true });
    }
  }

  async stop(): Promise<void> {
    await this.#context?.close();
    this.#context = null;
  }
}

/** Limits what this origin may store [bytes]; needs an open page of the origin. */
export async function limitQuota(page: Page, origin: string, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
}

/** Code before the worker's: the origin refuses its files. */
const REFUSAL = `navigator.storage.getDirectory = () => Promise.reject(new DOMException('denied by the test', 'SecurityError'));\n`;

/** Code before the worker's: the engine fails at every command as a bug would. */
const BUG = `const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = async (...from) => {
  const { module, instance } = await instantiateStreaming(...from);
  const engine_begin = () => { throw new WebAssembly.RuntimeError('a test asked for it'); };
  return { module, instance: { exports: { ...instance.exports, engine_begin } } };
};
`;

function prepareSite(): { directory: string; worker: string } {
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-site-'));
  for (const variant of ['play', 'denied'])
    cpSync(dist, join(directory, variant), { recursive: true });
  const worker = readdirSync(join(dist, 'assets')).find((name) => /^worker-.*\.js$/.test(name));
  if (worker === undefined)
    throw new Error('The build has no worker: dist/assets/worker-*.js is missing.');
  // It is built for the tests that run it alone.
  if (existsSync(suite)) {
    cpSync(suite, join(directory, 'play', 'conformance'), { recursive: true });
    cpSync(suiteWorker, join(directory, 'play', 'conformance', 'worker.js'));
  }
  // A page of the same origin that does nothing: from here a test talks to the worker itself.
  const blank =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>rig</title><link rel="icon" href="data:,"></html>';
  for (const variant of ['play', 'denied']) {
    writeFileSync(join(directory, variant, 'rig.html'), blank);
  }
  const denied = join(directory, 'denied', 'assets', worker);
  const program = readFileSync(denied, 'utf8');
  writeFileSync(denied, REFUSAL + program);
  writeFileSync(join(directory, 'play', 'assets', 'broken-worker.js'), BUG + program);
  // `npm run build` has made one.
  rmSync(`${denied}.br`, { force: true });
  return { directory, worker: `assets/${worker}` };
}

type Served = { port: number; worker: string };

let tests = 0;

/** Each test has an origin of its own: what one stores is in no other's way, so tests can share a browser. */
function newOrigin({ port }: Served): string {
  tests += 1;
  return `http://test-${tests}.localhost:${port}`;
}

/** A browser on a profile that ends with it. */
async function withBrowser(use: (browser: Browser) => Promise<void>, workers?: 'allow' | 'block') {
  const profile = mkdtempSync(join(tmpdir(), 'levelscope-profile-'));
  const browser = new Browser(profile);
  await browser.start(workers);
  await use(browser);
  await browser.stop();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

export const test = base.extend<
  { ownBrowser: boolean; site: Site; browserOnDisk: Browser; page: Page; complaints: string[] },
  { served: Served; sharedBrowser: Browser }
>({
  /** Tests that end their browser, or need one that no other test has touched. */
  ownBrowser: [false, { option: true }],
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const { directory, worker } = prepareSite();
      const { port, stop } = await serve(directory);
      await use({ port, worker });
      stop();
      rmSync(directory, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  sharedBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => withBrowser(use),
    { scope: 'worker' },
  ],
  site: async ({ served }, use) => {
    const origin = newOrigin(served);
    const { worker } = served;
    await use({ url: `${origin}/play/`, deniedUrl: `${origin}/denied/`, origin, worker });
  },
  browserOnDisk: async ({ ownBrowser, sharedBrowser, serviceWorkers }, use) => {
    if (ownBrowser || serviceWorkers === 'allow') return withBrowser(use, serviceWorkers);
    const before = sharedBrowser.context.pages();
    await use(sharedBrowser);
    const after = sharedBrowser.context.pages().filter((page) => !before.includes(page));
    await Promise.all(after.map((page) => page.close()));
  },
  /** Errors on the page's console; a test that provokes errors empties the list. */
  complaints: async ({ browserOnDisk }, use, info) => {
    const complaints: string[] = [];
    const watch = (page: Page) => {
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
    };
    const { context } = browserOnDisk;
    context.on('page', watch);
    for (const page of context.pages()) watch(page);
    await use(complaints);
    context.off('page', watch);
    if (info.status === 'passed' && complaints.length > 0) {
      throw new Error(`The page reported errors:\n${complaints.join('\n')}`);
    }
  },
  page: async ({ browserOnDisk, complaints: _ }, use) => {
    await use(await browserOnDisk.context.newPage());
  },
});

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

export { expect } from '@playwright/test';
