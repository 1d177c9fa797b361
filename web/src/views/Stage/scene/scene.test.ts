import { describe, expect, it } from 'vitest';
import type { Patch, View, WireEvent } from '../../../model/engine.generated';
import { emptyTimeline } from '../../../model/timeline';
import { append } from '../../../model/timelineGrow';
import { size } from '../../../model/words';
import { NOTHING_WRITTEN, reduceWriting } from '../../../model/writing';
import { OPERATION } from '../../../testing/plainEvent';
import { busyView, key, table } from '../../../testing/sample';
import { markNear, stepAtX, stepX, timelineScene } from '../../Timeline/scene';
import { keyAxis } from './axis';
import { moveFocus } from './focus';
import type { Box } from './geometry';
import { barAt } from './levels';
import { overlapOf, stageScene } from './stage';
import { travels } from './travel';

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
    const row = scene(tiered(8), 770, 387).levels[1];
    expect(row?.lanes.map((lane) => lane.title)).toEqual(['8', '7', '6', '5', '4', '3', '2', '1']);
    expect(row?.detail).toBe('8 of 10 runs');
    expect(row?.note).toBe('');
    const shapes = row?.tables ?? [];
    expect(shapes).toHaveLength(16);
    expect(shapes.every((shape) => shape.title !== '' && shape.box.h >= 13)).toBe(true);
    for (const [index, shape] of shapes.entries()) {
      const sameRun = index % 2 === 1;
      const before = shapes[index - 1]?.box;
      if (sameRun) expect(shape.box.y).toBe(before?.y);
      else if (before) expect(shape.box.y).toBeGreaterThanOrEqual(before.y + before.h);
    }
  });

  it('counts the older runs that have no lane', () => {
    const row = scene(tiered(12), 770, 387).levels[1];
    expect(row?.lanes).toHaveLength(8);
    expect(row?.note).toBe('4 older runs not drawn');
    expect(row?.box.h).toBe(scene(tiered(8), 770, 387).levels[1]?.box.h);
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

  it('needs no more room than before while it has one run', () => {
    expect(scene(tiered(1)).rows).toEqual(scene().rows);
  });
});

describe('stage', () => {
  it('places everything inside the picture, at every size', () => {
    for (const [width, height] of [
      [600, 300],
      [760, 387],
      [1000, 480],
      [1800, 900],
    ] as const) {
      const drawn = scene(busyView(), width, height);
      for (const item of drawn.items.flat()) {
        expect(inside(item.box, width, drawn.height), `${item.id} at ${width}`).toBe(true);
      }
    }
  });

  it('fits 1280×720 without scrolling', () => {
    expect(scene(busyView(), 770, 387).height).toBe(387);
  });

  it('shows the same key at the same place in every level', () => {
    const { levels } = scene();
    const left = (id: string) =>
      levels.flatMap((row) => row.tables).find((t) => t.id === id)?.box.x;
    expect(left('table:5')).toBe(left('table:1'));
    expect(left('table:6')).toBeLessThan(left('table:8') ?? 0);
  });

  it('does not move rows when tables come and go', () => {
    const empty = { ...busyView(), levels: busyView().levels.map((l) => ({ ...l, tables: [] })) };
    expect(scene(empty).rows).toEqual(scene().rows);
    expect(scene(crowded(5000)).rows).toEqual(scene().rows);
  });

  it('says what a memtable, a log and a level hold', () => {
    const { memory, levels } = scene();
    expect(memory.memtables[0]?.detail).toBe('620 of 1,024 B · 24 entries');
    expect(memory.memtables[1]?.detail).toBe('waits for flush');
    expect(memory.wals.find((wal) => wal.id === 'wal:14')?.detail).toBe('19 synced · 5 not yet');
    expect(levels.map((row) => row.detail).slice(0, 3)).toEqual([
      '2 of 2 tables',
      'score 0.75',
      'score 0.31',
    ]);
  });

  it('draws thousands of tables with a bounded number of bars', () => {
    const row = scene(crowded(5000)).levels[2];
    expect(row?.tables.length).toBeLessThanOrEqual(400);
    expect(row?.tables.reduce((sum, shape) => sum + shape.tables, 0)).toBe(5000);
    expect(row?.note).toBe('5,000 tables');
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
  });

  it('keeps the oldest memtables in view, because they are flushed next', () => {
    const view = busyView();
    const [active, old] = view.memtables;
    if (!active || !old) throw new Error('no memtables');
    const olds = [16, 15, 14, 13, 12, 6].map((memtable) => ({ ...old, memtable }));
    const { memory } = scene({ ...view, memtables: [active, ...olds] });
    expect(memory.hiddenMemtables).toBe(3);
    expect(memory.memtables.map((shape) => shape.memtable.memtable)).toEqual([7, 13, 12, 6]);
  });

  it('shows the overlap with the next level', () => {
    const overlap = overlapOf(busyView(), scene(), 'table:6');
    expect([...(overlap?.ids ?? [])]).toEqual(['table:3']);
    expect(overlapOf(busyView(), scene(), 'memtable:7')).toBeNull();
  });

  it('draws the way of a flush', () => {
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
    expect(drawn.flows).toHaveLength(1);
    // Nothing is written yet: no bar, and no place on the axis that is not known.
    const created = drawn.levels[0]?.tables[0];
    expect(created).toMatchObject({ empty: true, detail: 'created, nothing written' });
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
      detail: `being written, 1 block, ${size(243)}`,
    });
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
    expect(more).toMatchObject({ detail: `being written, 2 blocks, ${size(343)}` });
    expect(more?.box.w).toBeGreaterThan(box?.w ?? 0);
  });
});

describe('axis', () => {
  it('labels never run into each other', () => {
    const keys = Array.from({ length: 300 }, (_, index) =>
      key(`customer:${String(index).padStart(5, '0')}`),
    );
    const { ticks } = keyAxis(keys, 130, 900);
    const spans = ticks.map(({ x, label, anchor }) => {
      const width = label.length * 8;
      const start = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
      return [start, start + width] as const;
    });
    for (let index = 1; index < spans.length; index += 1) {
      expect(spans[index]?.[0]).toBeGreaterThan(spans[index - 1]?.[1] ?? 0);
    }
    expect(ticks.length).toBeGreaterThan(3);
  });
});

describe('keyboard', () => {
  it('walks in rows and to the nearest in the next row', () => {
    const drawn = scene();
    expect(moveFocus(drawn, null, 'ArrowDown')).toBe('memtable:7');
    expect(moveFocus(drawn, 'memtable:7', 'ArrowRight')).toBe('memtable:6');
    expect(moveFocus(drawn, 'memtable:6', 'ArrowRight')).toBe('memtable:6');
    expect(moveFocus(drawn, 'memtable:7', 'ArrowDown')).toBe('wal:14');
    expect(moveFocus(drawn, 'table:6', 'Home')).toBe('level:1');
    expect(moveFocus(drawn, 'table:6', 'End')).toBe('table:7');
    expect(moveFocus(drawn, 'table:6', 'x')).toBeNull();
  });
});

describe('motion', () => {
  it('goes from the memtable to its table, and from input to output', () => {
    const before = scene();
    const levels = busyView().levels.map((level, index) =>
      index === 0 ? { ...level, tables: [table(12, 'b', 'p'), ...level.tables] } : level,
    );
    const after = scene({ ...busyView(), levels });
    const patches: Patch[] = [
      { of: 'addTable', level: 0, position: 0, table: table(12, 'b', 'p') },
      { of: 'memtable', edit: { remove: 6 } },
    ];
    expect(travels(before, after, { patches })).toMatchObject([{ kind: 'memtable' }]);
  });
});

describe('timeline', () => {
  const insert = (step: number): WireEvent => ({
    ...OPERATION,
    id: step,
    detail: 0,
    time: step,
    step,
    job: null,
    cause: null,
    kind: 'op.scan',
    sentence: '',
  });
  const timeline = append(
    emptyTimeline(),
    Array.from({ length: 1200 }, (_, index) => insert(index + 1)),
    null,
  );

  it('has a bounded number of bars and signs, and the rarest landmark of a place is drawn', () => {
    const marks = Array.from({ length: 600 }, (_, index) => ({
      step: 2 * index + 1,
      kind: index === 300 ? ('stall' as const) : ('flush' as const),
    }));
    const scene = timelineScene(timeline, marks, 300);
    expect(scene.bars.length).toBeLessThanOrEqual(60);
    expect(scene.marks.length).toBeLessThanOrEqual(30);
    expect(scene.marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(600);
    expect(scene.marks.filter(({ kind }) => kind === 'stall')).toHaveLength(1);
    const stall = scene.marks.find(({ kind }) => kind === 'stall');
    expect(markNear(scene, (stall?.x ?? 0) + 3)?.step).toBe(601);
  });

  it('draws the part of the steps that background jobs did, and nothing else', () => {
    const jobs = (step: number) => (step > 600 ? 4 : null);
    const events = Array.from({ length: 1200 }, (_, index) => ({
      ...insert(index + 1),
      job: jobs(index + 1),
    }));
    const { bars } = timelineScene(append(emptyTimeline(), events, null), [], 300);
    const heights = bars.map(({ height }) => height);
    expect(heights).toEqual([...heights].sort());
    expect([heights[0], heights.at(-1)]).toEqual([0.25, 1]);
    // One bar stands for steps of both kinds.
    expect(new Set(heights).size).toBe(3);
  });

  it('finds the step under the pointer, at both ends too', () => {
    for (const step of [1, 2, 137, 599, 1200]) {
      expect(Math.abs(stepAtX(stepX(step, 1200, 2400), 1200, 2400) - step)).toBeLessThan(1);
    }
    expect(stepAtX(-50, 1200, 300)).toBe(1);
    expect(stepAtX(900, 1200, 300)).toBe(1200);
  });
});
