// A Firefox as distributions ship it, over WebDriver BiDi: lessons, persistence, two tabs. Playwright drives only its own
// build of Firefox, so that another library does it here.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { type Authored, lessons } from './authored';
import { expect, test as withSite } from './harness';
import { PROMPT, readRows } from './playground';

const executablePath = process.env.LEVELSCOPE_FIREFOX ?? '';

/** A Firefox on a profile of its own, which outlives it. */
class Firefox {
  readonly profile = mkdtempSync(join(tmpdir(), 'levelscope-firefox-'));
  #browser: Browser | null = null;

  async start(): Promise<Visit> {
    this.#browser = await launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      userDataDir: this.profile,
      // A copy of the page in the browser would answer instead of the server.
      extraPrefsFirefox: { 'dom.serviceWorkers.enabled': false },
    });
    const [first] = await this.#browser.pages();
    return this.visit(first ?? (await this.#browser.newPage()));
  }

  async another(): Promise<Visit> {
    if (this.#browser === null) throw new Error('Firefox is not running.');
    return this.visit(await this.#browser.newPage());
  }

  private async visit(page: Page): Promise<Visit> {
    await page.setViewport({ width: 1280, height: 720 });
    return new Visit(page);
  }

  /** Ends it like a power switch: no page gets an event. */
  async kill(): Promise<void> {
    const process = this.#browser?.process();
    const gone = new Promise((resolve) => process?.once('exit', resolve));
    process?.kill('SIGKILL');
    await gone;
    this.#browser = null;
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    this.#browser = null;
  }
}

/** A visitor of the page. */
class Visit {
  readonly complaints: string[] = [];

  constructor(readonly page: Page) {
    // The page asks before its history is left.
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  async open(url: string): Promise<this> {
    await this.page.goto(url);
    await this.ready();
    return this;
  }

  async ready(): Promise<void> {
    await expect.poll(() => this.text('header')).toContain('Saved in this browser');
    await this.idle();
  }

  /** The text of an element, in one line; empty: it is not there. */
  async text(selector: string): Promise<string> {
    const read = (wanted: string) => document.querySelector<HTMLElement>(wanted)?.innerText ?? '';
    return (await this.page.evaluate(read, selector)).replace(/\s+/g, ' ');
  }

  /** The rows of the terminal, without the empty ones below. */
  async rows(): Promise<string[]> {
    const rows = await this.page.evaluate(() =>
      [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent ?? ''),
    );
    return readRows(rows);
  }

  /** Waits until no command is at work. */
  async idle(): Promise<void> {
    await expect.poll(async () => (await this.rows()).at(-1), { intervals: [20, 50] }).toBe(PROMPT);
  }

  /** Runs a line to its end; the rows that the terminal shows of it. */
  async run(line: string): Promise<string[]> {
    await this.page.focus('.xterm-helper-textarea');
    await this.page.keyboard.type(line);
    const last = async () => (await this.rows()).at(-1);
    await expect.poll(last, { intervals: [20] }).not.toBe(PROMPT);
    await this.page.keyboard.press('Enter');
    await this.idle();
    const rows = await this.rows();
    const echo = rows.findLastIndex((row) => row.startsWith(`${PROMPT} ${line.slice(0, 30)}`));
    return rows.slice(echo + 1, -1);
  }

  async press(name: string): Promise<void> {
    await this.page.locator(`::-p-aria([role="button"][name="${name}"])`).click();
  }
}

const test = withSite.extend<{ firefox: Firefox }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  firefox: async ({}, use) => {
    const firefox = new Firefox();
    await use(firefox);
    await firefox.stop();
    rmSync(firefox.profile, { recursive: true, force: true, maxRetries: 5 });
  },
});

test.skip(executablePath === '', 'There is no Firefox here.');

/** Plays a lesson to its end by keyboard, as its author would. */
async function plays(visit: Visit, { id, answers, solutions }: Authored): Promise<void> {
  const { keyboard } = visit.page;
  const [questions, tasks] = [[...answers], [...solutions]];
  await visit.run(`lesson start ${id}`);
  await keyboard.press('Escape');
  const state = async () => {
    const at = await visit.page.$eval('.lesson progress', (bar) => bar.value);
    return `${at} ${await visit.text('.lesson')}`;
  };
  for (;;) {
    const before = await state();
    if (before.includes('The lesson is over.')) break;
    const open = await visit.page.$('.lesson-ask:enabled [data-lesson-next]');
    if (open) {
      const right = questions.shift() ?? '?';
      const isChoice = await open.evaluate((field) => field.getAttribute('type') === 'radio');
      await open.focus();
      if (right === '?') await visit.press('I do not know');
      else if (isChoice) {
        // A space that comes over this protocol chooses nothing, on any page.
        for (let at = 1; at < Number(right); at += 1) await keyboard.press('ArrowDown');
        if (right === '1') {
          await keyboard.press('ArrowDown');
          await keyboard.press('ArrowUp');
        }
      } else await keyboard.type(right);
      if (right !== '?') {
        await visit.page.waitForSelector('.lesson-ask button[type=submit]:enabled');
        await keyboard.press('Enter');
      }
    } else if (before.includes('Let the lesson do it')) {
      for (const line of tasks.shift() ?? []) await visit.run(line);
    } else await keyboard.press('n');
    await expect.poll(state, { intervals: [20, 50, 100] }).not.toBe(before);
    await visit.idle();
    expect(await visit.page.$$('.lesson-wrong'), id).toHaveLength(0);
  }
  await visit.run('leave');
}

test('Firefox plays every lesson', { tag: '@slow' }, async ({ firefox, site }) => {
  test.setTimeout(900_000);
  const visit = await (await firefox.start()).open(site.url);
  await visit.run('put own 1');
  for (const lesson of lessons) await plays(visit, lesson);
  expect(await visit.run('get own')).toEqual(['1']);
  expect(visit.complaints).toEqual([]);
});

test('Firefox keeps the database when it is reloaded, and when it dies', async ({
  firefox,
  site,
}) => {
  const visit = await (await firefox.start()).open(site.url);
  await visit.run('fill 100 --words --seed 7; put apple red; flush; step phase 4');
  const before = await visit.run('scan --limit 3');
  await visit.open(site.url);
  expect(await visit.run('scan --limit 3')).toEqual(before);
  await visit.run('put pear green');
  expect(visit.complaints).toEqual([]);
  await firefox.kill();
  const later = await (await firefox.start()).open(site.url);
  expect(await later.run('get apple')).toEqual(['red']);
  expect(await later.run('get pear')).toEqual(['green']);
  expect((await later.run('check')).join(' ')).toContain('no damage');
  expect(later.complaints).toEqual([]);
});

test('Firefox lets one tab at a time write, and hands the database over', async ({
  firefox,
  site,
}) => {
  const first = await (await firefox.start()).open(site.url);
  await first.run('put apple red');
  const second = await firefox.another();
  await second.page.goto(site.url);
  await expect.poll(() => second.text('[role=alertdialog]')).toContain('Another tab owns');
  await second.press('Take over');
  await second.ready();
  expect(await second.run('get apple')).toEqual(['red']);
  await second.run('put pear green');
  await expect.poll(() => first.text('[role=alertdialog]')).toContain('taken over');
  await first.page.bringToFront();
  await first.press('Take the database back');
  await first.ready();
  expect(await first.run('get pear')).toEqual(['green']);
});
