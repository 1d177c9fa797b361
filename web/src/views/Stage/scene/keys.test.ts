import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TableInfo, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView, table } from '../../../testing/sample';
import { keyAxis } from './axis';
import { bounds, stageScene } from './stage';

/** So far a drawing may reach beyond the keys of its tables, to be seen at all [px]. */
const BEYOND = 6;

const name = (at: number) => `k${String(at).padStart(4, '0')}`;

/** Tables of one run: disjoint, in order. */
const run = (most: number) =>
  fc.uniqueArray(fc.nat(9999), { minLength: 2, maxLength: 2 * most }).map((cuts) => {
    const sorted = cuts.toSorted((a, b) => a - b);
    return Array.from({ length: sorted.length >> 1 }, (_, index) => {
      const [from = 0, to = 0] = sorted.slice(2 * index);
      // Every third table has one entry.
      return { from, to: from % 3 === 0 ? from : to };
    });
  });

/** Tables of several runs, newest first, with numbers from `first` on. */
function tables(runs: readonly { from: number; to: number }[][], first: number): TableInfo[] {
  let number = first;
  return runs.flatMap((each, index) =>
    each.map(({ from, to }) => table(number++, name(from), name(to), { run: runs.length - index })),
  );
}

const view = fc
  .tuple(
    fc.array(run(1), { maxLength: 40 }),
    fc.oneof(run(6), run(200)),
    fc.array(run(4), { minLength: 1, maxLength: 12 }),
  )
  .map(([l0, l1, l2]): View => {
    const sample = busyView();
    const of = [tables(l0, 1000), tables([l1], 2000), tables(l2, 3000)];
    const levels = sample.levels.map((level, index) => ({
      score: {
        ...level.score,
        runs: index === 2 ? l2.length : level.score.runs,
        unit: index === 1 ? ('bytes' as const) : ('runs' as const),
      },
      tables: of[index] ?? [],
    }));
    return { ...sample, jobs: [], levels };
  });

it('a table stands at its keys and at no others, in a picture of any size', () => {
  const holds = fc.property(
    view,
    fc.integer({ min: 360, max: 1500 }),
    fc.integer({ min: 200, max: 900 }),
    fc.constantFrom('rank' as const, 'position' as const),
    (drawn, width, height, scale) => {
      const scene = stageScene(drawn, NOTHING_WRITTEN, width, height, { scale });
      const { left, right, unit } = scene.rows;
      const axis = keyAxis(bounds(drawn), { left, right, unit, scale });
      for (const row of scene.levels) {
        const level = drawn.levels[row.level];
        for (const { table, box } of row.tables) {
          const info = level?.tables.find((each) => each.table === table?.number);
          if (!info) continue;
          const [from, to] = [axis.x(info.smallest), axis.x(info.largest)];
          const what = `table ${info.table} of L${row.level}`;
          expect(box.x, `${what}: left end`).toBeGreaterThanOrEqual(from - BEYOND);
          expect(box.x, `${what}: left end`).toBeLessThanOrEqual(from + BEYOND);
          expect(box.x + box.w, `${what}: right end`).toBeLessThanOrEqual(to + BEYOND);
          expect(box.x + box.w, `${what}: right end`).toBeGreaterThanOrEqual(to - BEYOND);
        }
      }
    },
  );
  fc.assert(holds, {
    numRuns: 100,
    endOnFailure: true,
    seed: Number(process.env.LEVELSCOPE_SEED ?? 1),
  });
});
