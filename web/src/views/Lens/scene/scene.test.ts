import { beforeAll, describe, expect, it } from 'vitest';
import type { Lens } from '../../../lens/lens';
import { openedLens } from '../../../testing/realLens';
import { stripScene } from '../../Timeline/scene/strip';
import { goalOf } from '../JumpForm';
import { keyHex, typedKey } from '../KeyField';
import type { Levels, StepLine } from './answers';
import { barGroups, curveScene, niceTop, spanScene } from './chart';
import { moveFocus, orderOf } from './focus';
import { placesOf } from './geometry';
import { extentOf, nextChange, stepAtTime, stepOfEdit, stripOf } from './history';
import { lanesOf, levelsScene, overlapped } from './levels';
import { SHADES, shadeNamed } from './shades';
import { age, cellWords, duration, moment, ofTarget, percent, tied, unitWords } from './words';

let lens: Lens;
let steps: StepLine[];

beforeAll(async () => {
  lens = await openedLens('m_levels');
  steps = await lens.ask({ ask: 'steps', from: 0, limit: 1000 });
});

const levels = (step: number | null) => lens.ask({ ask: 'levels', family: 0, step });

function sceneOf(answer: Levels, before: Levels | null = null) {
  const places = placesOf(1000, 500, { extent: extentOf(steps, 0), hasBlobs: false });
  const step = steps[answer.step] ?? null;
  return {
    places,
    scene: levelsScene({ answer, before, step, shade: shadeNamed('level') }, places),
  };
}

describe('the places', () => {
  const extent = { levels: [0, 1, 2, 3, 4, 5, 6], most: 4 };
  const at = (height: number) => placesOf(1000, height, { extent, hasBlobs: false });

  it('give up the room around their lines before the picture scrolls', () => {
    expect(at(480).height).toBe(480);
    expect(at(340).height).toBe(340);
    const [small, large] = [at(340).levels[1], at(480).levels[1]];
    expect(small?.h).toBeLessThan(large?.h ?? 0);
    // A line of text, the strip of what a step took out, and the gauge beside it.
    expect(at(200).levels[6]?.h).toBeGreaterThanOrEqual(at(200).line + 9);
    expect(at(200).height).toBeGreaterThan(200);
  });
});

describe('the history', () => {
  it('has an extent that no step leaves', async () => {
    const { levels: used, most } = extentOf(steps, 0);
    expect(used).toEqual([0, 1, 2, 3]);
    for (const { step } of steps) {
      const answer = await levels(step);
      expect(answer.levels[0]?.tables.length ?? 0).toBeLessThanOrEqual(most);
      const filled = answer.levels.filter(({ tables }) => tables.length > 0);
      expect(used).toEqual(expect.arrayContaining(filled.map(({ level }) => level)));
    }
  });

  it('finds steps by edit, by time and by what changes a family', () => {
    for (const { step, firstEdit, edits } of steps) {
      expect(stepOfEdit(steps, firstEdit)).toBe(step);
      expect(stepOfEdit(steps, firstEdit + edits - 1)).toBe(step);
    }
    expect(stepOfEdit(steps, 100)).toBeNull();
    const timed = steps.filter(({ micros }) => micros !== null);
    for (const { step, micros } of timed) expect(stepAtTime(steps, micros ?? 0)).toBe(step);
    expect(stepAtTime(steps, 0)).toBeNull();
    expect(nextChange(steps, 0, 0, 1)).toBe(2);
    expect(nextChange(steps, 0, 2, -1)).toBe(0);
    expect(nextChange(steps, 0, steps.length - 1, 1)).toBeNull();
  });

  it('is gone to by what is typed', () => {
    expect(goalOf('step', ' 12 ', steps, 34)).toEqual({ step: 12 });
    expect(goalOf('step', '35', steps, 34)).toEqual({ problem: 'The last step is 34.' });
    expect(goalOf('table', '000018.sst', steps, 34)).toEqual({ table: 18 });
    expect(goalOf('edit', 'x', steps, 34)).toEqual({ problem: 'Type a number.' });
    expect(goalOf('time', 'noon', steps, 34)).toHaveProperty('problem');
  });

  it('is a line with the bytes that were written', () => {
    const strip = stripOf({ steps, family: 0, last: 34 });
    const { bars, marks, gaps } = stripScene(strip, 400);
    expect(bars).toHaveLength(35);
    expect(Math.max(...bars.map(({ height }) => height))).toBe(1);
    expect(new Set(marks.map(({ kind }) => kind))).toContain('flush');
    expect(gaps).toEqual([]);
    const cut = stripScene(stripOf({ steps: steps.slice(0, 9), family: 0, last: 34 }), 400);
    expect(cut.gaps).toHaveLength(1);
  });
});

describe('the picture', () => {
  it('keeps every row at its place from step to step', async () => {
    const rows = await Promise.all(
      steps.map(async ({ step }) =>
        sceneOf(await levels(step)).scene.levels.map(({ place }) => place),
      ),
    );
    for (const row of rows) expect(row).toEqual(rows[0]);
  });

  it('puts tables on one axis: none reaches into its neighbour, none out of the picture', async () => {
    for (const { step } of steps) {
      const { scene, places } = sceneOf(await levels(step));
      for (const { tables, place } of scene.levels) {
        const boxes = tables.map(({ box }) => box).sort((a, b) => a.x - b.x);
        for (const [index, box] of boxes.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(places.left);
          expect(box.x + box.w).toBeLessThanOrEqual(places.right + 0.01);
          expect(box.y).toBeGreaterThanOrEqual(place.y - 0.01);
          const next = boxes[index + 1];
          if (next && place.from > 0) expect(box.x + box.w).toBeLessThanOrEqual(next.x);
        }
      }
    }
  });

  it('puts newer tables of level 0 above those that they overlap', async () => {
    const { levels: all } = await levels(9);
    const tables = all[0]?.tables ?? [];
    expect(tables.map(({ number }) => number)).toEqual([17, 15]);
    expect(lanesOf(0, tables)).toEqual([1, 0]);
    expect(lanesOf(1, all[1]?.tables ?? [])).toEqual([0, 0]);
    // The runs of a level of Levelscope.
    const runs = (all[1]?.tables ?? []).map((table, sublevel) => ({ ...table, sublevel }));
    expect(lanesOf(1, runs)).toEqual([0, 1]);
  });

  it('shows what a step took out of a level, where it was', async () => {
    const { scene } = sceneOf(await levels(6), await levels(5));
    expect(scene.levels[0]?.gone.map(({ number }) => number)).toEqual([11, 9]);
    expect(scene.levels[1]?.tables.map(({ table }) => table.isNew)).toEqual([true, true]);
    const { scene: jumped } = sceneOf(await levels(6), await levels(4));
    expect(jumped.levels[0]?.gone).toEqual([]);
  });

  it('knows what lies below a table', async () => {
    const { scene } = sceneOf(await levels(null));
    const top = scene.levels[0]?.tables[0];
    const below = top ? overlapped(scene, top) : [];
    expect(below.map(({ table }) => table.number)).toContain(45);
    expect(below.every(({ level }) => level > 0)).toBe(true);
  });

  it('is walked through row by row', async () => {
    const answer = await levels(null);
    const rows = orderOf(sceneOf(answer).scene, answer);
    const seen = new Set<string>();
    for (let at: string | null = null, turn = 0; turn < 12; turn += 1) {
      at = moveFocus(rows, at, 'ArrowDown');
      if (at !== null) seen.add(at);
    }
    expect(seen.size).toBe(rows.length);
    expect(moveFocus(rows, 'level:1', 'End')).toBe('table:48');
    expect(moveFocus(rows, 'level:1', 'x')).toBeNull();
  });

  it('has shades between light and dark for every figure', async () => {
    const answer = await levels(null);
    for (const shade of SHADES) {
      const { places } = sceneOf(answer);
      const { levels: shown } = levelsScene({ answer, before: null, step: null, shade }, places);
      const dark = shown.flatMap(({ tables }) => tables).map((table) => table.shade);
      for (const each of dark) {
        if (shade.of === 'level') expect(each).toBeNull();
        else expect(each).toBeGreaterThanOrEqual(0);
        expect(each ?? 0).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('charts', () => {
  it('hold each value until the next, below a round top', async () => {
    const { pictures } = await lens.ask({ ask: 'report', id: 'level0', family: 0, key: null });
    const curve = pictures[0] && curveScene(pictures[0], 600);
    expect(curve?.curves[0]?.path).toMatch(/^M[\d.]+ [\d.]+(H[\d.]+V[\d.]+)+H588\.0$/);
    expect(curve?.references.map(({ text }) => text)).toContain('compaction trigger 2');
    expect(pictures[1] && spanScene(pictures[1])?.lanes[0]?.spans.length).toBeGreaterThan(1);
    expect([3, 7, 11, 250].map((value) => niceTop(value, ''))).toEqual([4, 8, 20, 400]);
    expect(niceTop(5000, 'bytes')).toBe(8192);
  });

  it('have ticks that are different numbers, whole ones for counts', () => {
    const ticksOf = (
      steps: [number, number][],
      x = { label: 'step', unit: '' },
      y = { label: 'size', unit: 'bytes' },
    ) => {
      const series = [{ label: 'a', data: { steps } }];
      const curve = curveScene({ title: '', x, y, series, references: [] }, 600);
      return {
        x: curve?.xTicks.map(({ text }) => text),
        y: curve?.ticks.map(({ text }) => text),
      };
    };
    expect(ticksOf([[0, 0]])).toEqual({ x: ['step 0', 'step 1'], y: ['0 B', '1 B'] });
    expect(
      ticksOf([
        [0, 1],
        [3, 3],
      ]).x,
    ).toEqual(['step 0', 'step 2', 'step 3']);
    expect(
      ticksOf(
        [
          [0, 5],
          [9, 6],
        ],
        undefined,
        { label: 'files', unit: '' },
      ).y,
    ).toEqual(['0', '3', '6']);
    expect(
      ticksOf(
        [
          [0, 0.25],
          [2, 0.5],
        ],
        undefined,
        { label: 'share', unit: '' },
      ).y,
    ).toEqual(['0 %', '50 %', '100 %']);
    const time = { label: 'time', unit: 'µs since 1970' };
    expect(
      ticksOf(
        [
          [0, 1],
          [200, 2],
        ],
        time,
      ).x,
    ).toEqual(['00:00:00.000']);
    expect(
      ticksOf(
        [
          [0, 1],
          [2 * 86_400_000_000, 2],
        ],
        time,
      ).x,
    ).toEqual(['1970-01-01 00:00', '1970-01-02 00:00', '1970-01-03 00:00']);
  });

  it('give bars of one kind one scale', async () => {
    const families = await openedLens('c_families');
    const { pictures } = await families.ask({ ask: 'report', id: 'sizes', family: 0, key: null });
    const groups = pictures[0] ? barGroups(pictures[0]) : [];
    expect(groups.length).toBeGreaterThan(1);
    expect(new Set(groups.map(({ most }) => most)).size).toBe(1);
  });

  it('stack the parts of a bar', async () => {
    const blobs = await openedLens('b_blob_garbage');
    const { pictures } = await blobs.ask({ ask: 'report', id: 'blobs', family: 0, key: null });
    const [group] = pictures[0] ? barGroups(pictures[0]) : [];
    expect(group?.labels).toEqual(['live', 'garbage']);
    expect(group?.bars[0]?.parts.map(({ value }) => value)).toEqual([4860, 9720]);
  });
});

describe('words', () => {
  it('compare the size of a level with its target', () => {
    expect(ofTarget(7000, 10_240)).toBe('6.8 of 10.0 KiB');
    expect(ofTarget(7000, 10 << 20)).toBe('6.8 KiB of 10.0 MiB');
    expect(ofTarget(0, 512)).toBe('0 of 512 B');
  });

  it('have units that fit', () => {
    expect([0, 0.0004, 0.048, 0.48, 1].map(percent)).toEqual([
      '0 %',
      '< 0.1 %',
      '4.8 %',
      '48 %',
      '100 %',
    ]);
    expect([12, 12_938, 3_200_000, 90_000_000].map(duration)).toEqual([
      '12 µs',
      '12.9 ms',
      '3.2 s',
      '1 min 30 s',
    ]);
    expect([0, 59, 3700, 200_000].map(age)).toEqual([
      '< 1 s old',
      '59 s old',
      '1 h old',
      '2 d old',
    ]);
    expect(moment(1795315471182989)).toBe('2026-11-22 02:44:31.182 UTC');
    expect(cellWords(null, { name: 'created', unit: 's since 1970' })).toBe('–');
    expect([unitWords('files', 2), unitWords('files', 1)]).toEqual(['files', 'file']);
    expect([unitWords('sorted runs', 1), unitWords('times', 1)]).toEqual(['sorted run', 'times']);
    expect(unitWords('bytes', 1)).toBe('');
    expect(cellWords(0.25, { name: 'share of tombstones', unit: '' })).toBe('25 %');
    expect(tied('5 % of 10.3 KiB in 2 steps')).toBe('5\u00a0% of 10.3\u00a0KiB in 2 steps');
  });

  it('are keys as text and as digits', () => {
    expect(keyHex({ text: 'a\\x00\\\\é', as: 'text' })).toEqual({ hex: '61005cc3a9' });
    expect(keyHex({ text: '\\q', as: 'text' })).toHaveProperty('problem');
    expect(keyHex({ text: '0x61 62', as: 'hex' })).toEqual({ hex: '6162' });
    expect(keyHex({ text: '616', as: 'hex' })).toHaveProperty('problem');
    expect(typedKey('757365723a')).toEqual({ text: 'user:', as: 'text' });
    expect(typedKey('00ff')).toEqual({ text: '00ff', as: 'hex' });
  });
});
