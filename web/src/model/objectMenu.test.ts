import { beforeAll, describe, expect, it } from 'vitest';
import { ask, finish, loadEngine, openEngine, start, type WasmEngine } from '../testing/realEngine';
import { busyView } from '../testing/sample';
import { wordOfBytes, wordOfFact, wordOfKey, wordOfText } from './commandWords';
import type { FileEntry, MemtableTree, Node, View } from './engine.generated';
import { PAGE_VERBS } from './engine.generated';
import { idOfName } from './files';
import { type MenuTarget, objectMenu } from './objectMenu';
import { readOwn } from './ownVerbs';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

function open(): { engine: WasmEngine; view: View } {
  const engine = new Make('memory');
  openEngine(engine);
  ask(engine, 'fill 200 --words --seed 7; run; fill 20 --words --seed 8; put "Zoë \\x00" 1');
  const { view } = JSON.parse(engine.events(true) ?? '{}');
  return { engine, view };
}

const here = (view: View) => ({ view, step: 9, isBookmarked: false, touchedAt: 4 });
const of = (selection: string | null, key: string | null = null): MenuTarget => ({
  selection,
  key,
  at: null,
});
const commands = (target: MenuTarget, view: View) =>
  objectMenu(target, here(view))?.groups.flatMap((group) =>
    group.flatMap(({ command, opened }) => (opened === undefined ? [command] : [])),
  ) ?? [];

describe('the menu of an object', () => {
  it('offers only commands that run, of every object that is there', () => {
    const { view } = open();
    const files = (ask(open().engine, 'files') as FileEntry[]).flatMap(
      ({ name }) => idOfName(name) ?? [],
    );
    const targets = [
      ...files.map((id) => of(id)),
      ...view.levels.map(({ score }) => of(`level:${score.level}`)),
      ...view.memtables.map(({ memtable }) => of(`memtable:${memtable}`)),
      ...view.levels.flatMap(({ tables }) =>
        tables.map(({ table, smallest }) => of(`table:${table}/block:1`, wordOfKey(smallest))),
      ),
      of(null, wordOfBytes(new TextEncoder().encode('Zoë \0'))),
    ];
    expect(targets.length).toBeGreaterThan(10);
    const lines = new Set(targets.flatMap((target) => commands(target, view)));
    expect(lines.size).toBeGreaterThan(30);
    for (const line of lines) {
      const own = readOwn(line, 'phase');
      if (own) {
        expect(own.verb, line).not.toBe('refused');
        continue;
      }
      // Each on a session of its own: some delete, some fork.
      const { engine } = open();
      start(engine, line);
      expect(finish(engine, line).error, line).toBeNull();
    }
  }, 60_000);

  it('has what belongs to each kind', () => {
    const view = busyView();
    expect(commands(of('memtable:7'), view)).toEqual(expect.arrayContaining(['flush', 'rotate']));
    expect(commands(of('memtable:6'), view)).not.toContain('rotate');
    expect(commands(of('table:7'), view)).toContain('break on table 7');
    expect(commands(of('level:1'), view)).toEqual(
      expect.arrayContaining(['break on level 1', 'compact 1']),
    );
    const key = commands(of('table:7/block:2/entry:3', 'apple'), view);
    expect(key).toContain('break on key apple');
    expect(key).toContain('explain get apple --detail');
    expect(key).toContain('layout table:7 --node block:2/entry:3');
    expect(key).not.toContain('break on table 7');
    expect(commands({ selection: 'wal:14/bytes:3-3', key: null, at: 3 }, view)).toContain(
      'corrupt wal:14 3',
    );
    expect(objectMenu(of('nonsense:1'), here(view))).toBeNull();
  });

  it('writes keys as words that the console reads back as the same bytes', () => {
    const { engine } = open();
    const keys = [
      'a',
      '--x',
      '0x12',
      'two words',
      'a"b',
      'back\\slash',
      'Zoë',
      '\0\u0001',
      ';',
      '',
      '0x61',
      '--detail',
      'x; reset --yes',
      "it's",
    ];
    for (const key of keys) {
      const word = wordOfBytes(new TextEncoder().encode(key));
      ask(engine, `put ${word} ${word}`);
      const got = ask(engine, `get ${word}`) as { found: boolean; value: string };
      expect(got.found, key).toBe(true);
      // The key as answers show it, too: no part of it ends the command or becomes an option.
      const answer = ask(engine, `explain get ${word}`) as { key: string };
      const again = ask(engine, `explain get ${wordOfText(answer.key)} --detail`) as {
        key: string;
      };
      expect(again, key).toMatchObject({ key: answer.key, value: answer.key });
    }
    expect(wordOfBytes(new TextEncoder().encode('a b'))).toBe('"a b"');
    expect(wordOfKey({ head: 'cut', bytes: 300 })).toBeNull();
  });

  it('are those of entries, whole and letter for letter, also in the blocks of a table', () => {
    const { engine } = open();
    ask(engine, 'options set compression none');
    const keys = ['Zoë \0', 'a"b', 'back\\slash', 'k'.repeat(80), 'k'.repeat(90), 'm'.repeat(200)];
    for (const key of keys) ask(engine, `put ${wordOfBytes(new TextEncoder().encode(key))} found`);
    ask(engine, 'flush');
    ask(engine, 'run');
    const files = ask(engine, 'files') as FileEntry[];
    const words: string[] = [];
    const walk = (node: Node) => {
      const word = wordOfFact(node.fact);
      if (word !== null) words.push(word);
      node.children.forEach(walk);
    };
    for (const { name } of files.filter(({ name }) => name.endsWith('.sst'))) {
      walk(ask(engine, `layout ${name} -v --limit 9000`) as Node);
    }
    // The longest key was cut: no command can name it.
    expect(words.length).toBeGreaterThanOrEqual(keys.length - 1);
    for (const word of words)
      expect(ask(engine, `get ${word}`), word).toMatchObject({ found: true });
  });

  it('finds the entry of a key in the tree, whatever its letters are', () => {
    const { engine, view } = open();
    const word = wordOfBytes(new TextEncoder().encode('Zoë \0'));
    const active = view.memtables.find(({ immutable }) => !immutable)?.memtable;
    const tree = ask(engine, `mem ${active} --path ${word}`) as MemtableTree;
    const found = tree.window.filter(({ key }) => wordOfKey(key) === word);
    expect(found).toHaveLength(1);
  });
});

describe('verbs of the page', () => {
  it('are the ones that the engine names, and each is understood', () => {
    const { engine } = open();
    const verbs = ask(engine, 'help') as { name: string; example: string }[];
    for (const verb of PAGE_VERBS) {
      const example = verbs.find(({ name }) => name === verb)?.example;
      expect(example, verb).toBeDefined();
      const line = example?.split('; ').find((each) => each.startsWith(verb)) ?? '';
      expect(readOwn(line, 'phase')?.verb, line).not.toBe('refused');
      expect(readOwn(line, 'phase'), line).not.toBeNull();
    }
    expect(readOwn('back; put a 1', 'phase')).toBeNull();
    expect(readOwn('play 3', 'phase')).toMatchObject({ verb: 'refused' });
    for (const file of ['12', '000012.sst', 'table:12'])
      expect(readOwn(`bytes ${file}`, 'phase')).toMatchObject({ selection: 'table:12' });
    const entry = { verb: 'bytes', selection: 'table:12/block:2/entry:3' };
    expect(readOwn('bytes 12/block:2/entry:3', 'phase')).toEqual(entry);
    expect(readOwn('bytes 12block', 'phase')).toMatchObject({ verb: 'refused' });
    expect(readOwn('bookmark "my step" --at 12', 'phase')).toEqual({
      verb: 'bookmark',
      step: 12,
      name: 'my step',
    });
  });

  it('are refused by the engine among other commands, in a page', () => {
    const { engine } = open();
    start(engine, 'back; put a 1');
    expect(finish(engine, 'back').error?.message).toMatch(/stand alone/);
  });
});
