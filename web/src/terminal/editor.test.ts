import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../model/sanitize';
import { completeLine, inColumns } from './completion';
import { type EditorState, edit, emptyLine, inserted } from './editor';
import { loadHistory, remember, searchBack } from './history';
import { type Key, parseKeys } from './keys';
import { letterBefore } from './letters';
import { erase, paintEditor } from './paint';
import { readPaste } from './paste';
import { codePointWidth } from './width';

const HISTORY = ['put a 1', 'scan', 'put b 2'];

/** Columns of `text` on one endless line. */
function textColumns(text: string): number {
  return [...text].reduce((sum, letter) => sum + codePointWidth(letter.codePointAt(0) ?? 0), 0);
}

function type(data: string, history = HISTORY, from = emptyLine(history)): EditorState {
  return parseKeys(data).reduce((state, key) => edit(state, key, history).state, from);
}

function press(state: EditorState, ...keys: Key['key'][]): EditorState {
  return keys.reduce((before, key) => edit(before, { key } as Key, HISTORY).state, state);
}

describe('line editor', () => {
  it('inserts, deletes and moves by letters', () => {
    const family = '👩‍👩‍👧';
    let state = type(`a${family}b`);
    expect(letterBefore(state.text, state.text.length - 1)).toBe(1);
    state = press(state, 'left', 'backspace');
    expect(state.text).toBe('ab');
    state = press(type('e\u0301x'), 'left', 'backspace');
    expect(state.text).toBe('x');
  });

  it('drops the key that leads into the terminal from the beginning of a line', () => {
    expect(type('/branch main').text).toBe('branch main');
    expect(type('//').text).toBe('');
    expect(type('lab a/b').text).toBe('lab a/b');
  });

  it('knows the readline keys', () => {
    expect(press(type('put apple red'), 'killWord').text).toBe('put apple ');
    expect(press(type('put apple'), 'home', 'killToEnd').text).toBe('');
    expect(press(type('put apple'), 'killToStart', 'yank', 'yank').text).toBe('put appleput apple');
    expect(press(type('put apple'), 'wordLeft').cursor).toBe(4);
    expect(type('put apple\x01x').text).toBe('xput apple');
    expect(type('ab\x1b[D\x1b[3~').text).toBe('a');
  });

  it('walks through the history and comes back to the draft', () => {
    let state = type('dra');
    state = press(state, 'up');
    expect(state.text).toBe('put b 2');
    state = press(state, 'up', 'up', 'up');
    expect(state.text).toBe('put a 1');
    state = press(state, 'down', 'down', 'down');
    expect(state.text).toBe('dra');
  });

  it('searches backwards; Enter takes, Escape leaves', () => {
    let state = type('\x12put');
    expect(state.search).toMatchObject({ query: 'put', index: 2 });
    state = press(state, 'search');
    expect(state.search?.index).toBe(0);
    expect(press(state, 'enter')).toMatchObject({ text: 'put a 1', search: null });
    expect(press(state, 'escape')).toMatchObject({ text: '', search: null });
  });

  it('returns the effect of a key', () => {
    const effect = (data: string) =>
      edit(type('x'), parseKeys(data)[0] ?? { key: 'left' }, []).effect;
    expect(effect('\r')).toBe('submit');
    expect(effect('\t')).toBe('complete');
    expect(effect('\x03')).toBe('cancel');
    expect(effect('\x1b')).toBe('leave');
    expect(effect('\x0c')).toBe('clearScreen');
  });

  it('survives any keys, with the cursor always on a letter', () => {
    const key = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom(
        '\x7f',
        '\x1b[D',
        '\x1b[C',
        '\x17',
        '\x15',
        '\x0b',
        '\x19',
        '\x12',
        '\x1b[A',
        '\x01',
      ),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
        const state = keys.reduce(
          (before, data) => type(data, HISTORY, before),
          emptyLine(HISTORY),
        );
        expect(state.cursor).toBeGreaterThanOrEqual(0);
        expect(state.cursor).toBeLessThanOrEqual(state.text.length);
        expect(state.text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('history', () => {
  it('leaves out blanks and repetitions', () => {
    expect(remember(['a'], 'a')).toEqual(['a']);
    expect(remember(['a'], '  ')).toEqual(['a']);
    expect(remember(['a'], 'b')).toEqual(['a', 'b']);
    expect(searchBack(HISTORY, 'nothing', 3)).toBe(-1);
  });

  it('reads whatever an earlier visit left', () => {
    for (const kept of [null, '', '{', '{"a":1}', '[1,"put",null]']) {
      const lines = loadHistory({ getItem: () => kept, setItem: () => {} });
      expect(lines.every((line) => typeof line === 'string')).toBe(true);
    }
  });
});

describe('paste', () => {
  it('puts one line into the line being typed', () => {
    expect(readPaste('put a 1\n')).toEqual({ kind: 'text', text: 'put a 1' });
    expect(readPaste('a\x1b[31mb\x00')).toEqual({ kind: 'text', text: 'a[31mb' });
  });

  it('takes several lines as commands, joining those that go on', () => {
    const { kind, ...rest } = readPaste('put a 1\r\n\r\nbatch {\n  put b 2 }\nscan');
    expect(kind).toBe('lines');
    expect(rest).toEqual({ lines: ['put a 1', 'batch {\n  put b 2 }', 'scan'] });
  });

  it('refuses too much', () => {
    expect(readPaste('é'.repeat(40_000)).kind).toBe('refused');
  });
});

describe('completion', () => {
  const at = (text: string): EditorState => ({ ...emptyLine([]), text, cursor: text.length });

  it('takes the only way, what all ways share, or shows them', () => {
    const one = [{ text: 'explain', kind: 'verb', from: 0 }];
    expect(completeLine(at('ex'), one).state.text).toBe('explain ');
    const several = ['options', 'option'].map((text) => ({ text, kind: 'verb', from: 0 }));
    expect(completeLine(at('o'), several).state.text).toBe('option');
    expect(completeLine(at('option'), several).choices).toEqual(['options', 'option']);
    expect(completeLine(at('zz'), []).state.text).toBe('zz');
  });

  it('stands in columns', () => {
    expect(inColumns(['ab', 'c', 'def'], 12)).toEqual(['ab   c', 'def']);
  });
});

describe('painting', () => {
  const letters = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', 'Z', ' ', '日', '한', 'é', '😀', 'ー', 'e\u0301', '\u0915\u093f'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 60,
  });

  it('leaves the cursor where the editor thinks that it is, also across rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        letters,
        fc.nat(),
        fc.integer({ min: 12, max: 50 }),
        async (text, at, cols) => {
          const terminal = new Terminal({ cols, rows: 40, allowProposedApi: true });
          terminal.unicode.register({
            version: 'levelscope',
            wcwidth: codePointWidth,
            charProperties: (code, preceding) => {
              const width = codePointWidth(code);
              const before = (preceding >> 1) & 3;
              const join = width === 0 && preceding !== 0 && before !== 0;
              return ((join ? Math.max(before, width) : width) << 1) | (join ? 1 : 0);
            },
          });
          terminal.unicode.activeVersion = 'levelscope';
          let state = inserted(emptyLine([]), text.replace(/\p{C}/gu, ''));
          state = { ...state, cursor: letterBefore(state.text, at % (state.text.length + 1)) };
          const { data, rows } = paintEditor('lsm> ', state, [], cols);
          await new Promise<void>((resolve) => terminal.write(data, resolve));
          const before = `lsm> ${sanitize(state.text.slice(0, state.cursor))}`;
          const { active } = terminal.buffer;
          expect(active.cursorY).toBe(rows);
          if (rows === 0) expect(active.cursorX).toBe(textColumns(before));
          await new Promise<void>((resolve) => terminal.write(erase(rows), resolve));
          expect(active.cursorY).toBe(0);
          expect(active.getLine(0)?.translateToString(true)).toBe('');
          terminal.dispose();
        },
      ),
      // A line separator is not painted as it is.
      { numRuns: 150, examples: [['\u2028 ', 1, 18]] },
    );
  });
});
