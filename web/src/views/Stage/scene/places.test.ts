import { beforeAll, describe, expect, it } from 'vitest';
import type { Message, View, WireEvent } from '../../../model/engine.generated';
import { reduce } from '../../../model/reduce';
import { NOTHING_WRITTEN, reduceWriting, type Writing } from '../../../model/writing';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../../testing/realEngine';
import type { KeyScale } from './axis';
import type { Box } from './geometry';
import { type Scene, stageScene } from './stage';
import type { Caption, TableShape } from './tables';
import { boldWidth, keyWidth, textWidth } from './text';

/*
 * The picture of the real engine at many moments: nothing overlaps, nothing leaves its place, and the key axis stays
 * while a job runs.
 */

const SIZES = [
  [850, 300],
  [900, 430],
  [900, 560],
  [1200, 640],
  [1500, 900],
] as const;

interface Moment {
  view: View;
  writing: Writing;
  event: WireEvent;
}

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

/** Every moment of some work that fills levels, with flushes while compactions run. */
function moments(settings: Record<string, string>, lines: readonly string[]): Moment[] {
  const engine = new Make('memory');
  openEngine(engine, settings);
  const drain = (): Batch => JSON.parse(engine.events(true) ?? '');
  let view = drain().view as View;
  let writing = NOTHING_WRITTEN;
  const out: Moment[] = [];
  for (const line of lines) {
    ask(engine, line);
    for (const event of drain().events) {
      view = reduce(view, event);
      writing = reduceWriting(writing, event);
      out.push({ view, writing, event });
    }
  }
  return out;
}

const WORK = Array.from({ length: 14 }, (_, turn) => [
  `fill ${20 + turn} --words --seed ${turn}`,
  turn % 3 === 2 ? 'step 9' : 'run',
  turn % 4 === 3 ? 'begin; put apple green' : 'delete apple',
]).flat();

const WORKS = {
  leveled: {},
  'many tables in L0': { l0_trigger: '16', l0_slowdown: '40', l0_stall: '50' },
  tiered: { strategy: 'tiered' },
};

function overlap(a: Box, b: Box): boolean {
  const slack = 0.5;
  return (
    a.x + a.w > b.x + slack &&
    b.x + b.w > a.x + slack &&
    a.y + a.h > b.y + slack &&
    b.y + b.h > a.y + slack
  );
}

function captionBox({ of, text, x, y, anchor }: Caption, unit: number): Box {
  const measure = { number: boldWidth, more: textWidth, version: keyWidth, key: keyWidth }[of];
  const w = measure(text, unit);
  const start = anchor === 'start' ? x : anchor === 'end' ? x - w : x - w / 2;
  return { x: start, y: y - unit * 0.75, w, h: unit * 0.75 };
}

/** Everything that must have a place of its own. */
function boxes(scene: Scene): { id: string; box: Box }[] {
  return [
    ...scene.items.flat().filter(({ id }) => !id.startsWith('wal:')),
    ...scene.memory.wals.map(({ id, whole }) => ({ id, box: whole })),
    ...scene.transactions.shapes.map(({ id, box }) => ({ id, box })),
  ];
}

function faults(scene: Scene): string[] {
  const all = boxes(scene);
  const out: string[] = [];
  for (const [index, one] of all.entries()) {
    const { x, y, w, h } = one.box;
    if (x < 0 || y < 0 || x + w > scene.width || y + h > scene.rows.axisY || h <= 0) {
      out.push(`${one.id} leaves the picture: ${JSON.stringify(one.box)}`);
    }
    for (const other of all.slice(index + 1)) {
      // Open transactions lie in the memory, above its beads.
      const isWithin = /^(memtable|transaction)/.test(one.id) && /^transaction/.test(other.id);
      if (!isWithin && overlap(one.box, other.box)) out.push(`${one.id} overlaps ${other.id}`);
    }
  }
  for (const { tables } of scene.levels)
    for (const shape of tables) out.push(...captionFaults(shape, tables, scene));
  return out;
}

function captionFaults(
  { id, box, captions }: TableShape,
  tables: readonly TableShape[],
  { rows: { unit, left, right } }: Scene,
): string[] {
  const places = captions.map((caption) => captionBox(caption, unit));
  return places.flatMap((place, index) => {
    const text = captions[index]?.text;
    const out: string[] = [];
    // A table that is too narrow for its number has it beside it.
    const isBeside = place.x > box.x + box.w || place.x + place.w < box.x;
    const isWithin = place.x >= box.x - 0.5 && place.x + place.w <= box.x + box.w + 0.5;
    if (!isWithin && !(isBeside && box.w < boldWidth(id.slice('table:'.length), unit) + 4))
      out.push(`"${text}" leaves ${id}`);
    if (isBeside && (place.x < left - 0.5 || place.x + place.w > right + 0.5))
      out.push(`"${text}" of ${id} leaves the picture`);
    for (const other of isBeside ? tables : []) {
      const words = other === tables.find((each) => each.id === id) ? [] : other.captions;
      const boxes = [other.box, ...words.map((caption) => captionBox(caption, unit))];
      if (boxes.some((each) => overlap(place, each)))
        out.push(`"${text}" of ${id} covers ${other.id}`);
    }
    const covered = places.slice(index + 1).some((other) => overlap(place, other));
    return covered ? [...out, `"${text}" of ${id} covers another caption`] : out;
  });
}

describe.each(Object.entries(WORKS))('%s', (_, settings) => {
  it('has a place for everything, at every size', () => {
    const some = moments(settings, WORK).filter((_, index) => index % 23 === 0);
    expect(some.length).toBeGreaterThan(30);
    for (const { view, writing, event } of some) {
      for (const [width, height] of SIZES) {
        for (const scale of ['rank', 'position'] as KeyScale[]) {
          const where = `step ${event.step} (${event.kind}) at ${width}×${height} by ${scale}`;
          const scene = stageScene(view, writing, width, height, { scale });
          expect(faults(scene), where).toEqual([]);
          expect(scene.rows.unit, where).toBeGreaterThanOrEqual(16);
          expect(scene.height, where).toBe(height);
        }
      }
    }
  }, 60_000);

  it('keeps rows and keys in place while a job runs', () => {
    let before: Scene | null = null;
    let moves = 0;
    for (const { view, writing, event } of moments(settings, WORK)) {
      const scene = stageScene(view, writing, 900, 430);
      const where = `step ${event.step}: ${event.sentence}`;
      const installed = new Set(view.levels.flatMap(({ tables }) => tables.map((t) => t.table)));
      const atWork = view.jobs.some(({ outputs }) => outputs.some((t) => !installed.has(t)));
      const changed = event.patches.some(({ of }) => /Table$|^reset$|^levels$/.test(of));
      if (before && (atWork || !changed)) {
        if (!changed) expect(scene.rows, where).toEqual(before.rows);
        expect(scene.ticks, where).toEqual(before.ticks);
      } else if (before && JSON.stringify(scene.ticks) !== JSON.stringify(before.ticks)) {
        moves += 1;
      }
      before = scene;
    }
    expect(moves).toBeGreaterThan(3);
  }, 60_000);
});
