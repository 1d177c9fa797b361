import type { StepLine } from './answers';

/** A strip of the history: one sign and one bar for the steps of a few pixels. */
export interface Slot {
  x: number;
  /** The first step of the slot that has its kind. */
  step: number;
  kind: string;
  /** Bytes that its steps wrote, compared with the slot that wrote most, 0 to 1. */
  height: number;
}

const PITCH = 10;
/** Kept free at both ends [px]. */
export const MARGIN = 8;

/** Rarer kinds are shown rather than common ones. */
const RANK: Readonly<Record<string, number>> = {
  family_dropped: 9,
  family_created: 8,
  recovery: 7,
  deletion: 6,
  excise: 6,
  ingestion: 5,
  compaction: 4,
  move: 3,
  flush: 2,
  snapshot: 1,
  bookkeeping: 0,
};

/** Where a step stands on a strip of `width` pixels; steps count from 0. */
export function stepX(step: number, last: number, width: number): number {
  return MARGIN + (step / Math.max(last, 1)) * (width - 2 * MARGIN);
}

/** The step at `x`. */
export function stepAtX(x: number, last: number, width: number): number {
  const share = (x - MARGIN) / Math.max(width - 2 * MARGIN, 1);
  return Math.min(Math.max(Math.round(share * last), 0), last);
}

/** Draws the steps; those of other families count as quiet. */
export function slotsOf(
  steps: readonly StepLine[],
  isShown: (step: StepLine) => boolean,
  last: number,
  width: number,
): Slot[] {
  const count = Math.max(1, Math.min(last + 1, Math.floor((width - 2 * MARGIN) / PITCH)));
  const slots = new Map<number, Slot & { bytes: number }>();
  for (const line of steps) {
    const kind = isShown(line) ? line.kind : 'bookkeeping';
    const at = Math.min(Math.floor((line.step * count) / (last + 1)), count - 1);
    const slot = slots.get(at);
    const bytes = isShown(line) ? line.added.reduce((sum, [, , each]) => sum + each, 0) : 0;
    const rank = RANK[kind] ?? 0;
    if (!slot) {
      slots.set(at, { x: stepX(line.step, last, width), step: line.step, kind, height: 0, bytes });
      continue;
    }
    slot.bytes += bytes;
    if (rank > (RANK[slot.kind] ?? 0)) {
      slot.kind = kind;
      slot.step = line.step;
      slot.x = stepX(line.step, last, width);
    }
  }
  const all = [...slots.values()];
  const most = Math.max(1, ...all.map(({ bytes }) => bytes));
  return all.map(({ bytes, ...slot }) => ({ ...slot, height: Math.sqrt(bytes / most) }));
}

/** The slot with a sign that is nearest to `x`; `null` when none is near. */
export function slotNear(slots: readonly Slot[], x: number): Slot | null {
  let best: Slot | null = null;
  for (const slot of slots) {
    if (slot.kind === 'bookkeeping' || Math.abs(slot.x - x) > 7) continue;
    if (!best || Math.abs(slot.x - x) < Math.abs(best.x - x)) best = slot;
  }
  return best;
}
