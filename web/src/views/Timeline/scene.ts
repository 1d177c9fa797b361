import { gaps, type Timeline } from '../../model/timeline';
import type { Mark, MarkKind } from '../../model/timelineMarks';

/** The history as a strip of `width` pixels. */
export type TimelineScene = ReturnType<typeof timelineScene>;

/** A landmark with its place; it also represents landmarks that would be drawn over it. */
interface PlacedMark extends Mark {
  x: number;
  /** Landmarks that it stands for. */
  count: number;
}

/** Kept free at both ends, so that a mark at the first step is whole [px]. */
export const MARGIN = 7;
const BAR_PITCH = 5;
/** Landmarks nearer to each other than this share one sign [px]. */
const MARK_PITCH = 11;
/** Height of a bar whose events are not held, and of one without background work. */
const UNKNOWN = 0.15;
const FOREGROUND = 0.25;

/** Rarer landmarks are drawn rather than common ones. */
const RANK: Readonly<Record<MarkKind, number>> = {
  bookmark: 9,
  break: 8,
  failure: 7,
  creation: 6,
  recovery: 5,
  stall: 4,
  compaction: 3,
  flush: 2,
  rotate: 1,
};

/** Where `step` of `last` steps stands on a strip of `width` pixels. */
export function stepX(step: number, last: number, width: number): number {
  if (last <= 1) return width - MARGIN;
  return MARGIN + ((step - 1) / (last - 1)) * (width - 2 * MARGIN);
}

/** The step at `x` on a strip of `width` pixels. */
export function stepAtX(x: number, last: number, width: number): number {
  const share = (x - MARGIN) / Math.max(width - 2 * MARGIN, 1);
  const step = 1 + Math.round(share * (last - 1));
  return Math.min(Math.max(step, 1), Math.max(last, 1));
}

/** Draws the strip. */
export function timelineScene(timeline: Timeline, marks: readonly Mark[], width: number) {
  const { last } = timeline;
  return {
    width,
    bars: bars(timeline, width),
    marks: placed(marks, last, width),
    // Parts whose events would have to be fetched.
    gaps: gaps(timeline).map(({ from, to }) => {
      const x = stepX(from, last, width);
      return { x, w: Math.max(stepX(to, last, width) - x, 1) };
    }),
  };
}

/** One bar for the steps of a few pixels: as high as the share of background jobs in them. */
function bars(timeline: Timeline, width: number) {
  const { last, stretches } = timeline;
  const slots = Math.max(1, Math.min(last, Math.floor((width - 2 * MARGIN) / BAR_PITCH)));
  const held = new Uint32Array(slots);
  const done = new Uint32Array(slots);
  for (const { from, events } of stretches) {
    for (const [index, { job }] of (events ?? []).entries()) {
      const slot = Math.floor(((from + index - 1) * slots) / last);
      held[slot] = (held[slot] ?? 0) + 1;
      if (job !== null) done[slot] = (done[slot] ?? 0) + 1;
    }
  }
  return Array.from({ length: last > 0 ? slots : 0 }, (_, slot) => {
    const steps = held[slot] ?? 0;
    const x = stepX(1 + Math.floor((slot * last) / slots), last, width);
    return {
      x,
      height: steps === 0 ? UNKNOWN : FOREGROUND + (1 - FOREGROUND) * ((done[slot] ?? 0) / steps),
    };
  });
}

function placed(marks: readonly Mark[], last: number, width: number): PlacedMark[] {
  const found: PlacedMark[] = [];
  for (const mark of marks) {
    const x = stepX(mark.step, last, width);
    const left = found[found.length - 1];
    if (!left || x - left.x >= MARK_PITCH) {
      found.push({ ...mark, x, count: 1 });
    } else if (RANK[mark.kind] > RANK[left.kind]) {
      found[found.length - 1] = { ...mark, x: left.x, count: left.count + 1 };
    } else {
      left.count += 1;
    }
  }
  return found;
}

/** The landmark whose sign is nearest to `x`; `null` when none is near. */
export function markNear(scene: TimelineScene, x: number, reach = 8): PlacedMark | null {
  let best: PlacedMark | null = null;
  for (const mark of scene.marks) {
    const distance = Math.abs(mark.x - x);
    if (distance <= reach && (!best || distance < Math.abs(best.x - x))) best = mark;
  }
  return best;
}
