// The page as a visitor uses it: by its labels.

import { expect, type Locator, type Page } from '@playwright/test';

export const PROMPT = 'lsm>';

/** The rows of a terminal as they are read, without the empty ones below. */
export function readRows(rows: readonly string[]): string[] {
  // The terminal draws spaces as non-breaking ones.
  const texts = rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd());
  while (texts.at(-1) === '') texts.pop();
  return texts;
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
    await expect.poll(() => this.lastRow()).toBe(PROMPT);
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

  /** Types a line and Enter, without waiting for what it does. */
  async type(line: string): Promise<void> {
    await this.commandLine.focus();
    await this.page.keyboard.insertText(line);
    await expect.poll(() => this.lastRow(), { intervals: [20] }).not.toBe(PROMPT);
    await this.page.keyboard.press('Enter');
  }

  /** Runs a line to its end; returns the output that the terminal shows. */
  async run(line: string): Promise<string[]> {
    await this.type(line);
    await this.idle();
    const rows = await this.rows();
    const echo = rows.findLastIndex((row) => row.startsWith(`${PROMPT} ${line.slice(0, 30)}`));
    return rows.slice(echo + 1, -1);
  }

  /** Waits until no command is at work. */
  async idle(): Promise<void> {
    await expect.poll(() => this.lastRow(), { intervals: [20, 50, 100] }).toBe(PROMPT);
    await expect(this.button(/^Stop/)).toHaveCount(0);
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
