import { expect, it } from 'vitest';
import { EMPTY_VIEW } from '../../model/reduce';
import { fitsWhole, levelsScene } from './levels';

const LEVELS = Array.from({ length: 7 }, (_, level) => ({
  tables: [],
  score: { level, bytes: 0, runs: 0, score: 0, limit: 2, unit: 'tables', due: false },
})) as unknown as typeof EMPTY_VIEW.levels;

it('draws every level whole, whatever the height, without one row in another', () => {
  for (let depth = 1; depth <= 7; depth += 1) {
    for (let height = 116; height <= 420; height += 1) {
      const view = { ...EMPTY_VIEW, levels: LEVELS };
      const { levels, rows } = levelsScene(view, new Map(), 560, height, depth);
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
    levelsScene({ ...EMPTY_VIEW, levels: LEVELS }, new Map(), 560, 116, depth).rows.memory.h;
  expect(memory(3)).toBeGreaterThan(0);
  expect(memory(6)).toBe(0);
});

it('leaves the whole picture to places that are high enough', () => {
  expect(fitsWhole(600, 150, 3)).toBe(false);
  expect(fitsWhole(900, 400, 3)).toBe(true);
});
