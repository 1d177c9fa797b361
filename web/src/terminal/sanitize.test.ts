import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputLine } from '../model/engine.generated';
import { sanitize } from '../model/sanitize';
import { paintEntry, paintLine } from './paint';

const nasty = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom(
      '\x1b',
      '\x1b[2J',
      '\x9b',
      '\x07',
      '\r',
      '\n',
      '\u202e',
      '\u2066',
      '\x7f',
      '\x1b]8;;x\x1b\\',
    ),
  ),
  maxLength: 60,
});

/** Characters that must never reach a terminal. */
const DANGEROUS = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('sanitize', () => {
  it('lets nothing through that a terminal obeys or that hides a text', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(sanitize(text)).not.toMatch(DANGEROUS);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves letters, marks and emoji alone', () => {
    for (const text of ['put apple', 'naïve', 'Ελλάδα', '日本語', 'e\u0301', '👩‍👩‍👧', 'नि']) {
      expect(sanitize(text)).toBe(text);
    }
  });

  it('shows what it took as bytes', () => {
    expect(sanitize('\x1b[31m')).toBe('\\x1b[31m');
    expect(sanitize('a\u202eb')).toBe('a\\xe2\\x80\\xaeb');
    expect(sanitize('\x00')).toBe('\\x00');
  });
});

function write(terminal: Terminal, data: string): Promise<void> {
  return new Promise((resolve) => terminal.write(data, resolve));
}

describe('painted lines in a real terminal', () => {
  it('each line ends where the next begins, whatever its text', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (text, link) => {
        const terminal = new Terminal({ cols: 800, rows: 10, allowProposedApi: true });
        const line: OutputLine = {
          spans: [
            { text, style: 'bad' },
            { text, style: { link } },
          ],
        };
        await write(terminal, paintLine(line, 80));
        const entry = { id: 1, kind: 'input' as const, prompt: 'lsm> ', text };
        await write(terminal, paintEntry(entry, 80));
        await write(terminal, 'END');
        const { active } = terminal.buffer;
        const rows = Math.ceil((sanitize(text).length * 8 + 10) / 800) + 1;
        expect(active.getLine(0)?.translateToString(true).includes('END')).toBe(false);
        expect(active.cursorX).toBe(3);
        expect(active.cursorY).toBeLessThanOrEqual(2 * rows);
        expect(terminal.modes.applicationCursorKeysMode).toBe(false);
        expect(active.type).toBe('normal');
        terminal.dispose();
      }),
      { numRuns: 60 },
    );
  });
});
