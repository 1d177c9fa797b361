import { describe, expect, it } from 'vitest';
import type { MemtableTree, RecentWrites } from '../../../model/engine.generated';
import { parseSelection } from '../../../model/selection';
import { faultsOf, sceneIn, stored, WINDOWS } from '../../../testing/opened';
import { busyView } from '../../../testing/sample';
import type { StoredEntry } from './inside';
import { logInside, memtableInside } from './insideMemory';

/** The active memtable with so many entries, `each` in a leaf node, and its tree around the way to the first one. */
function memtableOf(count: number, each: number) {
  const busy = busyView();
  const memtables = busy.memtables.map((memtable) =>
    memtable.memtable === 7 ? { ...memtable, entries: count } : memtable,
  );
  const entries = stored(count, 1, 5);
  const leaves = Array.from({ length: Math.max(Math.ceil(count / each), 1) }, (_, node) => ({
    ...{ node, leaf: true, skip: 0, first: entries[node * each]?.key ?? null, onPath: node === 0 },
    slots: Math.min(each, count - node * each),
  }));
  const inners = Math.ceil(leaves.length / 64);
  const inner = Array.from({ length: inners }, (_, node) => ({
    ...{ node, leaf: false, skip: 0, slots: 63, onPath: node === 0 },
    first: leaves[node * 64 + 1]?.first ?? null,
  }));
  const root = inner.slice(0, 1).map((node) => ({ ...node, node: 99, slots: inners - 1 }));
  const levels = [
    ...(inners > 1 ? [root] : []),
    ...(leaves.length > 1 ? [inner] : []),
    leaves.slice(0, 64),
  ];
  const common = { head: '', bytes: 0 };
  const tree: MemtableTree = {
    ...{
      memtable: 7,
      entries: count,
      leaves: leaves.length,
      inners: levels.length > 1 ? inners : 0,
    },
    ...{ common, levels, path: [], comparisons: 0, window: [], versions: [] },
  };
  return {
    view: { ...busy, memtables, lastSequence: 1e9 },
    recent: recentOf(entries.slice(0, 1000)),
    tree,
  };
}

/** The active log with such records, one entry in most of them. */
function logOf(syncedRecords: number, writtenRecords: number, records: number) {
  const busy = busyView();
  const wals = busy.wals.map((wal) =>
    wal.wal === 14 ? { ...wal, syncedRecords, writtenRecords, records } : wal,
  );
  const entries = stored(records + Math.floor(records / 5), 1, 5).map((entry, at) => ({
    ...{ ...entry, sequence: at + 1, record: Math.min(at + 1, records) },
  }));
  return { view: { ...busy, wals, lastSequence: 1e9 }, recent: recentOf(entries.toReversed()) };
}

const recentOf = (entries: readonly (StoredEntry & { record?: number })[]): RecentWrites[] => [
  {
    ...{ memtable: 7, wal: 14 },
    entries: entries.map((entry) => ({
      record: entry.sequence % 90_000,
      ...entry,
      value: entry.key,
    })),
  },
];

describe('an opened memtable', () => {
  const [ENTRIES, EACH] = [
    [0, 1, 23, 64, 300, 900, 20_000],
    [1, 30, 64],
  ];
  const cases = ENTRIES.flatMap((count) => EACH.map((each) => ({ count, each })));

  it.each(WINDOWS)(
    'has its tree above its entries, and room for both at %i × %i',
    (width, height) => {
      for (const { count, each } of cases) {
        const { view, recent, tree } = memtableOf(count, each);
        const leaves = tree.levels.at(-1) ?? [];
        const inner = tree.levels.slice(1, -1).map(([node]) => `inner:${node?.node}`);
        for (const steps of [[], [...inner, `leaf:${leaves.at(-1)?.node}`]]) {
          const inside = memtableInside(view, recent, tree, ['memtable:7', ...steps].join('/'));
          const drawn = sceneIn(view, inside, width, height);
          expect(faultsOf(drawn), `${count} by ${each}, ${steps}`).toEqual([]);
          const { opened } = drawn;
          const ids = new Set(opened.items.flat().map(({ id }) => id));
          expect(ids.size).toBe(opened.items.flat().length);
          for (const id of ids) expect(parseSelection(id), id).not.toBeNull();
          const counts = opened.blocks.map((block) => block.count ?? 0);
          const held = leaves.reduce((sum, { slots }) => sum + slots, 0);
          expect(counts.reduce((sum, each) => sum + each)).toBe(held);
          const isAlone = tree.levels.length === 1;
          const open = opened.blocks.filter(({ isOpen }) => isOpen);
          expect(open).toHaveLength(isAlone || steps.length > 0 ? 1 : 0);
          if (height > 400) expect(opened.nodes).toHaveLength(tree.levels.length - 1);
        }
      }
    },
  );

  it('has columns for the nodes beside the way, which lead there', () => {
    const { view, recent, tree } = memtableOf(20_000, 64);
    const inside = memtableInside(view, recent, tree, 'memtable:7');
    const { opened } = sceneIn(view, inside, 1094, 616);
    expect(opened.blocks.at(-1)).toMatchObject({
      ...{ id: 'memtable:7/inner:1', label: 'inner 1 to inner 4', isStrip: true },
    });
    expect(memtableInside(view, recent, tree, 'memtable:7/inner:1')).toBeNull();
    expect(memtableInside(view, recent, tree, 'memtable:7/inner:0')?.crumbs.at(-1)?.text).toBe(
      'inner 0',
    );
  });
});

describe('an opened log', () => {
  it.each(WINDOWS)(
    'has its newest records, parted by their safety, at %i × %i',
    (width, height) => {
      for (const [synced, written, records] of [
        ...[
          [0, 0, 0],
          [3, 3, 3],
          [0, 2, 3],
          [8, 9, 11],
          [0, 0, 60],
          [400, 500, 501],
        ],
      ] as const) {
        const { view, recent } = logOf(synced, written, records);
        const drawn = sceneIn(view, logInside(view, recent, 'wal:14'), width, height);
        const { opened } = drawn;
        expect(faultsOf(drawn), `${synced}, ${written}, ${records}`).toEqual([]);
        const counts = opened.blocks.map((block) => block.count ?? 0);
        expect(counts).toEqual(
          records === 0 ? [0] : [synced, written - synced, records - written].filter(Boolean),
        );
        const cells = opened.blocks.flatMap((block) => block.cells);
        if (records > 0) expect(cells.at(-1)?.path).toBe(`wal:14/record:${records}`);
        const hidden = opened.words.filter(({ text }) => /more record|^\+/.test(text));
        expect(hidden.length > 0).toBe(cells.length < records);
        const ids = opened.items.flat().map(({ id }) => id);
        for (const id of ids) expect(parseSelection(id), id).not.toBeNull();
        expect(ids.slice(opened.blocks.length)).toEqual(cells.map(({ path }) => path));
      }
    },
  );
});
