import { beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_LAB } from '../testing/labReport';
import { ask, finish, loadEngine, openEngine, start, type WasmEngine } from '../testing/realEngine';
import { wordOfName, wordOfText, wordsOfField, wordsOfLine } from './commandWords';
import { labCommand } from './labs';
import { objectMenu } from './objectMenu';
import { optionCommands } from './optionInput';
import { readOwn, renameCommand } from './ownVerbs';
import { EMPTY_VIEW } from './reduce';

/** Text that would end a command, open a quote, begin a comment or be an option, if it were put into a line as it is. */
const HOSTILE = [
  'm; put m 1',
  'm\nput m 1',
  '"; put m 1',
  "'; put m 1; '",
  'm\\',
  'm\\"; put m 1',
  'm\\\\"; put m 1; "',
  '# put m 1',
  'm # ; put m 1',
  '--all',
  '"a; b"; put m 1',
  '{ put m 1 }',
  '0x1',
  '\\x41; put m 1',
];

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

describe('text in a command', () => {
  it('stays inside the command, whatever it is', () => {
    const engine = new Make('memory');
    openEngine(engine);
    const run = (line: string) => {
      start(engine, line);
      return finish(engine, line);
    };
    for (const text of HOSTILE) {
      const info = { ...SAMPLE_LAB, words: 'words' };
      const target = { selection: null, key: wordOfText(text), at: null };
      const menu = objectMenu(target, {
        view: EMPTY_VIEW,
        step: 0,
        isBookmarked: false,
        touchedAt: null,
      });
      const lines = [
        `break ${wordsOfField(text)}`,
        `get ${wordOfText(text)}`,
        `branch ${wordOfName(text)}`,
        labCommand(info, { numbers: { records: text }, words: text }),
        ...optionCommands({ prefix: text }),
        ...(menu?.groups.flat().map(({ command }) => command) ?? []).filter(
          (line) => !line.startsWith('del'),
        ),
      ];
      for (const line of lines) {
        const { error } = run(line);
        expect(error?.message ?? '', line).not.toContain('not finished');
        expect(wordsOfLine(line), line).not.toBeNull();
      }
    }
    expect(ask(engine, 'get m')).toMatchObject({ found: false });
  });

  it('of a field keeps its own quotes, options and comparisons', () => {
    for (const [typed, words] of [
      ['  on   key user:042 ', 'on key user:042'],
      ['when l0 >= 4', 'when l0 >= 4'],
      ['on key "a b"', 'on key "a b"'],
      ["on key 'a; b'", "on key 'a; b'"],
      [
        'strategy=leveled vs strategy=tiered --records 5',
        'strategy=leveled vs strategy=tiered --records 5',
      ],
      ['drop; put a 1', '"drop;" put a 1'],
      ['', ''],
    ] as const) {
      expect(wordsOfField(typed)).toBe(words);
    }
  });

  it('that names a bookmark is its name, letter for letter', () => {
    for (const name of [
      ...HOSTILE.filter((text) => !text.includes('\n')),
      '',
      'two  spaces',
      'm; put',
    ]) {
      expect(readOwn(renameCommand(7, name), 'phase'), name).toEqual({
        verb: 'bookmark',
        step: 7,
        name,
      });
    }
    // Two commands in one line are no name.
    expect(readOwn('bookmark m; put a 1', 'phase')).toBeNull();
    expect(readOwn('bookmark m "--delete"', 'phase')).toMatchObject({ name: 'm --delete' });
  });
});
