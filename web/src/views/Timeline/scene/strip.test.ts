import { describe, expect, it } from 'vitest';
import type { WireEvent } from '../../../model/engine.generated';
import { emptyTimeline } from '../../../model/timeline';
import { append } from '../../../model/timelineGrow';
import { OPERATION } from '../../../testing/plainEvent';
import { markNear, stepAtX, stepX, stripOf, stripScene } from './strip';

describe('timeline', () => {
  const insert = (step: number): WireEvent => ({
    ...OPERATION,
    id: step,
    detail: 0,
    time: step,
    step,
    job: null,
    cause: null,
    kind: 'op.scan',
    sentence: '',
  });
  const timeline = append(
    emptyTimeline(),
    Array.from({ length: 1200 }, (_, index) => insert(index + 1)),
    null,
  );

  it('has a bounded number of bars and signs, and the rarest landmark of a place is drawn', () => {
    const marks = Array.from({ length: 600 }, (_, index) => ({
      step: 2 * index + 1,
      kind: index === 300 ? ('stall' as const) : ('flush' as const),
    }));
    const scene = stripScene(stripOf(timeline, marks), 300);
    expect(scene.bars.length).toBeLessThanOrEqual(60);
    expect(scene.marks.length).toBeLessThanOrEqual(30);
    expect(scene.marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(600);
    expect(scene.marks.filter(({ kind }) => kind === 'stall')).toHaveLength(1);
    const stall = scene.marks.find(({ kind }) => kind === 'stall');
    expect(markNear(scene, (stall?.x ?? 0) + 3)?.step).toBe(601);
  });

  it('draws the part of the steps that background jobs did, and nothing else', () => {
    const jobs = (step: number) => (step > 600 ? 4 : null);
    const events = Array.from({ length: 1200 }, (_, index) => ({
      ...insert(index + 1),
      job: jobs(index + 1),
    }));
    const { bars } = stripScene(stripOf(append(emptyTimeline(), events, null), []), 300);
    const heights = bars.map(({ height }) => height);
    expect(heights).toEqual([...heights].sort());
    expect([heights[0], heights.at(-1)]).toEqual([0.25, 1]);
    // One bar stands for steps of both kinds.
    expect(new Set(heights).size).toBe(3);
  });

  it('finds the step under the pointer, at both ends too', () => {
    for (const first of [0, 1]) {
      const ends = { first, last: 1200 };
      for (const step of [first, 2, 137, 599, 1200]) {
        expect(stepAtX(stepX(step, ends, 2400), ends, 2400)).toBe(step);
      }
      expect(stepAtX(-50, ends, 300)).toBe(first);
      expect(stepAtX(900, ends, 300)).toBe(1200);
    }
  });
});
