import { beforeAll, describe, expect, it } from 'vitest';
import type {
  ExplainResult,
  Message,
  RecentWrites,
  TableContents,
  View,
} from '../../../model/engine.generated';
import { keyOfText } from '../../../model/keys';
import { stopWords } from '../../../model/readStops';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { ask, loadEngine, openEngine } from '../../../testing/realEngine';
import type { Box } from './geometry';
import { pointAt, waysBetween } from './motion';
import { lookupPart, type Plumb } from './plumb';
import { type Scene, stageScene } from './stage';

/* Lookups of the real engine in the picture of its tree. */

const KEYS = ['apple', 'berlin', 'cairo', 'kiwi', 'kong', 'lima', 'tiger', 'zzz'];

interface Tree {
  view: View;
  shown: { recent: RecentWrites[]; contents: Map<number, TableContents['entries']> };
  reads: ExplainResult[];
}

let tree: Tree;

beforeAll(async () => {
  const engine = new (await loadEngine())('memory');
  openEngine(engine, { memtable_bytes: '600' });
  const lines = ['fill 90 --words --seed 7', 'run', 'fill 30 --words --seed 5', 'run'];
  for (const line of [...lines, 'fill 24 --words --seed 11']) ask(engine, line);
  const answer = <T>(line: string): T => ask(engine, line) as T;
  const contents = answer<TableContents[]>('contents --limit 500');
  type Events = Extract<Message, { type: 'events' }>;
  tree = {
    view: (JSON.parse(engine.events(true) ?? '') as Events).view as View,
    shown: {
      recent: answer<RecentWrites[]>('mem --newest 500'),
      contents: new Map(contents.map(({ table, entries }) => [table, entries])),
    },
    reads: [
      ...KEYS.map((key) => answer<ExplainResult>(`explain get ${key}`)),
      answer<ExplainResult>('explain prefix c'),
    ],
  };
});

function sceneOf(read: ExplainResult, at: number, isHidden = false): Scene {
  const lookup = lookupPart({ read, at, isHidden });
  return stageScene(tree.view, NOTHING_WRITTEN, 1100, 620, { ...tree.shown, lookup });
}

/** Each stop of each lookup. */
function everyStop(check: (read: ExplainResult, at: number, plumb: Plumb, scene: Scene) => void) {
  for (const read of tree.reads) {
    for (const at of read.stops.keys()) {
      const scene = sceneOf(read, at);
      if (!scene.plumb) throw new Error('a lookup has stops');
      check(read, at, scene.plumb, scene);
    }
  }
}

const holds = (outer: Box, x: number, y: number) =>
  outer.x - 1 <= x && x <= outer.x + outer.w + 1 && outer.y <= y && y <= outer.y + outer.h;

describe('a lookup in the tree', () => {
  it('has a line at its key, from the memory to the stop on show', () => {
    everyStop((read, _, { line, marks }, scene) => {
      expect(line.x).toBe(scene.axis.x(keyOfText(read.key)));
      expect(line.w > 0).toBe(read.lookup === 'prefix');
      expect(line.y).toBeLessThan(scene.rows.memory.y + scene.rows.memory.h);
      expect(line.y + line.h).toBe(Math.max(marks.at(-1)?.y ?? 0, line.y));
    });
  });

  it('has a mark for each stop so far: in the object that was asked, and in no other', () => {
    const signs = new Set<string>();
    everyStop((read, at, { marks }, scene) => {
      expect(marks).toHaveLength(at + 1);
      for (const [index, mark] of marks.entries()) {
        const words = stopWords(read.stops[index] as ExplainResult['stops'][number]);
        expect(mark.sign).toBe(words.sign);
        signs.add(mark.sign);
        const objects = scene.items.flat().filter(({ id }) => /^(memtable|table)/.test(id));
        for (const { id } of objects.filter(({ box }) => holds(box, mark.x, mark.y))) {
          if (read.lookup === 'get') expect(id).toBe(words.selection);
        }
      }
    });
    expect([...signs].sort()).toEqual(expect.arrayContaining(['found', 'miss', 'no', 'outside']));
  });

  it('has words at the stop on show, and none that cover others', () => {
    everyStop((_, at, { marks }, { rows }) => {
      expect(marks[at]?.tag).not.toBeNull();
      const boxes = marks.flatMap(({ tag }) => tag?.box ?? []);
      for (const [index, a] of boxes.entries()) {
        expect(a.x).toBeGreaterThanOrEqual(rows.left);
        expect(a.x + a.w).toBeLessThanOrEqual(rows.right);
        for (const b of boxes.slice(index + 1))
          expect(b.y >= a.y + a.h || a.y >= b.y + b.h || b.x >= a.x + a.w || a.x >= b.x + b.w).toBe(
            true,
          );
      }
    });
  });

  it('frames the block that was read: every compared entry is in it', () => {
    let frames = 0;
    everyStop((read, at, plumb, scene) => {
      const stop = read.stops[at];
      if (stop?.stop !== 'table' || stop.blocks.length === 0) return;
      const frame = plumb.frames.at(-1);
      frames += 1;
      for (const { key } of stop.blocks[0]?.entries ?? [])
        expect(holds({ ...(frame as Box), y: 0, h: 1 }, scene.axis.x(key), 0)).toBe(true);
    });
    expect(frames).toBeGreaterThan(2);
  });

  it('fades objects that it passes and does not ask, at its end all that it did not ask', () => {
    everyStop((read, at, { passed }, scene) => {
      const asked = read.stops.slice(0, at + 1).map((stop) => stopWords(stop).selection);
      for (const selection of asked) expect(passed.has(selection)).toBe(false);
      if (at < read.stops.length - 1) return;
      const tables = scene.levels.flatMap((level) => level.tables.map(({ id }) => id));
      const others = tables.filter((id) => !asked.includes(id));
      expect(others.filter((id) => !passed.has(id))).toEqual([]);
    });
  });

  it('keeps the answer until its last stop is shown, and a result until it is revealed', () => {
    const { plumb } = sceneOf(tree.reads[0] as ExplainResult, 0, true);
    expect(plumb?.marks.map(({ sign }) => sign)).toEqual(['hidden']);
    expect(plumb?.words.size).toBe(0);
    everyStop((read, at, { head, marks }) => {
      const isAnswered = head.answer !== '' || marks.some(({ tag }) => tag?.text.startsWith('='));
      if (read.lookup === 'get') expect(isAnswered).toBe(at === read.stops.length - 1);
    });
  });

  it('has the value where it is found, and the key alone above its line', () => {
    const found = tree.reads.filter(({ value, lookup }) => value !== null && lookup === 'get');
    expect(found.length).toBeGreaterThan(1);
    for (const read of found)
      for (const at of [read.stops.length - 1, read.stops.length]) {
        const { plumb } = sceneOf(read, at);
        expect(plumb?.head.answer).toBe('');
        expect(plumb?.marks.at(-1)?.tag?.text).toMatch(/^= /);
      }
  });

  it('runs through no words of logs and manifest', () => {
    everyStop((_, _at, { parts }, { rows, manifest, memory }) => {
      const words = [...memory.wals.map(({ whole }) => whole), manifest?.manifest.box ?? rows.wal];
      for (const { y, h } of words)
        for (const part of parts) expect(part.y >= y + h || part.y + part.h <= y).toBe(true);
      expect(rows.levels[0]?.y).toBeGreaterThan(parts[1]?.y ?? 0);
    });
  });

  it('grows to its next stop, whose mark appears then', () => {
    const read = tree.reads.find(({ stops }) => stops.length > 2) as ExplainResult;
    const [before, after] = [sceneOf(read, 0), sceneOf(read, 1)];
    const ways = waysBetween(before, after);
    expect(ways.map(({ id, how }) => `${id} ${how}`)).toEqual(['plumb grow', 'plumb-2 appear']);
    const [line, mark] = ways;
    if (!line || !mark) throw new Error('two ways');
    expect(pointAt(line, 0).length).toBeCloseTo(
      (before.plumb?.line.h ?? 0) / (after.plumb?.line.h ?? 1),
    );
    expect(pointAt(line, line.lasts)).toEqual({ dx: 0, dy: 0, opacity: 1, length: 1 });
    expect(pointAt(mark, line.lasts).opacity).toBe(0);
    expect(waysBetween(after, before)).toEqual([]);
  });
});
