import { gaps, type Timeline } from '../../../model/timeline';
import type { Mark } from '../../../model/timelineMarks';
import { SIGN_KINDS, type SignKind } from './signs';

/** The steps of a history as a line. */
export interface Strip {
  first: number;
  last: number;
  /** By step. */
  marks: readonly StepMark[];
  /** The height of a bar for each of `slots` equal parts of the steps, 0 to 1. */
  heights(slots: number): number[];
  /** Parts whose events would have to be fetched. */
  gaps: readonly { from: number; to: number }[];
}

export interface StepMark extends Pick<Mark, 'step' | 'name'> {
  kind: SignKind;
}

/** A mark with its place; it also represents marks that would be drawn over it. */
export interface PlacedMark extends StepMark {
  x: number;
  /** Marks that it stands for. */
  count: number;
}

/** The line, drawn. */
export type StripScene = ReturnType<typeof stripScene>;

type Ends = Pick<Strip, 'first' | 'last'>;

/** Kept free at both ends, so that a mark at the first step is whole [px]. */
const MARGIN = 7;
const BAR_PITCH = 5;
/** Marks nearer to each other than this share one sign [px]. */
const MARK_PITCH = 11;
/** How far a mark attracts the pointer [px]. */
const REACH = 8;
/** Height of a bar whose events are not held, and of one without background work. */
const UNKNOWN = 0.15;
const FOREGROUND = 0.25;

/** Where `step` stands on a line of `width` pixels. */
export function stepX(step: number, { first, last }: Ends, width: number): number {
  if (last <= first) return width - MARGIN;
  return MARGIN + ((Math.max(step, first) - first) / (last - first)) * (width - 2 * MARGIN);
}

/** The step at `x` on a line of `width` pixels. */
export function stepAtX(x: number, { first, last }: Ends, width: number): number {
  const share = (x - MARGIN) / Math.max(width - 2 * MARGIN, 1);
  const step = first + Math.round(share * (last - first));
  return Math.min(Math.max(step, first), Math.max(last, first));
}

/** Which of `slots` equal parts of the steps holds `step`. */
export function slotOf(step: number, { first, last }: Ends, slots: number): number {
  return Math.floor(((step - first) * slots) / (last - first + 1));
}

/** Draws the line. */
export function stripScene(strip: Strip, width: number) {
  const { first, last } = strip;
  const steps = Math.max(last - first + 1, 0);
  const room = Math.max(1, Math.floor((width - 2 * MARGIN) / BAR_PITCH));
  const slots = Math.min(steps, room);
  return {
    width,
    bars: strip.heights(slots).map((height, slot) => {
      return { x: stepX(first + Math.floor((slot * steps) / slots), strip, width), height };
    }),
    marks: placed(strip, width),
    gaps: strip.gaps.map(({ from, to }) => {
      const x = stepX(from, strip, width);
      return { x, w: Math.max(stepX(to, strip, width) - x, 1) };
    }),
  };
}

/** The line of a branch's history: bars as high as the share of background jobs in their steps. */
export function stripOf(timeline: Timeline, marks: readonly Mark[]): Strip {
  const ends = { first: 1, last: timeline.last };
  const heights = (slots: number) => {
    const held = new Uint32Array(slots);
    const done = new Uint32Array(slots);
    for (const { from, events } of timeline.stretches) {
      for (const [index, { job }] of (events ?? []).entries()) {
        const slot = slotOf(from + index, ends, slots);
        held[slot] = (held[slot] ?? 0) + 1;
        if (job !== null) done[slot] = (done[slot] ?? 0) + 1;
      }
    }
    return Array.from(held, (steps, slot) =>
      steps === 0 ? UNKNOWN : FOREGROUND + (1 - FOREGROUND) * ((done[slot] ?? 0) / steps),
    );
  };
  return { ...ends, marks, heights, gaps: gaps(timeline) };
}

function placed(strip: Strip, width: number): PlacedMark[] {
  const found: PlacedMark[] = [];
  for (const mark of strip.marks) {
    const x = stepX(mark.step, strip, width);
    const left = found[found.length - 1];
    if (!left || x - left.x >= MARK_PITCH) {
      found.push({ ...mark, x, count: 1 });
    } else if (SIGN_KINDS.indexOf(mark.kind) < SIGN_KINDS.indexOf(left.kind)) {
      found[found.length - 1] = { ...mark, x: left.x, count: left.count + 1 };
    } else {
      left.count += 1;
    }
  }
  return found;
}

/** The mark whose sign is nearest to `x`; `null` when none is near. */
export function markNear({ marks }: StripScene, x: number): PlacedMark | null {
  const distance = (mark: PlacedMark) => Math.abs(mark.x - x);
  const near = marks.filter((mark) => distance(mark) <= REACH);
  return near.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}
