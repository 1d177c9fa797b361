import { beforeAll, describe, expect, it } from 'vitest';
import type { Message, RecentWrites, TableContents, View } from '../../../model/engine.generated';
import { reduce } from '../../../model/reduce';
import { NOTHING_WRITTEN, reduceWriting } from '../../../model/writing';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../../testing/realEngine';
import { type Bead, beadsOf } from './beads';
import type { Entry } from './contents';
import { lostOf, pointAt, type Way, waysBack, waysBetween } from './motion';
import { type Scene, stageScene } from './stage';

/* Entries of the real engine on their ways, from a put to the level that a merge writes. */

const SIZE = [1100, 620] as const;

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

interface Moment {
  scene: Scene;
  kind: string;
  view: View;
}

type Batch = Extract<Message, { type: 'events' }>;

/** The picture after every event of some lines, with all that the engine returns of its entries. */
function moments(lines: readonly string[]): Moment[] {
  const engine = new Make('memory');
  openEngine(engine, {});
  const drain = (): Batch => JSON.parse(engine.events(true) ?? '');
  const answer = <T>(line: string): T => ask(engine, line) as T;
  let view = drain().view as View;
  let writing = NOTHING_WRITTEN;
  const contents = new Map<number, readonly Entry[]>();
  const out: Moment[] = [];
  let recent: RecentWrites[] = [];
  for (const line of lines) {
    ask(engine, line);
    const { events } = drain();
    const now = answer<RecentWrites[]>('mem --newest 500');
    // Entries that a flush has moved out of memory stay known for earlier steps.
    recent = [
      ...now,
      ...recent.filter(({ memtable }) => now.every((n) => n.memtable !== memtable)),
    ];
    for (const each of answer<TableContents[]>('contents --limit 500'))
      contents.set(each.table, each.entries);
    for (const event of events) {
      view = reduce(view, event);
      writing = reduceWriting(writing, event);
      const shown = { recent, contents };
      out.push({ scene: stageScene(view, writing, ...SIZE, shown), kind: event.kind, view });
    }
  }
  return out;
}

const LINES = [
  'put mint green',
  'fill 24 --words --seed 3',
  'flush',
  ...Array.from({ length: 30 }, () => 'step'),
  'fill 24 --words --seed 4',
  'flush',
  ...Array.from({ length: 60 }, () => 'step'),
];

const TIMES = Array.from({ length: 41 }, (_, index) => index * 30);

describe('entries', () => {
  let all: Moment[];
  beforeAll(() => {
    all = moments(LINES);
  });

  it('are all drawn: one bead for each entry of a table, in the order of keys', () => {
    let drawn = 0;
    for (const { scene, view } of all) {
      const entries = new Map(
        view.levels.flatMap(({ tables }) => tables.map((each) => [each.table, each.entries])),
      );
      for (const shape of scene.levels.flatMap(({ tables }) => tables)) {
        // A narrow table is a bar.
        if (!shape.table || shape.thin) continue;
        expect(shape.beads).toHaveLength(entries.get(shape.table.number) ?? -1);
        drawn += 1;
        const { x, w } = shape.box;
        for (const { box } of shape.beads) {
          expect(box.x).toBeGreaterThanOrEqual(x);
          expect(box.x + box.w).toBeLessThanOrEqual(x + w + 0.01);
        }
      }
    }
    expect(drawn).toBeGreaterThan(50);
  });

  it('are covered by none: an older version stands beside the newest one', () => {
    let older = 0;
    for (const { scene } of all) {
      const beads = beadsOf(scene);
      const [newest, others] = [beads.filter((b) => !b.isPale), beads.filter((b) => b.isPale)];
      const place = ({ box }: Bead) => `${box.x.toFixed(1)} ${(box.y + box.h).toFixed(1)}`;
      const taken = new Set(newest.map(place));
      expect(taken.size).toBe(newest.length);
      expect(others.filter((bead) => taken.has(place(bead)))).toEqual([]);
      older += others.length;
    }
    expect(older).toBeGreaterThan(0);
  });

  it('stand at the same place of the axis and have the same colour wherever they are', () => {
    for (const { scene } of all) {
      const hues = new Map<string, number>();
      for (const { version, hue } of beadsOf(scene)) {
        expect(hues.get(version) ?? hue).toBe(hue);
        hues.set(version, hue);
      }
    }
  });

  it('fall straight down in a flush, in the order of keys, and land at their own places', () => {
    let fallen = 0;
    for (const [index, { scene, kind, view }] of all.entries()) {
      const before = all[index - 1]?.scene;
      if (!before || kind !== 'table.block' || view.jobs[0]?.what !== 'flush') continue;
      const falls = waysBetween(before, scene).filter(({ how }) => how === 'fall');
      fallen += falls.length;
      for (const way of falls) {
        expect(way.dy).toBeLessThan(0);
        expect(Math.abs(way.dx)).toBeLessThan(20);
        expect(path(way).every(({ dy }) => dy <= 5)).toBe(true);
      }
      const begins = falls.map((way) => way.begins);
      expect(begins).toEqual(begins.toSorted((a, b) => a - b));
    }
    expect(fallen).toBeGreaterThan(20);
  });

  it('end where the picture has them, and begin where it had them', () => {
    for (const [index, { scene }] of all.entries()) {
      const before = all[index - 1]?.scene;
      if (!before) continue;
      for (const way of waysBetween(before, scene)) {
        const end = pointAt(way, way.begins + way.lasts + 1);
        expect(Math.hypot(end.dx, end.dy)).toBe(0);
        expect(end.opacity).toBe(1);
        const { dx, dy } = pointAt(way, 0);
        if (way.how !== 'appear') expect([dx, dy]).toEqual([way.dx, way.dy]);
        expect(way.begins + way.lasts).toBeLessThan(1000);
      }
    }
  });

  it('do not move while nothing changes', () => {
    const { scene } = all.at(-1) as Moment;
    expect(waysBetween(scene, scene)).toEqual([]);
  });

  it('are written to the log first, above the line, and sink below it with the sync', () => {
    const [before, put, synced] = moments([
      'put apple red --sync off',
      'put fig brown --sync off',
      'sync',
    ])
      .filter(({ kind }) => /^(memtable.insert|wal.sync)$/.test(kind))
      .slice(-3);
    if (!before || !put || !synced) throw new Error('two puts and a sync');
    const written = waysBetween(before.scene, put.scene).filter(({ how }) => how === 'fall');
    expect(written.map(({ id }) => id.split(':')[0])).toEqual(['wal', 'memtable']);
    expect(written[0]?.begins).toBeLessThan(written[1]?.begins ?? 0);
    const sunk = waysBetween(put.scene, synced.scene).filter(({ id }) => id.includes('record'));
    expect(sunk.map(({ how }) => how)).toEqual(['glide', 'glide']);
    for (const { dx, dy } of sunk) expect([dx, dy < 0]).toEqual([0, true]);
  });

  it('rise to the memtable when the step back undoes a flush, and none falls', () => {
    const at = all.findIndex(
      ({ view }, index) => view.memtables.length < (all[index - 1]?.view.memtables.length ?? 0),
    );
    const [earlier, later] = [all[at - 1], all[at]];
    if (!earlier || !later) throw new Error('a flush ends');
    const ways = waysBack(later.scene, earlier.scene);
    const risen = ways.filter(({ id }) => id.startsWith('memtable'));
    expect(risen.length).toBeGreaterThan(5);
    expect(ways.every(({ how }) => how === 'glide')).toBe(true);
    for (const way of risen.filter(({ id }) => id.includes('/'))) {
      expect(way.dy).toBeGreaterThan(0);
      expect(pointAt(way, way.lasts).dy).toBeCloseTo(0);
    }
  });
});

const path = (way: Way) => TIMES.map((time) => pointAt(way, time));

describe('what a table at work holds', () => {
  it('is drawn only where it is certain', () => {
    for (const { scene, view } of moments(LINES)) {
      for (const shape of scene.levels.flatMap(({ tables }) => tables)) {
        if (shape.role !== 'output' || shape.beads.length === 0) continue;
        const job = view.jobs.find(({ outputs }) => outputs.includes(Number(shape.id.slice(6))));
        expect(job?.entriesDone).toBeGreaterThanOrEqual(shape.beads.length);
      }
    }
  });
});

it('knows lost entries only where all entries are known', () => {
  const written = moments(['put apple 1', 'put fig 2']);
  const [few, all] = [1, 2].map((count) =>
    written.find(({ scene }) => beadsOf(scene).length === count),
  );
  if (!few || !all) throw new Error('no entries');
  const lost = lostOf(beadsOf(all.scene), few.scene);
  expect(lost.map(({ key }) => key.head)).toEqual(['fig']);
  expect(lostOf(beadsOf(all.scene), stageScene(few.view, NOTHING_WRITTEN, ...SIZE))).toEqual([]);
  expect(lostOf(beadsOf(few.scene), all.scene)).toEqual([]);
});
