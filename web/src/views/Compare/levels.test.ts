import { expect, it } from 'vitest';
import { EMPTY_VIEW } from '../../model/reduce';
import { table } from '../../testing/sample';
import { fitsWhole, lanesOf, levelsScene, mostLanes } from './levels';

const LEVELS = Array.from({ length: 7 }, (_, level) => ({
  tables: [],
  score: { level, bytes: 0, runs: 0, score: 0, limit: 2, unit: 'tables', due: false },
})) as unknown as typeof EMPTY_VIEW.levels;

const lanes = (depth: number) => Array.from({ length: depth }, () => 1);

it('draws every level whole, whatever the height, without one row in another', () => {
  for (let depth = 1; depth <= 7; depth += 1) {
    for (let height = 116; height <= 420; height += 1) {
      const view = { ...EMPTY_VIEW, levels: LEVELS };
      const { levels, rows } = levelsScene(view, new Map(), 560, height, lanes(depth));
      const spans = [...(rows.memory.h > 0 ? [rows.memory] : []), ...levels.map(({ box }) => box)];
      expect(levels).toHaveLength(depth);
      for (const [index, { y, h }] of spans.entries()) {
        const next = spans[index + 1]?.y ?? height;
        expect(y + h, `${depth} levels in ${height} px`).toBeLessThanOrEqual(next);
      }
    }
  }
});

it('draws the memory only where the levels keep a line each', () => {
  const memory = (depth: number) =>
    levelsScene({ ...EMPTY_VIEW, levels: LEVELS }, new Map(), 560, 116, lanes(depth)).rows.memory.h;
  expect(memory(3)).toBeGreaterThan(0);
  expect(memory(6)).toBe(0);
});

it('leaves the whole picture to places that are high enough', () => {
  expect(fitsWhole(600, 150, 3)).toBe(false);
  expect(fitsWhole(900, 400, 3)).toBe(true);
});

it('draws a line for each run, with its number, where the height is enough for all', () => {
  const tables = [6, 5, 4, 3, 2, 1].map((run) => table(run, 'apple', 'zebra', { run }));
  const levels = LEVELS.map((level, at) => (at === 1 ? { ...level, tables } : level));
  const view = { ...EMPTY_VIEW, levels };
  const needs = mostLanes([lanesOf(view, new Map()), [2, 1, 1]]);
  expect(needs).toEqual([2, 7, 1]);
  const [, l1] = levelsScene(view, new Map(), 560, 180, needs).levels;
  expect(l1?.lanes.map(({ title }) => title)).toEqual(['6', '5', '4', '3', '2', '1']);
  expect(new Set(l1?.tables.map(({ box }) => box.y)).size).toBe(6);
});
