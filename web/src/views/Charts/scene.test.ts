import { beforeAll, describe, expect, it } from 'vitest';
import type { Message, Sample, StatsResult } from '../../model/engine.generated';
import { ratio, size } from '../../model/words';
import { ask, loadEngine, openEngine, type WasmEngine } from '../../testing/realEngine';
import { CHARTS, chartPicture, nowText } from './scene';

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
      const drawn = CHARTS.map((kind) => chartPicture(kind, samples, { from: 1, to: last }));
      const ends = drawn.map(({ marks }) => marks.at(-1));
      expect(ends[0], line).toMatchObject({ x: last, text: ratio(stats.writeAmplification) });
      // As its title says, bytes of the log count, too.
      expect(drawn[0]?.title).toBe('Write amplification (with log)');
      const written = stats.walBytes + stats.flushBytes + stats.compactionWriteBytes;
      expect(stats.writeAmplification, line).toBeCloseTo(written / stats.userBytes);
      expect(ends[1]?.text, line).toBe(ratio(stats.readAmplification));
      expect(ends[2]?.text, line).toBe(ratio(stats.spaceAmplificationEstimate));
      const levels = samples.at(-1)?.levelBytes ?? [];
      expect(CHARTS.map((kind) => nowText(kind, stats))).toEqual([
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

  it('stand on their steps, and levels lie on each other below the top of the axis', () => {
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
    const { kind, marks, series, y } = chartPicture('levels', samples, { from: 1, to: 1800 });
    expect(kind).toBe('areas');
    expect(series).toEqual(['L0', 'L1']);
    expect(marks).toHaveLength(1800);
    expect(y.ticks).toEqual([0, 8192, 16_384]);
    const here = marks.filter(({ x }) => x === 899);
    expect(here.map(({ value }) => value)).toEqual([1000, 4490]);
    expect(here[0]?.text).toBe(`L0 ${size(1000)}, L1 ${size(4490)}`);
  });
});
