// Chromium and Firefox, each with a profile of its own that outlives it: files of incognito windows are only in memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser as chromiumPath, firefox as firefoxPath } from '../../../scripts/browser.mjs';

const profileOf = (name) => mkdtempSync(join(tmpdir(), `levelscope-js-${name}-`));
const remove = (profile) => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });

/** The common part of both: pages with `goto`, `reload`, `evaluate` and `close`. */
export class Chromium {
  profile = profileOf('chromium');
  /** Answers the path of the program. */
  path = chromiumPath;
  #context;
  #close;

  /** `isPrivate`: its pages are in a private window. */
  async start({ isPrivate = false } = {}) {
    const { chromium } = await import('playwright-core');
    const options = {
      executablePath: await this.path(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    };
    if (isPrivate) {
      const browser = await chromium.launch(options);
      this.#context = await browser.newContext();
      this.#close = () => browser.close();
    } else {
      this.#context = await chromium.launchPersistentContext(this.profile, options);
      this.#close = () => this.#context?.close();
    }
    return this;
  }

  async page(url) {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(url);
    return page;
  }

  /** A session of the DevTools protocol. */
  protocol(page) {
    return this.#context.newCDPSession(page);
  }

  /** Ends it like a power switch. */
  async kill() {
    const session = await this.#context.browser().newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const gone = new Promise((resolve) => this.#context.once('close', resolve));
    process.kill(processInfo.find(({ type }) => type === 'browser').id, 'SIGKILL');
    await gone;
    rmSync(join(this.profile, 'SingletonLock'), { force: true });
    this.#context = undefined;
  }

  async stop() {
    await this.#close?.();
    remove(this.profile);
  }
}

export class Firefox {
  profile = profileOf('firefox');
  #browser;

  static isThere = async () => (await firefoxPath()) !== null;

  async start() {
    const { launch } = await import('puppeteer-core');
    this.#browser = await launch({
      browser: 'firefox',
      executablePath: await firefoxPath(),
      headless: true,
      userDataDir: this.profile,
      protocolTimeout: 600_000,
      // Tabs side by side are all at work.
      extraPrefsFirefox: { 'dom.min_background_timeout_value': 4 },
    });
    return this;
  }

  async page(url) {
    const page = await this.#browser.newPage();
    await page.goto(url);
    return page;
  }

  async kill() {
    const child = this.#browser.process();
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    this.#browser = undefined;
  }

  async stop() {
    await this.#browser?.close();
    remove(this.profile);
  }
}
