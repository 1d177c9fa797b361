// The page as a visitor uses it: by its labels.

import { expect, type Locator, type Page } from '@playwright/test';

export const PROMPT = 'lsm>';

/** How the row of a typed line begins. */
const echoOf = (line: string): string => `${PROMPT} ${line.slice(0, 30)}`.trimEnd();

/** The rows of a terminal as they are read, without the empty ones below. */
export function readRows(rows: readonly string[]): string[] {
  // The terminal draws spaces as non-breaking ones.
  const texts = rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  while (texts.at(-1) === '') texts.pop();
  return texts;
}

/** A look at the terminal that the page itself takes. */
type Look = { commandLine: true } | { echo: string } | { isStopped: boolean };

/** Waits in the page until it looks like that, and answers the rows of the terminal: asked from here it would cost more. */
function waitInside({
  look,
  limit,
  prompt,
}: {
  look: Look;
  limit: number;
  prompt: string;
}): Promise<string[]> {
  const rows = () =>
    [...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent ?? '');
  const texts = () => rows().map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  const lastRow = () => texts().findLast((text) => text !== '') ?? '';
  const lastEcho = () => texts().findLast((text) => text.startsWith(`${prompt} `)) ?? '';
  const nameOf = (button: Element) => button.ariaLabel ?? button.textContent ?? '';
  const stops = () =>
    [...document.querySelectorAll('button')].some((each) => /^\s*Stop/.test(nameOf(each)));
  const isThere = () => {
    if ('echo' in look) return lastRow() !== prompt && lastEcho().startsWith(look.echo);
    if ('isStopped' in look) return lastRow() === prompt && !(look.isStopped && stops());
    const field = document.querySelector<HTMLElement>('[aria-label^="Command line"]');
    field?.focus();
    return field !== null && document.activeElement === field;
  };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const check = () => {
      if (isThere()) resolve(rows());
      else if (performance.now() - begun < limit) setTimeout(check, 10);
      else reject(new Error(`After ${limit} ms the terminal ends with ${lastRow()}`));
    };
    check();
  });
}

export class Playground {
  readonly page: Page;
  readonly commandLine: Locator;
  readonly narration: Locator;

  constructor(page: Page) {
    this.page = page;
    this.commandLine = page.getByRole('textbox', { name: /^Command line/ });
    this.narration = page.locator('.narration .sentence');
  }

  /** Opens the page and waits until commands can be typed. */
  async open(url: string, storage: 'saved' | 'not saved' = 'saved'): Promise<this> {
    await this.page.goto(url);
    await this.ready(storage);
    return this;
  }

  async ready(storage: 'saved' | 'not saved' = 'saved'): Promise<void> {
    const badge = storage === 'saved' ? /Saved in this browser/ : /Not saved/;
    await expect(this.page.getByText(badge).first()).toBeVisible();
    await this.#until({ isStopped: false });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** The rows that the terminal shows, from top to bottom, without the empty ones below. */
  async rows(): Promise<string[]> {
    return readRows(await this.page.locator('.xterm-rows > div').allTextContents());
  }

  async lastRow(): Promise<string> {
    return (await this.rows()).at(-1) ?? '';
  }

  #until(look: Look): Promise<string[]> {
    return this.page.evaluate(waitInside, { look, limit: 120_000, prompt: PROMPT });
  }

  /** Types a line and Enter, without waiting for what it does. */
  async type(line: string): Promise<void> {
    await this.#until({ commandLine: true });
    await this.page.keyboard.insertText(line);
    // A busy machine draws late: a prompt that follows the typed line is the one after it.
    await this.#until({ echo: echoOf(line) });
    await this.page.keyboard.press('Enter');
  }

  /** Runs a line to its end; returns the output that the terminal shows. */
  async run(line: string): Promise<string[]> {
    await this.type(line);
    const rows = readRows(await this.idle());
    const echo = rows.findLastIndex((row) => row.startsWith(echoOf(line)));
    return rows.slice(echo + 1, -1);
  }

  /** Waits until no command is at work; the rows of the terminal then. */
  idle(): Promise<string[]> {
    return this.#until({ isStopped: true });
  }
}

/** Makes the window so tall that the terminal shows the whole output of a command. */
export async function tall(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 3000 });
  const remember = () =>
    localStorage.setItem('levelscope.preferences', JSON.stringify({ terminalHeight: 800 }));
  // For the page to come, and for the one on show as if its divider were moved.
  await page.addInitScript(remember);
  const divider = page.getByRole('separator', { name: 'Height of the terminal' });
  if ((await divider.count()) === 0) return;
  const box = await divider.boundingBox();
  if (!box) return;
  await page.mouse.move(box.x + box.width / 2, box.y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, 2200, { steps: 3 });
  await page.mouse.up();
}
