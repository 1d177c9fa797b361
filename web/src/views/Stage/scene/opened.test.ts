import { describe, expect, it } from 'vitest';
import type { Node, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { faultsOf, holds, keyAt, sceneIn, stored, WINDOWS } from '../../../testing/opened';
import { busyView, key, table } from '../../../testing/sample';
import { openedCells } from './cells';
import type { Box } from './geometry';
import type { Inside, StoredEntry } from './inside';
import { type ReadPart, tableInside } from './insideTable';
import { stageScene } from './stage';
import { textWidth } from './text';
import { boxAt, isZoom, zoomWays } from './zoom';

const LEVEL = 1;

interface Case {
  blocks: number;
  each: number;
  letters: number;
  /** How many entries are known. */
  known: number;
  block: number | null;
  width: number;
  height: number;
}

const drawn = new Map<string, ReturnType<typeof draw>>();

/** Each is drawn once for all tests. */
function sceneOf(given: Case) {
  const name = JSON.stringify(given);
  const scene = drawn.get(name) ?? draw(given);
  drawn.set(name, scene);
  return scene;
}

function node(kind: string, value: string, number = 1, fact: Node['fact'] = null): Node {
  const place = { name: kind, kind, number, offset: 0, bytes: 68, value };
  return { ...place, children: [], inside: [], more: false, fact };
}

function entryNode(of: Pick<StoredEntry, 'key' | 'sequence' | 'entry'>, at: number): Node {
  const { key, sequence, entry } = of;
  const text = `value ${sequence}`;
  const own = {
    ...{ key, sequence, shared: 0, ofEntry: true, restart: false, tombstone: entry === 'delete' },
    ...{ kind: null, value: { head: text, bytes: text.length }, family: null, batch: null },
  };
  return node('entry', '', at + 1, { fact: 'key', ...own });
}

function draw({ blocks, each, letters, known, block, width, height }: Case) {
  const count = blocks * each;
  const entries = stored(Math.min(known, count), each, letters);
  const info = {
    ...table(100, 'k', 'l', { blocks, entries: count }),
    ...{ smallest: keyAt(0, letters), largest: keyAt(count - 1, letters) },
  };
  const busy = busyView();
  const levels = busy.levels.map((level, at) =>
    at === LEVEL ? { ...level, tables: [info] } : level,
  );
  const view: View = { ...busy, levels };
  const part = (kind: string, parts: readonly Node[] | null, number = 1): ReadPart => {
    const path = `${kind}:${number}`;
    const place = { name: kind, kind, number, path, offset: 0, bytes: 1, parts: 1 };
    const bits = new Uint8Array(68).fill(0x55);
    return { ...place, inner: parts && { path, parts }, bits };
  };
  const inBlock = (number: number) => entries.filter((entry) => entry.block === number);
  const read = {
    blocks: Array.from({ length: blocks }, (_, at) => {
      const own = inBlock(at + 1);
      return part('block', own.length > 0 ? own.map(entryNode) : null, at + 1);
    }),
    others: [
      part('filter', [node('bits', '272 of 544 bits are set')]),
      part(
        'index',
        Array.from({ length: Math.min(blocks, 200) }, (_, at) =>
          entryNode({ key: key('k'.repeat(at % 12) + at), sequence: 0, entry: 'put' }, at),
        ),
      ),
      part('footer', [node('magic', 'lvsc.sst')]),
    ],
  };
  const path = block === null ? 'table:100' : `table:100/block:${block}`;
  const of = { ...info, file: 'table:100', keys: `${'k'.repeat(letters)} … l`, level: LEVEL };
  const inside = tableInside(of, read, { path, block, near: block ?? 1 });
  const { scene, opened } = sceneIn(view, inside, width, height);
  const tree = stageScene(view, NOTHING_WRITTEN, width, height);
  return { scene, tree, opened, info };
}

/** Tables from one entry to 100,000, and keys up to 200 letters: closed and opened, known and unknown. */
const casesIn = (width: number, height: number): Case[] =>
  [
    [1, 1, 3],
    [5, 11, 4],
    [5, 12, 200],
    [40, 30, 8],
    [1, 500, 6],
    [2500, 40, 12],
  ].flatMap(([blocks = 0, each = 0, letters = 0]) =>
    [null, 1, Math.ceil(blocks / 2), blocks].flatMap((block) =>
      [2000, 150, 0].map((known) => ({
        ...{ blocks, each, letters, known, block, width, height },
      })),
    ),
  );

const near = (box: Box) =>
  Object.fromEntries(Object.entries(box).map(([side, at]) => [side, expect.closeTo(at, 6)]));

describe('an opened table', () => {
  it.each(WINDOWS)('has room for all that it shows at %i × %i', (width, height) => {
    const wrong = casesIn(width, height).flatMap((given) =>
      faultsOf(sceneOf(given)).map((fault) => `${JSON.stringify(given)}: ${fault}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(WINDOWS)('counts every entry once, in the order of keys at %i × %i', (width, height) => {
    for (const given of casesIn(width, height)) {
      const { opened, info } = sceneOf(given);
      const counts = opened.blocks.map(({ count }) => count);
      const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0);
      if (counts.every((count) => count !== null)) expect(sum).toBe(info.entries);
      else expect(sum).toBeLessThanOrEqual(info.entries);
      if (given.known >= info.entries) expect(counts).not.toContain(null);
      const numbers = opened.blocks.map(({ id }) => Number(id.split(':')[2]));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(opened.blocks.filter(({ isOpen }) => isOpen)).toHaveLength(
        given.block === null ? 0 : 1,
      );
    }
  });

  it.each(WINDOWS)(
    'leaves the others as strips around it, and the axis as it was at %i × %i',
    (width, height) => {
      for (const given of casesIn(width, height)) {
        const { scene, tree, opened } = sceneOf(given);
        const { rows } = scene;
        expect([rows.left, rows.right, rows.unit]).toEqual([
          ...[tree.rows.left, tree.rows.right, tree.rows.unit],
        ]);
        expect(scene.levels).toHaveLength(tree.levels.length);
        for (const { box, level, tables } of scene.levels) {
          expect(box.h).toBeGreaterThanOrEqual(12);
          expect(box.h).toBeLessThanOrEqual(2 * rows.unit);
          if (level <= LEVEL) expect(box.y + box.h).toBeLessThanOrEqual(opened.box.y);
          else expect(box.y).toBeGreaterThanOrEqual(opened.box.y + opened.box.h);
          for (const { captions } of tables) expect(captions).toEqual([]);
        }
        expect(scene.memory.memtables.length).toBeGreaterThan(0);
        expect(opened.box.h).toBeGreaterThanOrEqual(8 * rows.unit);
      }
    },
  );
});

describe('the names of what is opened', () => {
  const given = { blocks: 5, each: 11, letters: 4, known: 55, width: 934, height: 436 };

  it('are those of a tree', () => {
    const { opened, scene } = sceneOf({ ...given, block: 2 });
    expect(opened.crumbs.map(({ text }) => text)).toEqual(['tree', 'L1', 'table 100', 'block 2']);
    expect(opened.blocks[1]?.label).toBe('block 2, 11 entries, k0011 to k0021, opened');
    expect(opened.parts.map(({ label }) => label)).toEqual([
      ...['filter, 272 of 544 bits set', 'index', 'footer'],
    ]);
    expect(opened.blocks[1]?.cells[1]?.label).toBe('k0012, tombstone, sequence number 999,988');
    expect(opened.blocks[1]?.cells[2]?.label).toBe(
      'k0012, put, sequence number 999,987, an older version',
    );
    // Below its strip: the columns, then the entries of the block, one by one.
    const at = scene.items.findIndex((row) => row.some(({ id }) => id === 'table:100'));
    const ids = scene.items.slice(at + 1, at + 4).map((row) => row[0]?.id);
    expect(ids).toEqual([
      ...['table:100/block:1', 'table:100/block:2/entry:1', 'table:100/block:2/entry:2'],
    ]);
  });

  it('are of all blocks in the index: keys that are too wide are cut, their numbers stay', () => {
    const low = { ...given, width: 853, height: 290, block: null };
    const { opened } = sceneOf(low);
    const lines = opened.words.filter(({ text }) => text.includes(' → '));
    expect(lines.map(({ text }) => text.split(' → ')[1])).toEqual(['1', '2', '3', '4', '5']);
  });

  it('cuts no key that has room beside its value', () => {
    const { opened } = sceneOf({ ...given, letters: 7, width: 853, height: 290, block: 2 });
    const keys = opened.words.filter(({ of, text }) => of === 'key' && text.length > 1);
    expect(keys.map(({ text }) => text).filter((text) => text.includes('…'))).toEqual([]);
  });

  it('without room for its key, shows the part in which it differs from its neighbours', () => {
    const entries = ['0071', '0072', '0073'].map((number, at): StoredEntry => {
      const name = `user:${number}:profile:picture:large`;
      return { key: key(name), sequence: at, entry: 'put', block: 1 };
    });
    const names = ['block 1'];
    const block = { id: 'table:1/block:1', names, number: 1, band: null, entries, count: 3 };
    const of = { object: 'table:1', block: 1, row: 'tables', tree: null } as unknown as Inside;
    const ground = { unit: 16, line: 21, axis: { hue: () => 0 } };
    const { words } = openedCells(block, { x: 0, y: 0, w: 200, h: 120 }, of, ground);
    const keys = words.flatMap((word) => (word.of === 'key' ? [word.text] : []));
    expect(keys.map((text) => text.slice(0, 3))).toEqual(['…1:', '…2:', '…3:']);
  });

  it('of a block without room for all are those around the selected one', () => {
    const entries = Array.from({ length: 60 }, (_, at): StoredEntry => {
      const path = `table:1/block:1/entry:${at + 1}`;
      return { key: key(`k${at + 10}`), sequence: at, entry: 'put', block: 1, path };
    });
    const names = ['block 1'];
    const block = { id: 'table:1/block:1', names, number: 1, band: null, entries, count: 60 };
    const inside = { object: 'table:1', block: 1, row: 'tables', tree: null };
    const ground = { unit: 16, line: 21, axis: { hue: () => 0 } };
    const shownFor = (selected: string | null) => {
      const of = { ...inside, selected } as unknown as Inside;
      const { cells, words } = openedCells(block, { x: 0, y: 0, w: 300, h: 200 }, of, ground);
      return {
        paths: cells.map(({ path }) => path),
        more: words.find(({ text }) => text.includes('before')),
      };
    };
    for (const at of [1, 2, 30, 59, 60])
      expect(shownFor(`table:1/block:1/entry:${at}`).paths).toContain(
        `table:1/block:1/entry:${at}`,
      );
    const { paths, more } = shownFor('table:1/block:1/entry:30');
    const first = entries.findIndex(({ path }) => path === paths[0]);
    expect(more?.text).toBe(`${first} entries before, ${60 - first - paths.length} after`);
    expect(shownFor(null).paths[0]).toBe('table:1/block:1/entry:1');
  });

  it('are of bands for blocks without room', () => {
    const { opened } = sceneOf({ ...given, blocks: 2500, each: 40, known: 2000, block: null });
    expect(opened.blocks.at(-1)?.label).toMatch(/^block \d+ to block 2,500, 99,\d{3} entries$/);
  });
});

it('has the reason as its figures where its file cannot be read', () => {
  const of = { ...table(100, 'k', 'l'), file: 'table:100', keys: 'k … l', level: LEVEL };
  const view = busyView();
  const failure = '000100.sst: at offset 4,096: the checksum is wrong';
  const read = { blocks: [], others: [], failure };
  const inside = tableInside(of, read, { path: 'table:100', block: null, near: 1 });
  for (const [width, text] of [
    [934, failure],
    [560, 'cannot be read'],
  ] as const) {
    const words = sceneIn(view, inside, width, 436).opened.words.map((word) => word.text);
    expect(words).toEqual([text]);
  }
});

it('cuts a name that is longer than its part is high', () => {
  const of = { ...table(100, 'k', 'l'), file: 'table:100', keys: 'k … l', level: LEVEL };
  const name = 'properties block of an engine';
  const place = { kind: 'meta', name, number: 1, path: 'meta:1', offset: 0, bytes: 1, parts: 1 };
  const read = { blocks: [], others: [{ ...place, inner: null, bits: new Uint8Array() }] };
  const inside = tableInside(of, read, { path: 'table:100', block: null, near: 1 });
  for (const height of [200, 240, 290, 436, 900]) {
    const { opened } = sceneIn(busyView(), inside, 853, height);
    const [word] = opened.words.filter(({ isTurned }) => isTurned);
    const room = (opened.parts[0]?.box.h ?? 0) - 8;
    if (word) expect(textWidth(word.text, opened.unit), `${height}`).toBeLessThanOrEqual(room);
    if (height === 900) expect(word?.text).toBe(name);
  }
});

describe('the way into a table', () => {
  const given = { blocks: 5, each: 11, letters: 4, known: 55, width: 934, height: 436 };
  const { tree, scene, opened } = sceneOf({ ...given, block: null });
  const inner = sceneOf({ ...given, block: 2 }).scene;
  const pairs = [
    [tree, scene],
    [scene, inner],
    [inner, scene],
    [scene, tree],
  ] as const;

  it('is one between two pictures that show different things from inside', () => {
    expect(pairs.map(([before, after]) => isZoom(before, after))).toEqual([true, true, true, true]);
    expect(isZoom(tree, tree)).toBe(false);
  });

  it('begins where everything was, ends where it is, and never leaves the picture', () => {
    for (const [before, after] of pairs)
      for (const way of zoomWays(before, after)) {
        expect(boxAt(way, 0), way.id).toEqual(near(way.from));
        expect(boxAt(way, 1), way.id).toEqual(near(way.to));
        for (const time of [0.1, 0.35, 0.5, 0.8]) {
          const { x, y, w, h } = boxAt(way, time);
          const picture = { x: 0, y: 0, w: after.width, h: after.height };
          expect(holds(picture, { x, y, w, h }, 8), way.id).toBe(true);
        }
      }
  });

  it('takes what is in a table out of its place in the tree', () => {
    const ways = new Map(zoomWays(tree, scene).map((way) => [way.id, way]));
    const place = tree.levels[LEVEL]?.tables[0]?.box ?? opened.box;
    expect(ways.get('inside')?.from).toEqual(near(place));
    expect(ways.get('strip')?.from).toEqual(place);
    for (const { id } of [...opened.blocks, ...opened.parts])
      expect(holds(place, ways.get(id)?.from ?? opened.box), id).toBe(true);
    const back = new Map(zoomWays(scene, tree).map((way) => [way.id, way]));
    expect(back.get('table:100')?.from).toEqual(opened.box);
  });
});
