import { describe, expect, it } from 'vitest';
import type { RecentEntry, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView, key } from '../../../testing/sample';
import { stageScene } from './stage';
import { keyWidth } from './text';

function put(sequence: number, name: string, value: string, record: number | null): RecentEntry {
  return { key: key(name), sequence, entry: 'put', value: key(value), record };
}

function tombstone(sequence: number, name: string, record: number): RecentEntry {
  return { key: key(name), sequence, entry: 'delete', value: key(''), record };
}

const ENTRIES = [
  tombstone(146, 'apple', 24),
  put(145, 'banana', 'yellow', 24),
  put(144, 'cherry', 'red', 23),
  put(143, 'fig', 'blue', 22),
  put(142, 'grape', 'green', 21),
];

function scene(
  view: View = busyView(),
  memtable = 7,
  size: readonly [number, number] = [1000, 480],
) {
  const recent = [{ memtable, wal: 14, entries: ENTRIES }];
  return stageScene(view, NOTHING_WRITTEN, ...size, { recent });
}

describe('the newest entries of a memtable', () => {
  it('stand above their places in it, the newest first, a tombstone as its key', () => {
    const shown = scene().memory.memtables[0]?.labels;
    const [newest] = shown ?? [];
    expect(newest).toMatchObject({ text: 'apple', deleted: true });
    expect(shown?.length).toBeGreaterThan(1);
    const { box } = scene().memory.memtables[0] ?? { box: { x: 0, y: 0, w: 0, h: 0 } };
    for (const { y } of shown ?? []) expect(y).toBeLessThan(box.y + box.h);
  });

  it('never cover each other', () => {
    const entries = Array.from({ length: 30 }, (_, index) =>
      put(140 - index, `key${index % 7}${index}`, `value ${index}`, 1),
    );
    for (const [width, height] of [
      [850, 300],
      [1000, 480],
      [1500, 900],
    ] as const) {
      const recent = [{ memtable: 7, wal: 14, entries }];
      const drawn = stageScene(busyView(), NOTHING_WRITTEN, width, height, { recent });
      const { unit, line } = drawn.rows;
      const boxes = (drawn.memory.memtables[0]?.labels ?? []).map(({ text, x, y }) => {
        const w = keyWidth(text, unit);
        return { x: x - w / 2, y: y - line * 0.78, w, h: line };
      });
      for (const [at, one] of boxes.entries())
        for (const other of boxes.slice(at + 1))
          expect(
            one.x + one.w <= other.x ||
              other.x + other.w <= one.x ||
              Math.abs(one.y - other.y) >= line - 0.01,
          ).toBe(true);
    }
  });

  it('of one key have the newest on top', () => {
    const entries = [3, 2, 1].map((age) => put(140 + age, 'fig', 'x'.repeat(age), null));
    const recent = [{ memtable: 7, wal: 14, entries }];
    const { memory } = stageScene(busyView(), NOTHING_WRITTEN, 1500, 900, { recent });
    const labels = memory.memtables[0]?.labels ?? [];
    expect(labels.toSorted((a, b) => a.y - b.y).map(({ sequence }) => sequence)).toEqual(
      labels.map(({ sequence }) => sequence).toSorted((a, b) => b - a),
    );
    expect(labels.length).toBeGreaterThan(1);
  });

  it('keep away from the frame, and from the beads beside them', () => {
    const entries = Array.from({ length: 26 }, (_, at) =>
      put(140 - at, `${String.fromCharCode(97 + at)}${'y'.repeat(at % 9)}`, 'value', null),
    );
    const recent = [{ memtable: 7, wal: 14, entries }];
    for (let height = 260; height <= 900; height += 20) {
      const { memory, rows, axis } = stageScene(busyView(), NOTHING_WRITTEN, 900, height, {
        recent,
      });
      const [memtable] = memory.memtables;
      for (const { text, x, y, sequence } of memtable?.labels ?? []) {
        const [from, to] = [-1, 1].map((side) => x + (side * keyWidth(text, rows.unit)) / 2);
        expect(from).toBeGreaterThanOrEqual((memtable?.box.x ?? 0) + 8);
        expect(to).toBeLessThanOrEqual((memtable?.box.x ?? 0) + (memtable?.box.w ?? 0) - 8);
        const others = entries.filter((entry) => entry.sequence !== sequence);
        const isBeside =
          y > (memtable?.beads[0]?.box.y ?? Number.POSITIVE_INFINITY) + rows.line / 2;
        for (const { key: other } of isBeside ? others : [])
          expect(axis.x(other) > Number(to) || axis.x(other) < Number(from)).toBe(true);
      }
    }
  });

  it('too many to stand side by side, are one band over their keys', () => {
    const keys = Array.from({ length: 240 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    const entries = keys.map((name, at) => put(140 - at / 1000, name, 'value', null));
    const recent = [{ memtable: 7, wal: 14, entries }];
    const { memory, axis } = stageScene(busyView(), NOTHING_WRITTEN, 1000, 600, { recent });
    const { band, beads } = memory.memtables[0] ?? {};
    expect(beads).toEqual([]);
    expect(band?.x).toBeCloseTo(axis.x(key('k000')), 0);
    expect((band?.x ?? 0) + (band?.w ?? 0)).toBeCloseTo(axis.x(key('k239')), 0);
    expect(band?.w).toBeGreaterThan(300);
    expect(scene().memory.memtables[0]?.band).toBeNull();
  });

  it('of a crowded axis are a band, however few they are', () => {
    const entries = [put(140, 'k1', 'value', null), put(139, 'k2', 'value', null)];
    const others = Array.from({ length: 150 }, (_, at) =>
      put(120 - at / 1000, `m${String(at).padStart(3, '0')}`, 'value', null),
    );
    const recent = [
      { memtable: 7, wal: 14, entries },
      { memtable: 6, wal: 13, entries: others },
    ];
    const { memory, axis } = stageScene(busyView(), NOTHING_WRITTEN, 340, 600, { recent });
    const { band, beads } = memory.memtables[0] ?? {};
    expect(beads).toEqual([]);
    expect(band?.x).toBeCloseTo(axis.x(key('k1')), 0);
    expect(band?.w).toBeGreaterThan(0);
  });

  it('have the end of a long key, which differs from the others', () => {
    const long = (end: string) => put(146, `0000000000${end}`, 'red', 24);
    const gone = { ...long('00986879'), entry: 'rangeDelete' as const };
    const recent = (entry: RecentEntry) => [{ memtable: 7, wal: 14, entries: [entry] }];
    const first = (entry: RecentEntry) => {
      const { memory } = stageScene(busyView(), NOTHING_WRITTEN, 1500, 900, {
        recent: recent(entry),
      });
      const names = memory.wals.flatMap(({ ticks }) => ticks.flatMap(({ name }) => name ?? []));
      return [memory.memtables[0]?.labels[0]?.text, ...names];
    };
    expect(first(long('00986879'))).toEqual(['0000…000986879 = red', '0000…000986879']);
    expect(first({ ...gone, value: key('000000000000987777') })[0]).toBe(
      '[0000…000986879, 0000…000987777)',
    );
  });

  it('of another memtable, and those written later, are not shown', () => {
    expect(scene(busyView(), 5).memory.memtables[0]?.labels).toEqual([]);
    const before = scene({ ...busyView(), lastSequence: 144 });
    expect(before.memory.memtables[0]?.labels[0]?.text).toBe('cherry = red');
  });

  it('leave the place of open transactions free, however low the memory is', () => {
    const transactions = [
      { transaction: 1, sequence: 140, writes: 1, writeBytes: 9, reads: 0, isolation: 'snapshot' },
    ] as const;
    const view = { ...busyView(), transactions: [...transactions] };
    for (let height = 140; height <= 480; height += 20) {
      const recent = [{ memtable: 7, wal: 14, entries: [put(146, 'zebra', 'striped', 24)] }];
      const drawn = stageScene(view, NOTHING_WRITTEN, 390, height, { recent });
      const { rows, memory, transactions: place } = drawn;
      for (const { text, x, y } of memory.memtables.flatMap(({ labels }) => labels)) {
        const right = x + keyWidth(text, rows.unit) / 2;
        const top = y - rows.line * 0.78;
        for (const { box } of place.shapes) {
          const isClear = right < box.x || top >= box.y + box.h || top + rows.line <= box.y;
          expect(isClear, `${text} at ${height} px`).toBe(true);
        }
      }
    }
  });
});

describe('the newest records of a log', () => {
  const names = (view?: View) =>
    scene(view, 7, [1500, 900])
      .memory.wals.find(({ id }) => id === 'wal:14')
      ?.ticks.flatMap(({ name, synced }) => (name === null ? [] : [[name, synced]]));

  it('have the key of their first entry, and are hollow until they are synced', () => {
    expect(names()).toEqual([
      ['grape', false],
      ['fig', false],
      ['cherry', false],
      ['banana +1', false],
    ]);
    const wals = busyView().wals.map((wal) => ({ ...wal, syncedRecords: 22 }));
    expect(names({ ...busyView(), wals })).toEqual([
      ['grape', true],
      ['fig', true],
      ['cherry', false],
      ['banana +1', false],
    ]);
  });

  it('have no names while the newest one is not known', () => {
    const wals = busyView().wals.map((wal) => ({ ...wal, records: 25 }));
    expect(names({ ...busyView(), wals })).toEqual([]);
  });

  it('stand after the older ones, and the boundary between them', () => {
    const log = scene(busyView(), 7, [1500, 900]).memory.wals.find(({ id }) => id === 'wal:14');
    const ticks = log?.ticks ?? [];
    for (const [index, tick] of ticks.entries()) {
      const next = ticks[index + 1];
      if (next) expect(tick.x + tick.w).toBeLessThanOrEqual(next.x);
      else expect(tick.x + tick.w).toBeLessThanOrEqual((log?.box.x ?? 0) + (log?.box.w ?? 0));
    }
    const unsynced = ticks.find(({ synced }) => !synced);
    expect(log?.unsynced?.from).toBeLessThanOrEqual(unsynced?.x ?? 0);
  });
});
