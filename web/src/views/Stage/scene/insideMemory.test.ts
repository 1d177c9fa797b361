import { beforeAll, describe, expect, it } from 'vitest';
import type { MemtableTree, RecentWrites, View, WalResult } from '../../../model/engine.generated';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../../testing/realEngine';
import { busyView } from '../../../testing/sample';
import { logInside, memtableInside } from './insideMemory';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

const NEWEST = 'mem --newest 1000';

describe('a memtable of the engine', () => {
  it('has the entries of its leaf nodes, and of an opened one all, however many there are', () => {
    const engine = new Make('memory');
    openEngine(engine, { memtable_bytes: '1000000' });
    for (const fill of ['fill 600 --seed 3', 'fill 5000 --seed 4', 'put k one; put k two; del k']) {
      ask(engine, fill);
      const recent = ask(engine, NEWEST) as RecentWrites[];
      const first = ask(engine, 'mem 1') as MemtableTree;
      const view = viewWith(first.entries);
      const closed = memtableInside(view, recent, first, 'memtable:1');
      expect(closed?.before((closed.columns ?? 0) + 1)).toBe(slots(first));
      expect(closed?.entries).toHaveLength(first.entries <= 1000 ? first.entries : 0);
      const tree = ask(engine, 'mem 1 --path k') as MemtableTree;
      const nodes = tree.levels.slice(1).map((level) => level.find(({ onPath }) => onPath));
      const steps = nodes.map((node) => `${node?.leaf ? 'leaf' : 'inner'}:${node?.node}`);
      const path = ['memtable:1', ...steps].join('/');
      const opened = memtableInside(view, recent, tree, path);
      const own = opened?.entries.filter(({ block }) => block === opened.block) ?? [];
      expect(own.map(({ sequence }) => sequence)).toEqual(
        tree.window.map(({ sequence }) => sequence),
      );
      expect(new Set(own.map((entry) => entry.path)).size).toBe(own.length);
      expect(own.every(({ value }) => value !== undefined)).toBe(true);
      expect(opened?.crumbs).toHaveLength(2 + steps.length);
      expect(memtableInside(view, recent, first, 'memtable:1/leaf:9999')).toBeNull();
    }
  });
});

const slots = ({ levels }: MemtableTree) =>
  (levels.at(-1) ?? []).reduce((sum, node) => sum + node.slots, 0);

const viewWith = (entries: number): View => {
  const busy = busyView();
  const memtables = busy.memtables.slice(0, 1).map((memtable) => ({
    ...{ ...memtable, memtable: 1, wal: 2, entries },
  }));
  return { ...busy, memtables, lastSequence: 1e9 };
};

describe('a log of the engine', () => {
  it('has every record that wal counts, parted by what is durable', () => {
    const engine = new Make('memory');
    openEngine(engine, { wal_sync: 'none' });
    for (const line of ['put a 1', 'put b 2', 'sync', 'put c 3', 'del a', 'put d 4', 'sync']) {
      ask(engine, line);
      const { wals } = ask(engine, 'wal') as WalResult;
      const recent = ask(engine, NEWEST) as RecentWrites[];
      const inside = logInside({ ...viewWith(0), wals }, recent, `wal:${wals[0]?.wal}`);
      const [wal] = wals;
      if (!inside || !wal) throw new Error('no log');
      expect(inside.entries.map(({ path }) => path)).toEqual(
        Array.from({ length: wal.records }, (_, at) => `wal:${wal.wal}/record:${at + 1}`),
      );
      const synced = inside.entries.filter(
        ({ block }) => inside.columnAt(block).names[0] === 'synced',
      );
      expect(synced).toHaveLength(wal.syncedRecords);
      // The columns have the bytes of the log, one after the other.
      let end = 0;
      for (let zone = 1; zone <= inside.columns; zone += 1) {
        const { id } = inside.columnAt(zone);
        const [from, last] = (id.split('bytes:')[1] ?? '').split('-').map(Number);
        expect(from).toBe(end);
        end = (last ?? 0) + 1;
      }
      // The mark of a sync after the last column is no record.
      expect([wal.syncedBytes, wal.bytes]).toContain(end);
      expect(inside.before(inside.columns + 1)).toBe(wal.records);
    }
  });
});
