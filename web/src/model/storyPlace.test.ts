import { describe, expect, it } from 'vitest';
import { OPERATION } from '../testing/plainEvent';
import type { WireEvent } from './engine.generated';
import { placeOfStep, stepOfPlace } from './storyPlace';
import { emptyTimeline } from './timeline';
import { append } from './timelineGrow';

const KINDS = [
  'open',
  'put',
  'wal.append',
  'put',
  'wal.append',
  'flush',
  'table.block',
  'flush.install',
];
/** The last steps of three commands: two puts and a flush. */
const ENDS = [3, 5, 8];

const event = (kind: string, step: number): WireEvent => ({
  ...OPERATION,
  step,
  id: step,
  detail: 0,
  time: step,
  job: null,
  cause: null,
  kind,
  sentence: kind,
});
const timeline = append(
  emptyTimeline(),
  KINDS.map((kind, at) => event(kind, at + 1)),
  null,
);

describe('a place in a story', () => {
  it('counts from the command before it', () => {
    expect(placeOfStep(ENDS, timeline, 7)).toEqual({ commands: 2, steps: 2, event: 'table.block' });
    expect(placeOfStep(ENDS, timeline, 5)).toEqual({ commands: 2, steps: 0, event: 'wal.append' });
    expect(placeOfStep(ENDS, timeline, 2)).toBeNull();
  });

  it('leads back to its step', () => {
    for (let step = 3; step <= KINDS.length; step += 1) {
      const place = placeOfStep(ENDS, timeline, step);
      expect(place && stepOfPlace(ENDS, timeline, place)).toEqual({ step, differs: null });
    }
  });

  it('leads to the next event of its name in the same command, and reports the difference', () => {
    const moved = stepOfPlace(ENDS, timeline, { commands: 2, steps: 1, event: 'flush.install' });
    expect(moved).toEqual({ step: 8, differs: expect.stringContaining('the next flush.install') });
    const gone = stepOfPlace(ENDS, timeline, { commands: 2, steps: 1, event: 'wal.delete' });
    expect(gone).toEqual({ step: 5, differs: expect.stringContaining('does not make') });
    const far = stepOfPlace(ENDS, timeline, { commands: 2, steps: 9999, event: 'flush' });
    expect(far.step).toBe(6);
    const none = stepOfPlace(ENDS, timeline, { commands: 9, steps: 0, event: 'put' });
    expect(none).toEqual({ step: null, differs: expect.stringContaining('does not have') });
  });
});
