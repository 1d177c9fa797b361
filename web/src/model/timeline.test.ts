import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldEvents } from '../testing/heldEvents';
import { base, begun as begunWith, insert, run } from '../testing/longHistory';
import { RUNS } from '../testing/runs';
import { busyView } from '../testing/sample';
import type { View } from './engine.generated';
import { reduce } from './reduce';
import { stateHash } from './stateHash';
import {
  checkpointNear,
  emptyTimeline,
  eventAt,
  gaps,
  missingAt,
  snapshotAt,
  type Timeline,
} from './timeline';
import { append, fill, upTo } from './timelineGrow';

const SMALL = { stretch: 8, kept: 40, stretches: 12, filled: 3 };

const begun = (limits = SMALL) => begunWith(limits);

/** The state after `step`, folded from the very beginning. */
function truth(step: number): View {
  return run(1, step).reduce<View>(reduce, { ...busyView(), time: 0 });
}

function hashAt(timeline: Timeline, step: number): number | null {
  const found = snapshotAt(timeline, step);
  return found && stateHash(found.snapshot.view);
}

describe('timeline', () => {
  it('has a checkpoint near every step, whose state needs no event', () => {
    let timeline = begun();
    for (let step = 1; step <= 400; step += 10) {
      timeline = append(timeline, run(step, step + 9), base(step + 9));
    }
    const longest = Math.max(...timeline.stretches.map(({ from, to }) => to - from + 1));
    for (let step = 1; step <= 400; step += 1) {
      const near = checkpointNear(timeline, step);
      if (near === null) throw new Error(`none is near step ${step}`);
      expect(Math.abs(near - step)).toBeLessThan(longest);
      expect(hashAt(timeline, near)).toBe(stateHash(base(near)));
    }
  });

  it('has the state of the database after every step it holds', () => {
    const timeline = append(begun(), run(1, 40), null);
    expect(timeline.last).toBe(40);
    for (let step = 40; step >= 1; step -= 1) {
      expect(hashAt(timeline, step), `step ${step}`).toBe(stateHash(truth(step)));
      expect(eventAt(timeline, step)?.step).toBe(step);
    }
  });

  it('folds at most one stretch of events for any step', () => {
    const timeline = append(begun({ ...SMALL, stretch: 16 }), run(1, 40), null);
    for (const step of [40, 1, 33, 17, 16, 15, 31]) {
      expect(snapshotAt(timeline, step)?.folds).toBeLessThanOrEqual(16);
    }
  });

  it('lets go of old events, keeps checkpoints, and asks for what it lacks', () => {
    const timeline = append(begun(), run(1, 100), null);
    expect(heldEvents(timeline)).toBeLessThanOrEqual(SMALL.kept);
    expect(timeline.stretches.length).toBeLessThanOrEqual(SMALL.stretches);
    expect(snapshotAt(timeline, 30)).toBeNull();
    const missing = missingAt(timeline, 30);
    expect(missing).not.toBeNull();
    const { from, to } = missing ?? { from: 0, to: 0 };
    expect(from).toBeLessThanOrEqual(30);
    expect(to).toBeGreaterThanOrEqual(30);
    const filled = fill(timeline, run(from, to), truth(from - 1));
    for (let step = from; step <= to; step += 1) {
      expect(hashAt(filled, step)).toBe(stateHash(truth(step)));
    }
    expect(filled.last).toBe(100);
  });

  it('bridges events that were left out with the view that came instead', () => {
    let timeline = append(begun({ ...SMALL, kept: 60 }), run(1, 10), null);
    timeline = append(timeline, run(31, 40), truth(40));
    expect(gaps(timeline)).toEqual([{ from: 11, to: 30 }]);
    expect(hashAt(timeline, 40)).toBe(stateHash(truth(40)));
    expect(hashAt(timeline, 10)).toBe(stateHash(truth(10)));
    expect(snapshotAt(timeline, 35)).toBeNull();
    expect(eventAt(timeline, 35)?.sentence).toBe('Step 35.');
    timeline = append(timeline, run(41, 45), null);
    expect(hashAt(timeline, 43)).toBe(stateHash(truth(43)));
    // The state before the gap is known, so filling it needs no view.
    timeline = fill(timeline, run(11, 30), null);
    expect(gaps(timeline)).toEqual([]);
    for (let step = 1; step <= 45; step += 1) {
      expect(hashAt(timeline, step), `step ${step}`).toBe(stateHash(truth(step)));
    }
  });

  it('is cut where a branch leaves, and goes on differently', () => {
    const main = append(begun(), run(1, 20), null);
    const branch = append(upTo(main, 12), [{ ...insert(13), patches: [] }], null);
    expect(branch.last).toBe(13);
    expect(hashAt(branch, 9)).toBe(hashAt(main, 9));
    expect(hashAt(branch, 13)).not.toBe(hashAt(main, 13));
    expect(main.last).toBe(20);
  });

  it('never answers wrongly, whatever is appended, let go of and filled', () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('more' as const), count: fc.integer({ min: 1, max: 30 }) }),
      fc.record({
        do: fc.constant('skip' as const),
        count: fc.integer({ min: 1, max: 30 }),
        sent: fc.integer({ min: 1, max: 9 }),
      }),
      fc.record({
        do: fc.constant('look' as const),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    const holds = fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let timeline = begun();
      for (const next of actions) {
        const { last } = timeline;
        if (next.do === 'more') timeline = append(timeline, run(last + 1, last + next.count), null);
        else if (next.do === 'skip') {
          const to = last + next.count + next.sent;
          timeline = append(timeline, run(to - next.sent + 1, to), truth(to));
        } else if (last > 0) {
          const step = Math.max(1, Math.round(next.at * last));
          const missing = missingAt(timeline, step);
          if (missing) {
            timeline = fill(timeline, run(missing.from, missing.to), truth(missing.from - 1));
          }
          expect(hashAt(timeline, step)).toBe(stateHash(truth(step)));
          expect(eventAt(timeline, step)?.step).toBe(step);
        }
        expect(heldEvents(timeline)).toBeLessThanOrEqual(SMALL.kept + 8 * SMALL.filled + 60);
        expect(timeline.stretches.length).toBeLessThanOrEqual(SMALL.stretches + 60);
        for (let step = 1; step <= timeline.last; step += 7) {
          const hash = hashAt(timeline, step);
          if (hash !== null) expect(hash).toBe(stateHash(truth(step)));
        }
      }
    });
    fc.assert(holds, RUNS);
  });

  it('holds a million events in bounded memory', () => {
    let timeline = begun(emptyTimeline().limits);
    for (let to = 1000; to <= 1_000_000; to += 1000) {
      // Every second batch leaves something out, as a busy engine does.
      const whole = to % 2000 === 0;
      timeline = append(timeline, run(whole ? to - 999 : to - 249, to), whole ? null : base(to));
    }
    const { limits } = timeline;
    expect(timeline.last).toBe(1_000_000);
    expect(heldEvents(timeline)).toBeLessThanOrEqual(limits.kept + limits.stretch);
    expect(timeline.stretches.length).toBeLessThanOrEqual(limits.stretches);
    const lengths = timeline.stretches.map(({ from, to }) => to - from + 1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(16_384);
    expect(hashAt(timeline, 1_000_000)).toBe(stateHash(base(1_000_000)));
  });
});
