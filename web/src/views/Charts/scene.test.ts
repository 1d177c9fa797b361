import { beforeAll, describe, expect, it } from 'vitest';
import type { Message, Sample, StatsResult } from '../../model/engine.generated';
import { ratio, size } from '../../model/words';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { CHARTS, chartScene, figureText, POINT_PITCH } from './scene';

let Make: new (place: string) => WasmEngine;

beforeAll(async () => {
  Make = await loadEngine();
});

type Batch = Extract<Message, { type: 'events' }>;

const LINES = [
  'put a 1',
  'fill 60 --words --seed 7',
  'run',
  'get a',
  'del a',
  'fill 90 --words --seed 8',
  'step 9',
  'run',
  'get nothing',
  'compact 1',
  'run',
];

describe('charts', () => {
  it('draw exactly the figures of stats at the same step', () => {
    const engine = new Make('memory');
    openEngine(engine);
    const samples: Sample[] = [];
    let last = 0;
    const take = () => {
      const batch: Batch = JSON.parse(engine.events(true) ?? 'null');
      samples.push(...batch.samples);
      last = batch.events.at(-1)?.step ?? last;
      return batch;
    };
    take();
    for (const line of LINES) {
      ask(engine, line);
      const { view } = take();
      const stats = ask(engine, 'stats') as StatsResult;
      const drawn = CHARTS.map((kind) =>
        chartScene(kind, samples, { from: 1, to: last }, last, 400, stats),
      );
      const figure = (kind: string) => drawn.find((chart) => chart.kind === kind)?.points.at(-1);
      expect(figure('write'), line).toMatchObject({
        step: last,
        text: ratio(stats.writeAmplification),
      });
      expect(figure('read')?.text, line).toBe(ratio(stats.readAmplification));
      expect(figure('space')?.text, line).toBe(ratio(stats.spaceAmplificationEstimate));
      const levels = samples.at(-1)?.levelBytes ?? [];
      expect(drawn.map(({ now }) => now)).toEqual([
        ratio(stats.writeAmplification),
        ratio(stats.readAmplification),
        ratio(stats.spaceAmplificationEstimate),
        size(stats.tableBytes),
        `${stats.stalls} and ${stats.slowdowns}`,
      ]);
      expect(levels, line).toEqual(view?.levels.map(({ score }) => score.bytes));
      expect(
        levels.reduce((sum, bytes) => sum + bytes, 0),
        line,
      ).toBe(stats.tableBytes);
      expect(samples.at(-1)?.stalls, line).toBe(stats.stalls);
    }
    expect(samples.length).toBeGreaterThan(LINES.length);
  });

  it('stack levels, stand on their steps, and keep a bounded number of points', () => {
    const samples = Array.from(
      { length: 900 },
      (_, index): Sample => ({
        step: 1 + 2 * index,
        writeAmplification: 1 + index / 100,
        readAmplification: 0,
        spaceAmplificationEstimate: 1,
        levelBytes: [1000, index * 10, 0],
        stalls: 0,
        slowdowns: 0,
      }),
    );
    const chart = chartScene('levels', samples, { from: 1, to: 1800 }, 900, 400, '…');
    expect(chart.points.length).toBeLessThan(50);
    expect(chart.points.every(({ x }) => x >= 0 && x <= 400)).toBe(true);
    for (const [index, { x }] of chart.points.slice(1).entries()) {
      expect(x - (chart.points[index]?.x ?? 0)).toBeGreaterThanOrEqual(POINT_PITCH);
    }
    expect(chart.points.at(-1)?.step).toBe(samples.at(-1)?.step);
    expect(chart.lines.map(({ name }) => name)).toEqual(['L0', 'L1', 'L2']);
    const [here] = samples.filter(({ step }) => step === 899);
    expect(chart.now).toBe('…');
    expect(here && figureText('levels', here)).toBe(`L0 ${size(1000)}, L1 ${size(4490)}`);
  });
});
