/*
 * The history of one branch: which steps were made, their events as far as they are held, and enough
 * checkpoints to restore the database's state after each of them. Pure: every change gives a new value,
 * and both share what did not change.
 *
 * ```text
 * stretch   1 ………… 1200   1201 … 1328   1329 … 1456   1457 … 1490
 *           dropped       events        events        events      now
 *           checkpoint    checkpoint    checkpoint    checkpoint
 * ```
 *
 * A step is the number of an event, counted from 1 over the whole branch. A checkpoint is the state before
 * the first step of its stretch; the state after any step is folded from there, never further back.
 */

import type { View, WireEvent } from './engine.generated';
import { EMPTY_VIEW, reduce } from './reduce';
import { countBefore } from './search';
import { NOTHING_WRITTEN, reconcileWriting, reduceWriting, type Writing } from './writing';

/** The state of the database at one moment. */
export interface Snapshot {
  view: View;
  /** Tables that were being written. */
  writing: Writing;
}

/** Steps that follow one another without a gap. */
export interface Stretch {
  from: number;
  to: number;
  /** The state before `from`; `null` when the page has not received it. */
  before: Snapshot | null;
  /** One for each step; `null` where they were skipped or dropped. */
  events: readonly WireEvent[] | null;
  /** The details between the events, in order: each has the step of the event before it. */
  details: readonly WireEvent[];
  /** Whether `details` is complete. */
  detailed: boolean;
  /** Larger for stretches fetched later; 0 for those never fetched. */
  filled: number;
  /** Whether the worker sent the state after it: the next stretch begins with that state. */
  closed?: boolean;
}

/** How much a timeline holds. */
export interface Limits {
  /** Steps between two checkpoints: at most so many events are folded for a state. */
  stretch: number;
  /** The newest events, held in full. */
  kept: number;
  /** Stretches in all; older checkpoints are thinned. */
  stretches: number;
  /** Most older stretches fetched again. */
  filled: number;
}

const LIMITS: Limits = { stretch: 128, kept: 20_000, stretches: 480, filled: 64 };

/** The history of one branch. */
export interface Timeline {
  stretches: readonly Stretch[];
  /** The newest step; 0 before the first. */
  last: number;
  /** The state after it. */
  now: Snapshot;
  limits: Limits;
  /** How often a gap was filled. */
  fills: number;
}

/** Steps whose events must be fetched. */
export interface Missing {
  from: number;
  to: number;
  /** Whether their details are wanted. */
  details: boolean;
}

export const NOTHING: Snapshot = { view: EMPTY_VIEW, writing: NOTHING_WRITTEN };

/** A history without steps. */
export function emptyTimeline(limits: Limits = LIMITS): Timeline {
  return { stretches: [], last: 0, now: NOTHING, limits, fills: 0 };
}

export function gap(from: number, to: number, before: Snapshot | null): Stretch {
  return { from, to, before, events: null, details: [], detailed: false, filled: 0 };
}

/** The history that ends at `last` with the state `view`, whose events are not held. */
export function timelineFrom(view: View, last: number): Timeline {
  const stretches: Stretch[] = last > 0 ? [gap(1, last, null)] : [];
  return { ...emptyTimeline(), stretches, last, now: restored(view) };
}

/** A state made from its view alone. */
export function restored(view: View): Snapshot {
  return { view, writing: reconcileWriting(NOTHING_WRITTEN, view) };
}

/** The state after one more event. */
export function after(snapshot: Snapshot, event: WireEvent): Snapshot {
  return {
    view: reduce(snapshot.view, event),
    writing: reduceWriting(snapshot.writing, event),
  };
}

/** The stretch with `step`, by binary search. */
function stretchAt(timeline: Timeline, step: number): { stretch: Stretch; index: number } | null {
  const index = countBefore(timeline.stretches, ({ to }) => to < step);
  const stretch = timeline.stretches[index];
  return stretch && stretch.from <= step ? { stretch, index } : null;
}

/** The state folded last in each stretch: the next step costs one event, not a stretch of them. */
const folded = new WeakMap<Stretch, { step: number; snapshot: Snapshot }>();

/** The state after `step`, and how many events were folded for it; `null` where it must be fetched. */
export function snapshotAt(
  timeline: Timeline,
  step: number,
): { snapshot: Snapshot; folds: number } | null {
  if (step === timeline.last) return { snapshot: timeline.now, folds: 0 };
  if (step <= 0) {
    const before = timeline.stretches[0]?.before;
    return before ? { snapshot: before, folds: 0 } : null;
  }
  const found = stretchAt(timeline, step);
  if (!found) return null;
  const { stretch, index } = found;
  const next = step === stretch.to ? stateAfter(timeline, index) : null;
  if (next) return { snapshot: next, folds: 0 };
  if (!stretch.events || !stretch.before) return null;
  const memo = folded.get(stretch);
  let snapshot = memo && memo.step <= step ? memo.snapshot : stretch.before;
  const first = memo && memo.step <= step ? memo.step + 1 : stretch.from;
  for (let at = first; at <= step; at += 1) {
    const event = stretch.events[at - stretch.from];
    if (event) snapshot = after(snapshot, event);
  }
  folded.set(stretch, { step, snapshot });
  return { snapshot, folds: Math.max(step - first + 1, 0) };
}

/** The state at the end of a stretch, as the next one has it; an opening begins with nothing instead. */
function stateAfter(timeline: Timeline, index: number): Snapshot | null {
  const before = timeline.stretches[index + 1]?.before;
  return before && before.view !== NOTHING.view ? before : null;
}

/**
 * The nearest checkpoint: its state needs no folding, so a picture can follow the hand. In a long history one lies within
 * a few hundredths of a percent of its length; `null` where none is near.
 */
export function checkpointNear(timeline: Timeline, step: number): number | null {
  const found = stretchAt(timeline, step);
  if (!found) return null;
  const { from, to } = found.stretch;
  const before = from > 1 && stateAfter(timeline, found.index - 1) ? from - 1 : null;
  const after = to === timeline.last || stateAfter(timeline, found.index) ? to : null;
  if (before === null || after === null) return before ?? after;
  return step - before < after - step ? before : after;
}

/** The event of `step`, if it is held. */
export function eventAt(timeline: Timeline, step: number): WireEvent | null {
  const found = stretchAt(timeline, step);
  return found?.stretch.events?.[step - found.stretch.from] ?? null;
}

/** The details after the event of `step`, as far as they are held. */
export function detailsAt(timeline: Timeline, step: number): readonly WireEvent[] {
  const details = stretchAt(timeline, step)?.stretch.details ?? [];
  return details.length === 0 ? details : details.filter((event) => event.step === step);
}

/** Whether the details after the event of `step` are all held. */
export function isDetailedAt(timeline: Timeline, step: number): boolean {
  return stretchAt(timeline, step)?.stretch.detailed === true;
}

/** The steps to fetch for all details of `step`; `null` when they are held. */
export function detailsMissingAt(timeline: Timeline, step: number): Missing | null {
  const found = stretchAt(timeline, step);
  if (!found || found.stretch.detailed) return null;
  return { from: found.stretch.from, to: found.stretch.to, details: true };
}

export function weight(stretch: Stretch): number {
  return (stretch.events?.length ?? 0) + stretch.details.length;
}

/** The steps to fetch for the event and the state of `step`; `null` when they are held. */
export function missingAt(timeline: Timeline, step: number): Missing | null {
  const found = stretchAt(timeline, step);
  if (!found) return null;
  const { stretch, index } = found;
  const isLast = step === stretch.to && stateAfter(timeline, index) !== null;
  if (stretch.events && (stretch.before || isLast)) return null;
  const room = timeline.limits.stretch;
  const from = Math.max(stretch.from, step - Math.floor(room / 2));
  return { from, to: Math.min(stretch.to, from + room - 1), details: false };
}

/** Parts of the history whose events are not held. */
export function gaps(timeline: Timeline): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to, events } of timeline.stretches) {
    if (events) continue;
    const left = found[found.length - 1];
    if (left && left.to + 1 === from) left.to = to;
    else found.push({ from, to });
  }
  return found;
}

/** The event or the detail at a place. */
export function shownEvent(
  timeline: Timeline,
  place: { step: number; detail: number },
): WireEvent | null {
  if (place.detail === 0) return eventAt(timeline, place.step);
  return detailsAt(timeline, place.step).find(({ detail }) => detail === place.detail) ?? null;
}
