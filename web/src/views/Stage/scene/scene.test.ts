import { describe, expect, it } from 'vitest';
import type { View } from '../../../model/engine.generated';
import { EMPTY_VIEW } from '../../../model/reduce';
import { size } from '../../../model/words';
import { NOTHING_WRITTEN, reduceWriting } from '../../../model/writing';
import { busyView, key, table } from '../../../testing/sample';
import { keyAxis } from './axis';
import { moveFocus } from './focus';
import type { Box } from './geometry';
import { overlapOf, stageScene } from './stage';
import { barAt, type TableShape } from './tables';
import { keyWidth, textWidth } from './text';

const WIDTH = 1000;
const HEIGHT = 480;

function scene(view: View = busyView(), width = WIDTH, height = HEIGHT) {
  return stageScene(view, NOTHING_WRITTEN, width, height);
}

function crowded(tables: number): View {
  const view = busyView();
  const name = (index: number) => `k${String(index).padStart(7, '0')}`;
  const many = Array.from({ length: tables }, (_, index) =>
    table(100 + index, name(2 * index), name(2 * index + 1)),
  );
  const levels = view.levels.map((level, index) =>
    index === 2 ? { ...level, tables: many } : level,
  );
  return { ...view, levels };
}

function inside(box: Box, width: number, height: number): boolean {
  return box.x >= 0 && box.y >= 0 && box.x + box.w <= width + 0.5 && box.y + box.h <= height;
}

/** L1 with so many runs, newest first, of two tables each. */
function tiered(runs: number): View {
  const view = busyView();
  const tables = Array.from({ length: runs }, (_, index) => [
    table(100 + 2 * index, 'apple', 'lemon', { run: runs - index }),
    table(101 + 2 * index, 'mango', 'zucchini', { run: runs - index }),
  ]).flat();
  const levels = view.levels.map((level, index) => {
    const score = {
      ...level.score,
      unit: 'runs' as const,
      runs,
      limit: 10,
      score: runs / 10,
      due: false,
    };
    return index === 1 ? { score, tables } : level;
  });
  return { ...view, levels };
}

const captions = (shape: TableShape | undefined) => shape?.captions.map(({ text }) => text);

/** A table of which nothing is written yet. */
const CREATED = {
  blocks: [],
  filterBytes: null,
  indexBytes: null,
  fileBytes: null,
  synced: false,
};

describe('a level of several runs', () => {
  it('has a lane for each run, the newest on top, readable at 1280×720', () => {
    const row = scene(tiered(7), 900, 600).levels[1];
    expect(row?.lanes.map((lane) => lane.title)).toEqual(['7', '6', '5', '4', '3', '2', '1']);
    expect(row?.detail).toBe('7 of 10 runs');
    expect(row?.note).toBeNull();
    const shapes = row?.tables ?? [];
    expect(shapes).toHaveLength(14);
    expect(shapes.every((shape) => shape.captions.length > 0 && shape.box.h >= 19)).toBe(true);
    for (const [index, shape] of shapes.entries()) {
      const sameRun = index % 2 === 1;
      const before = shapes[index - 1]?.box;
      if (sameRun) expect(shape.box.y).toBe(before?.y);
      else if (before) expect(shape.box.y).toBeGreaterThanOrEqual(before.y + before.h);
    }
  });

  it('draws a few older runs without a lane as strips, and counts many', () => {
    const some = scene(tiered(8), 900, 480).levels[1];
    expect(some?.lanes.map((lane) => lane.title)).toEqual(['8', '7', '6', '+5']);
    expect(some?.tables).toHaveLength(16);
    const row = scene(tiered(12), 900, 480).levels[1];
    expect(row?.lanes.map((lane) => lane.title)).toEqual(['12', '11', '10']);
    expect(row?.note?.text).toBe('9 older runs not drawn');
    expect(row?.box.h).toBe(scene(tiered(8), 900, 480).levels[1]?.box.h);
  });

  it('writes into a lane above them, and leaves no row out of the picture', () => {
    const writing = reduceWriting(NOTHING_WRITTEN, {
      patches: [{ of: 'output', edit: { add: { ...CREATED, table: 300, level: 1, job: 9 } } }],
    });
    const drawn = stageScene(tiered(3), writing, 770, 387);
    const shapes = drawn.levels[1]?.tables ?? [];
    expect(shapes.map((shape) => shape.role)[0]).toBe('output');
    const tops = shapes.map((shape) => shape.box.y);
    expect(Math.min(...tops.slice(1))).toBeGreaterThan(tops[0] ?? 0);
    for (const item of drawn.items.flat()) {
      expect(inside(item.box, 770, drawn.height), item.id).toBe(true);
    }
  });

  it('does not move when a job begins to write into it', () => {
    const writing = reduceWriting(NOTHING_WRITTEN, {
      patches: [{ of: 'output', edit: { add: { ...CREATED, table: 300, level: 1, job: 9 } } }],
    });
    const before = scene(tiered(3));
    const after = stageScene(tiered(3), writing, WIDTH, HEIGHT);
    expect(after.rows).toEqual(before.rows);
    const places = after.levels[1]?.tables.filter(({ role }) => role === 'table');
    expect(places?.map(({ box }) => box)).toEqual(before.levels[1]?.tables.map(({ box }) => box));
  });
});

describe('stage', () => {
  it('places everything inside the picture, at every size', () => {
    for (const [width, height] of [
      [600, 300],
      [850, 300],
      [900, 430],
      [1000, 480],
      [1800, 900],
    ] as const) {
      const drawn = scene(busyView(), width, height);
      for (const item of drawn.items.flat()) {
        expect(inside(item.box, width, drawn.height), `${item.id} at ${width}`).toBe(true);
      }
    }
  });

  it('fits without scrolling, with all rows, from 290 pixels on', () => {
    for (const height of [290, 300, 387, 430, 900]) {
      expect(scene(busyView(), 850, height).height, `${height}`).toBe(height);
    }
  });

  it('has text of 16 to 24 pixels, larger where there is more room', () => {
    const unit = (width: number, height: number) => scene(busyView(), width, height).rows.unit;
    expect([unit(850, 300), unit(900, 430), unit(1050, 560), unit(1400, 720)]).toEqual([
      16, 16, 20, 24,
    ]);
  });

  it('lets the empty levels below all data share one row', () => {
    const { levels } = scene();
    expect(levels.map(({ title }) => title)).toEqual(['L0', 'L1', 'L2', 'L3–L4']);
    expect(levels.at(-1)?.caption.text).toBe('empty');
    const writing = reduceWriting(NOTHING_WRITTEN, {
      patches: [{ of: 'output', edit: { add: { ...CREATED, table: 300, level: 3, job: 9 } } }],
    });
    const during = stageScene(busyView(), writing, WIDTH, HEIGHT);
    expect(during.levels.map(({ title }) => title)).toEqual(['L0', 'L1', 'L2', 'L3']);
    expect(during.rows).toEqual(scene().rows);
  });

  it('shows the same key at the same place in every level', () => {
    const { levels } = scene();
    const left = (id: string) =>
      levels.flatMap((row) => row.tables).find((t) => t.id === id)?.box.x;
    expect(left('table:5')).toBe(left('table:1'));
    expect(left('table:6')).toBeLessThan(left('table:8') ?? 0);
  });

  it('does not move rows when tables come and go', () => {
    const one = busyView().levels.map((level) => ({ ...level, tables: level.tables.slice(0, 1) }));
    expect(scene({ ...busyView(), levels: one }).rows).toEqual(scene().rows);
    expect(scene(crowded(5000)).rows).toEqual(scene().rows);
  });

  it('labels a memtable, a log and a level with their content', () => {
    const { memory, levels } = scene();
    expect(memory.memtables[0]?.detail).toBe('620 of 1,024 B');
    expect(memory.memtables[1]?.detail).toBe('waits');
    expect(memory.wals.find((wal) => wal.id === 'wal:14')?.detail).toBe('19 synced · 5 not yet');
    expect(levels.map((row) => row.detail).slice(0, 3)).toEqual([
      '2 of 2 tables',
      'score 0.75',
      'score 0.31',
    ]);
  });

  it('draws thousands of tables as bars, each at its keys', () => {
    const row = scene(crowded(5000)).levels[2];
    expect(row?.tables.filter(({ bar }) => bar)).toHaveLength(5000);
    expect(row?.note?.text).toBe('5,000 tables');
  });

  it('finds each of hundreds of bars, and none beside or between', () => {
    const row = scene(crowded(300)).levels[2];
    const bars = row?.tables.filter((shape) => shape.bar) ?? [];
    expect(bars).toHaveLength(300);
    for (const { id, box } of bars) {
      expect(barAt(bars, box.x + box.w / 2, box.y + box.h / 2)?.id).toBe(id);
    }
    const [first] = bars;
    if (!first) throw new Error('no bars');
    const { x, y } = first.box;
    expect(barAt(bars, x - 3, y + 1)).toBe(first);
    expect(barAt(bars, x - 30, y + 1)).toBeNull();
    expect(barAt(bars, x + 1, y - 1)).toBeNull();
    expect(scene(crowded(20)).levels[2]?.tables.some((shape) => shape.bar)).toBe(false);
  });

  it('draws many records as one mark', () => {
    const view = busyView();
    const wals = view.wals.map((wal) => ({ ...wal, records: 4321, syncedRecords: 4000 }));
    for (const wal of scene({ ...view, wals }).memory.wals) {
      expect(wal.ticks.length).toBeLessThanOrEqual(60);
      expect(wal.perTick * wal.ticks.length).toBeGreaterThanOrEqual(4321);
    }
    // Where there is no room for the caption, the title has the number.
    const [low] = stageScene({ ...view, wals }, NOTHING_WRITTEN, 1000, 300).memory.wals;
    expect([low?.title, low?.detail]).toEqual([`WAL ${low?.wal.wal} · 4,321`, '']);
  });

  it('counts the logs that have no room', () => {
    const view = busyView();
    const [log] = view.wals;
    if (!log) throw new Error('no logs');
    const wals = Array.from({ length: 6 }, (_, at) => ({ ...log, wal: 20 + at }));
    for (const width of [1000, 1400]) {
      const { memory, rows } = scene({ ...view, wals }, width);
      const rest = 6 - memory.wals.length;
      expect(memory.moreWals?.text).toBe(`+${rest} logs`);
      const words = rows.right - textWidth(`+${rest} logs`, rows.unit);
      for (const { whole } of memory.wals) expect(whole.x + whole.w).toBeLessThanOrEqual(words);
    }
    expect(scene().memory.moreWals).toBeNull();
  });

  it('keeps the oldest memtables in view, because they are flushed next', () => {
    const view = busyView();
    const [active, old] = view.memtables;
    if (!active || !old) throw new Error('no memtables');
    const olds = [16, 15, 14, 13, 12, 6].map((memtable) => ({ ...old, memtable }));
    const { memory } = scene({ ...view, memtables: [active, ...olds] });
    const shown = memory.memtables.map((shape) => shape.memtable.memtable);
    expect(shown.length + memory.hiddenMemtables).toBe(7);
    const [newest, ...low] = memory.memtables.map(({ title }) => title);
    expect(newest).toBe('mem 7');
    expect(low[0]).toBe('+6 wait');
    expect(low.slice(1).every((title) => title === '')).toBe(true);
    expect([shown[0], shown.at(-1)]).toEqual([7, 6]);
  });

  it('does not show levels as empty before opening has read the manifest', () => {
    const levels = busyView().levels.map((level) => ({ ...level, tables: [] }));
    const unread = { ...EMPTY_VIEW, levels };
    const details = (view: View) => scene(view).levels.map(({ detail }) => detail);
    expect(new Set(details(unread))).toEqual(new Set(['not read yet']));
    expect(details({ ...unread, manifest: 1 })).toContain('empty');
  });

  it('shows the overlap with the next level', () => {
    const overlap = overlapOf(busyView(), scene(), 'table:6');
    expect([...(overlap?.ids ?? [])]).toEqual(['table:3']);
    expect(overlapOf(busyView(), scene(), 'memtable:7')).toBeNull();
  });

  it('draws the table of a flush from its creation on', () => {
    const jobs = [
      {
        job: 4,
        what: 'flush' as const,
        reason: '',
        memtable: 6,
        inputs: [],
        outputLevel: 0,
        outputs: [12],
        entriesDone: 9,
        entriesTotal: 41,
      },
    ];
    let writing = reduceWriting(NOTHING_WRITTEN, {
      patches: [{ of: 'output', edit: { add: { ...CREATED, table: 12, level: 0, job: 4 } } }],
    });
    const drawn = stageScene({ ...busyView(), jobs }, writing, WIDTH, HEIGHT);
    // Nothing is written yet: no bar, and no place on the axis that is not known.
    const created = drawn.levels[0]?.tables[0];
    expect(created?.empty).toBe(true);
    expect(captions(created)).toEqual(['12', 'created, nothing written']);
    expect(created?.box.w).toBe(drawn.levels[0]?.box.w);
    writing = reduceWriting(writing, {
      patches: [
        {
          of: 'block',
          table: 12,
          block: {
            index: 1,
            entries: 9,
            rawBytes: 256,
            storedBytes: 243,
            offset: 0,
            first: key('avocado'),
            last: key('grape'),
          },
        },
      ],
    });
    const shape = stageScene({ ...busyView(), jobs }, writing, WIDTH, HEIGHT).levels[0]?.tables[0];
    expect(shape).toMatchObject({
      id: 'table:12',
      role: 'output',
      empty: false,
    });
    expect(shape?.label()).toBe(`table 12, being written, 1 block, ${size(243)}`);
    expect(captions(shape)).toEqual(['12', `1 block, ${size(243)}`]);
    // A table that is being written is drawn at its keys and grows with them.
    const { box } = shape ?? {};
    writing = reduceWriting(writing, {
      patches: [
        {
          of: 'block',
          table: 12,
          block: {
            index: 2,
            entries: 9,
            rawBytes: 256,
            storedBytes: 100,
            offset: 248,
            first: key('kiwi'),
            last: key('orange'),
          },
        },
      ],
    });
    const more = stageScene({ ...busyView(), jobs }, writing, WIDTH, HEIGHT).levels[0]?.tables[0];
    expect(captions(more)).toEqual(['12', `being written, 2 blocks, ${size(343)}`]);
    expect(more?.box.w).toBeGreaterThan(box?.w ?? 0);
  });
});

describe('axis', () => {
  it('labels never run into each other', () => {
    const keys = Array.from({ length: 300 }, (_, index) =>
      key(`customer:${String(index).padStart(5, '0')}`),
    );
    const { ticks } = keyAxis(keys, { left: 130, right: 900, unit: 16, scale: 'rank' });
    const spans = ticks.map(({ x, label, anchor }) => {
      const width = keyWidth(label, 16);
      const start = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
      return [start, start + width] as const;
    });
    for (let index = 1; index < spans.length; index += 1) {
      expect(spans[index]?.[0]).toBeGreaterThan(spans[index - 1]?.[1] ?? 0);
    }
    expect(ticks.length).toBeGreaterThan(3);
  });

  it('puts a key that is no bound between its neighbours', () => {
    const place = { left: 0, right: 816, unit: 16, scale: 'rank' } as const;
    const { x } = keyAxis(['apple', 'cherry', 'plum'].map(key), place);
    expect([x(key('apple')), x(key('cherry')), x(key('plum'))]).toEqual([8, 408, 808]);
    expect(x(key('banana'))).toBeGreaterThan(8);
    expect(x(key('blueberry'))).toBeGreaterThan(x(key('banana')));
    expect(x(key('blueberry'))).toBeLessThan(408);
    expect(x(key('aardvark'))).toBeLessThan(8);
    expect(x(key('zucchini'))).toBeGreaterThan(808);
  });

  it('by position keeps the distances of the bytes after the common prefix', () => {
    const place = { left: 0, right: 1016, unit: 16, scale: 'position' } as const;
    const { x } = keyAxis(['key0', 'key1', 'key2', 'key9'].map(key), place);
    const [a, b, c, d] = ['key0', 'key1', 'key2', 'key9'].map((text) => x(key(text)));
    expect([a, d]).toEqual([8, 1008]);
    expect((b ?? 0) - (a ?? 0)).toBeCloseTo((c ?? 0) - (b ?? 0));
    expect((d ?? 0) - (c ?? 0)).toBeCloseTo(7 * ((c ?? 0) - (b ?? 0)));
  });
});

describe('keyboard', () => {
  it('walks in rows and to the nearest in the next row', () => {
    const drawn = scene();
    expect(moveFocus(drawn, null, 'ArrowDown')).toBe('memtable:7');
    expect(moveFocus(drawn, 'memtable:7', 'ArrowRight')).toBe('memtable:7');
    expect(moveFocus(drawn, 'memtable:7', 'ArrowDown')).toBe('memtable:6');
    expect(moveFocus(drawn, 'memtable:6', 'ArrowDown')).toMatch(/^wal:/);
    expect(moveFocus(drawn, 'table:6', 'Home')).toBe('level:1');
    expect(moveFocus(drawn, 'table:6', 'End')).toBe('table:7');
    expect(moveFocus(drawn, 'table:6', 'x')).toBeNull();
  });
});
