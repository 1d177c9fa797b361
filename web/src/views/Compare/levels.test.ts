import { expect, it } from 'vitest';
import { EMPTY_VIEW } from '../../model/reduce';
import { table } from '../../testing/sample';
import { stageScene } from '../Stage/scene/stage';
import { lanesOf, mostLanes } from './levels';

const LEVELS = Array.from({ length: 7 }, (_, level) => ({
  tables: [],
  score: { level, bytes: 0, runs: 0, score: 0, limit: 2, unit: 'tables', due: false },
})) as unknown as typeof EMPTY_VIEW.levels;

const drawn = (view: typeof EMPTY_VIEW, height: number, lanes: readonly number[], width = 560) =>
  stageScene(view, new Map(), width, height, { lanes });

const lanes = (depth: number) => Array.from({ length: depth }, () => 1);

it('draws every level whole, whatever the height, without one row in another', () => {
  for (let depth = 1; depth <= 7; depth += 1) {
    for (let height = 116; height <= 420; height += 1) {
      const view = { ...EMPTY_VIEW, levels: LEVELS };
      const { levels, rows } = drawn(view, height, lanes(depth));
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
    drawn({ ...EMPTY_VIEW, levels: LEVELS }, 116, lanes(depth)).rows.memory.h;
  expect(memory(3)).toBeGreaterThan(0);
  expect(memory(6)).toBe(0);
});

it('leaves the whole picture to places that are high enough', () => {
  const view = { ...EMPTY_VIEW, levels: LEVELS };
  expect(drawn(view, 150, lanes(3), 600).rows.wal.h).toBe(0);
  expect(drawn(view, 400, lanes(3), 900).rows.wal.h).toBeGreaterThan(0);
});

it('draws a line for each run, with its number, where the height is enough for all', () => {
  const tables = [6, 5, 4, 3, 2, 1].map((run) => table(run, 'apple', 'zebra', { run }));
  const levels = LEVELS.map((level, at) => (at === 1 ? { ...level, tables } : level));
  const view = { ...EMPTY_VIEW, levels };
  const needs = mostLanes([lanesOf(view, new Map()), [2, 1, 1]]);
  expect(needs).toEqual([2, 7, 1]);
  const [, l1] = drawn(view, 180, needs).levels;
  expect(l1?.lanes.map(({ title }) => title)).toEqual(['6', '5', '4', '3', '2', '1']);
  expect(new Set(l1?.tables.map(({ box }) => box.y)).size).toBe(6);
});

it('stacks the tables of L0 in their row, however many and however low', () => {
  for (let count = 1; count <= 9; count += 1) {
    const numbers = Array.from({ length: count }, (_, at) => count - at);
    const tables = numbers.map((run) => table(run, 'apple', 'zebra', { run }));
    const levels = LEVELS.map((level, at) => (at === 0 ? { ...level, tables } : level));
    for (let height = 80; height <= 420; height += 4) {
      const [l0] = drawn({ ...EMPTY_VIEW, levels }, height, [1, 5, 1, 1]).levels;
      for (const { box, floor } of l0?.tables ?? []) {
        const where = `${count} tables in ${height} px`;
        expect(Math.min(box.y, floor.y), where).toBeGreaterThan((l0?.box.y ?? 0) - 0.01);
      }
      if ((l0?.box.h ?? 0) < 38) expect(l0?.tables).toHaveLength(count);
    }
  }
});
