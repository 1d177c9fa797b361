import { beforeAll, describe, expect, it } from 'vitest';
import type { Lens } from '../../../lens/lens';
import { openedLens } from '../../../testing/realLens';
import { type ChartAxis, niceTop } from '../../Drawing/scene';
import { moveFocus } from '../../Stage/scene/focus';
import { stripScene } from '../../Timeline/scene/strip';
import { goalOf } from '../JumpForm';
import { keyHex, typedKey } from '../KeyField';
import type { Axis, Levels, StepLine } from './answers';
import { chartsOf } from './chart';
import { extentOf, nextChange, stepAtTime, stepOfEdit, stripOf } from './history';
import { type LevelsInput, levelsScene, reachOf } from './levels';
import { SHADES, shadeNamed } from './shades';
import { age, cellWords, duration, moment, ofTarget, percent, tied, unitWords } from './words';

let lens: Lens;
let steps: StepLine[];

beforeAll(async () => {
  lens = await openedLens('m_levels');
  steps = await lens.ask({ ask: 'steps', from: 0, limit: 1000 });
});

const levels = (step: number | null) => lens.ask({ ask: 'levels', family: 0, step });

function sceneOf(answer: Levels, change: Partial<LevelsInput> = {}, height = 500) {
  const input = { answer, before: null, steps, shade: shadeNamed('level'), ...change };
  return levelsScene({ ...input, isPast: false, hasFamilies: true }, 1000, height);
}

describe('the places', () => {
  it('give up the room around their lines before the picture scrolls', async () => {
    const answer = await levels(null);
    const [l0, l1] = answer.levels;
    if (!l0 || !l1) throw new Error('no levels');
    const seven = [l0, ...[1, 2, 3, 4, 5, 6].map((level) => ({ ...l1, level }))];
    const at = (height: number) => sceneOf({ ...answer, levels: seven }, {}, height);
    expect(at(480).height).toBe(480);
    expect(at(260).height).toBe(260);
    const [small, large] = [at(260).levels[1], at(480).levels[1]];
    expect(small?.box.h).toBeLessThan(large?.box.h ?? 0);
    const low = at(150);
    expect(low.levels[6]?.box.h).toBeGreaterThanOrEqual(low.rows.line);
    expect(low.height).toBeGreaterThan(150);
    expect(low.ticks.length).toBeGreaterThan(1);
  });

  it('have one line for levels that no step used', async () => {
    const answer = await levels(null);
    const [l0, l1] = answer.levels;
    if (!l0 || !l1) throw new Error('no levels');
    const two = [l0, { ...l1, level: 6 }];
    const { levels: rows, items } = sceneOf({ ...answer, levels: two }, { steps: [] });
    expect(rows.map(({ title, note }) => [title, note?.text])).toEqual([
      ['L0', undefined],
      ['L1–L5', 'never used'],
      ['L6', undefined],
    ]);
    expect(items.flat().some(({ id }) => id === 'level:1')).toBe(false);
  });
});

describe('the history', () => {
  it('has an extent that no step leaves', async () => {
    const { levels: used, most } = extentOf(steps, await levels(null));
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
      steps.map(async ({ step }) => sceneOf(await levels(step)).levels.map(({ box }) => box)),
    );
    for (const row of rows) expect(row).toEqual(rows[0]);
  });

  it('puts tables on one axis: none reaches into its neighbour, none out of the picture', async () => {
    for (const { step } of steps) {
      const { levels: all, rows } = sceneOf(await levels(step));
      for (const { level, tables, box: row } of all) {
        const boxes = tables.map(({ box }) => box).sort((a, b) => a.x - b.x);
        for (const [index, box] of boxes.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(rows.left);
          expect(box.x + box.w).toBeLessThanOrEqual(rows.right + 0.01);
          expect(box.y).toBeGreaterThanOrEqual(row.y - 0.01);
          const next = boxes[index + 1];
          if (next && level > 0) expect(box.x + box.w).toBeLessThanOrEqual(next.x);
        }
      }
    }
  });

  it('puts newer tables of level 0 above those that they overlap', async () => {
    const answer = await levels(9);
    const [newer, older] = sceneOf(answer).levels[0]?.tables ?? [];
    expect([newer, older].map((shape) => shape?.id)).toEqual(['table:17', 'table:15']);
    expect(newer?.box.y).toBeLessThan(older?.box.y ?? 0);
    // Where the engine records the places, they are those.
    const [l0, ...deeper] = answer.levels;
    if (!l0) throw new Error('no level');
    const tables = l0.tables.map((table) => ({ ...table, sublevel: 0 }));
    const level = sceneOf({ ...answer, levels: [{ ...l0, tables }, ...deeper] }).levels[0];
    expect(new Set(level?.tables.map(({ box }) => box.y)).size).toBe(1);
  });

  it('has a lane for each run of a level of Levelscope', async () => {
    const answer = await levels(9);
    const split = answer.levels.map((line) => ({
      ...line,
      tables: line.tables.map((table, sublevel) => ({ ...table, sublevel })),
    }));
    const places = (scene: ReturnType<typeof sceneOf>) =>
      scene.levels[1]?.tables.map(({ box }) => box.y) ?? [];
    expect(new Set(places(sceneOf(answer))).size).toBe(1);
    const lanes = places(sceneOf({ ...answer, levels: split }));
    expect(lanes.length).toBeGreaterThan(1);
    expect(new Set(lanes).size).toBe(lanes.length);
  });

  it('shows what a step took out of a level, where it was', async () => {
    const { levels: rows } = sceneOf(await levels(6), { before: await levels(5) });
    expect(rows[0]?.gone.map(({ number }) => number)).toEqual([11, 9]);
    expect(rows[1]?.tables.map(({ table }) => table?.isNew)).toEqual([true, true]);
    const jumped = sceneOf(await levels(6), { before: await levels(4) });
    expect(jumped.levels[0]?.gone).toEqual([]);
  });

  it('draws hundreds of tables as bars, those of the step apart', async () => {
    const answer = await levels(null);
    const [l0, l1] = answer.levels;
    const sample = l1?.tables[0];
    if (!l0 || !l1 || !sample) throw new Error('no table');
    const tables = Array.from({ length: 300 }, (_, at) => ({
      ...{ ...sample, number: 100 + at, isMissing: true, isNew: at === 7 },
      ...{ from: at / 300, to: (at + 0.9) / 300 },
    }));
    const shapes = sceneOf({ ...answer, levels: [l0, { ...l1, tables }] }).levels[1]?.tables ?? [];
    expect(shapes).toHaveLength(300);
    expect(shapes.filter(({ bar }) => !bar).map(({ id }) => id)).toEqual(['table:107']);
  });

  it('knows what lies below a table', async () => {
    const scene = sceneOf(await levels(null));
    const below = reachOf(scene, scene.levels[0]?.tables[0]?.id ?? null)?.ids;
    expect(below).toContain('table:45');
    expect(below).not.toContain('table:52');
    expect(reachOf(scene, 'level:0')).toBeNull();
  });

  it('is walked through row by row', async () => {
    const scene = sceneOf(await levels(null));
    const seen = new Set<string>();
    for (let at: string | null = null, turn = 0; turn < 12; turn += 1) {
      at = moveFocus(scene, at, 'ArrowDown');
      if (at !== null) seen.add(at);
    }
    expect(seen.size).toBe(scene.items.length);
    expect(moveFocus(scene, 'level:1', 'End')).toBe('table:48');
    expect(moveFocus(scene, 'level:1', 'x')).toBeNull();
  });

  it('has shades between light and dark for every figure', async () => {
    const answer = await levels(null);
    for (const shade of SHADES) {
      const { levels: shown } = sceneOf(answer, { shade });
      const dark = shown.flatMap(({ tables }) => tables).map(({ table }) => table?.shade);
      for (const each of dark) {
        if (shade.of === 'level') expect(each).toBeNull();
        else expect(each).toBeGreaterThanOrEqual(0);
        expect(each ?? 0).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('charts', () => {
  const NONE = new Set<string>();
  const reported = async (from: Lens, id: string) => {
    const { pictures } = await from.ask({ ask: 'report', id, family: 0, key: null });
    return pictures.flatMap((picture) => chartsOf(picture, NONE));
  };

  it('hold each value until the next, below a round top', async () => {
    const [files, compactions] = await reported(lens, 'level0');
    expect(files?.kind).toBe('stairs');
    expect(files?.references?.map(({ text }) => text)).toContain('compaction trigger 2');
    expect(compactions?.kind).toBe('spans');
    expect(compactions?.marks.length).toBeGreaterThan(1);
    expect([3, 7, 11, 250].map((value) => niceTop(value, ''))).toEqual([4, 8, 20, 400]);
    expect(niceTop(5000, 'bytes')).toBe(8192);
  });

  const bytes = { label: 'size', unit: 'bytes' };
  const time = { label: 'time', unit: 'µs since 1970' };
  it.each([
    ['bytes', [[0, 0]], { y: bytes, xs: ['step 0', 'step 1'], ys: ['0 B', '1 B'] }],
    [
      'steps',
      [
        [0, 1],
        [3, 3],
      ],
      { y: bytes, xs: ['step 0', 'step 2', 'step 3'] },
    ],
    [
      'counts',
      [
        [0, 5],
        [9, 6],
      ],
      { y: { label: 'files', unit: '' }, ys: ['0', '3', '6'] },
    ],
    [
      'shares',
      [
        [0, 0.25],
        [2, 0.5],
      ],
      { y: { label: 'share', unit: '' }, ys: ['0 %', '50 %', '100 %'] },
    ],
    [
      'days',
      [
        [0, 1],
        [2 * 86_400_000_000, 2],
      ],
      { x: time, xs: ['1970-01-01 00:00', '1970-01-02 00:00', '1970-01-03 00:00'] },
    ],
  ] as const)(
    'have ticks of %s',
    (_, steps, { y = bytes, x = { label: 'step', unit: '' }, xs, ys }: Ticks) => {
      const series = [{ label: 'a', data: { steps: [...steps] as [number, number][] } }];
      const [chart] = chartsOf({ title: '', x, y, series, references: [] }, NONE);
      const words = ({ ticks = [], textOf = String }: ChartAxis) => [...new Set(ticks.map(textOf))];
      if (xs) expect(chart && words(chart.x)).toEqual(xs);
      if (ys) expect(chart && words(chart.y)).toEqual(ys);
    },
  );

  it('give bars of one kind one scale', async () => {
    const groups = await reported(await openedLens('c_families'), 'sizes');
    expect(groups.length).toBeGreaterThan(1);
    expect(new Set(groups.map(({ x }) => x.ticks?.[0])).size).toBe(1);
  });

  it('stack the parts of a bar', async () => {
    const [group] = await reported(await openedLens('b_blob_garbage'), 'blobs');
    expect(group?.series).toEqual(['live', 'garbage']);
    const first = group?.marks.filter(({ x }) => x === 0);
    expect(first?.map(({ value }) => value)).toEqual([4860, 9720]);
    expect(first?.[0]?.text).toBe('4.7 KiB live, 9.4 KiB garbage');
  });

  it('begin counts over steps at zero', () => {
    const data = { steps: [[4, 1]] as [number, number][] };
    const x = { label: 'step', unit: '' };
    const picture = { title: '', x, y: bytes, series: [{ label: 'a', data }], references: [] };
    const [chart] = chartsOf(picture, NONE);
    expect(chart?.marks.map((mark) => [mark.x, mark.value])).toEqual([
      [0, 0],
      [4, 1],
    ]);
  });
});

interface Ticks {
  x?: Axis;
  y?: Axis;
  xs?: readonly string[];
  ys?: readonly string[];
}

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
    expect(keyHex({ text: 'a\\x00\\\\é', as: 'text' })).toEqual({
      value: '61005cc3a9',
      problem: null,
    });
    expect(keyHex({ text: '\\q', as: 'text' }).value).toBeNull();
    expect(keyHex({ text: '0x61 62', as: 'hex' })).toEqual({ value: '6162', problem: null });
    expect(keyHex({ text: '616', as: 'hex' }).value).toBeNull();
    expect(typedKey('757365723a')).toEqual({ text: 'user:', as: 'text' });
    expect(typedKey('00ff')).toEqual({ text: '00ff', as: 'hex' });
  });
});
