/*
 * Appends to the history of a branch, fills its gaps, and thins it when it has become long. Pure, as the
 * timeline itself.
 */

import type { View, WireEvent } from './engine.generated';
import { stateHash } from './stateHash';
import {
  after,
  gap,
  NOTHING,
  restored,
  type Snapshot,
  type Stretch,
  snapshotAt,
  type Timeline,
  weight,
} from './timeline';
import { isPartial, reconcileWriting, reduceWriting } from './writing';

/**
 * The history with newer events. Skipped steps become a gap. `view` is the state after all events; it is
 * required after a gap and optional otherwise. `detailed`: all details since the last call are among the events.
 */
export function append(
  timeline: Timeline,
  events: readonly WireEvent[],
  view: View | null,
  detailed = false,
): Timeline {
  const fresh = events.filter((event) => event.detail === 0 && event.step > timeline.last);
  const stretches = detailed ? [...timeline.stretches] : withOpenEnd(timeline.stretches);
  let { last, now } = timeline;
  let known: Snapshot | null = now;
  const drafts = new Set<Stretch>();
  for (const event of fresh) {
    if (event.step > last + 1) {
      stretches.push(gap(last + 1, event.step - 1, known));
      known = null;
    }
    if (event.begins === 'recovery') known = { ...NOTHING };
    known = grow(stretches, event, known, timeline.limits.stretch, drafts, detailed);
    last = event.step;
  }
  if (view) {
    const writing = known
      ? known.writing
      : fresh.reduce((sum, event) => reduceWriting(sum, event), now.writing);
    now = { view, writing: reconcileWriting(writing, view) };
    close(stretches, known, view);
  } else if (known) {
    now = known;
  }
  return thin({ ...timeline, stretches: withDetails(stretches, events), last, now });
}

/** The last step, whose details go on, as a stretch of its own without all of them. */
function withOpenEnd(stretches: readonly Stretch[]): Stretch[] {
  const end = stretches[stretches.length - 1];
  if (!end?.detailed) return [...stretches];
  const { from, to } = end;
  const known = from < to ? [shorten(end, from, to - 1)] : [];
  return [...stretches.slice(0, -1), ...known, { ...shorten(end, to, to), detailed: false }];
}

/** The history up to `step`, whose state is `view`, without the events on the way there. */
export function skipped(timeline: Timeline, step: number, view: View): Timeline {
  const stretches = [...timeline.stretches, gap(timeline.last + 1, step, timeline.now)];
  return { ...timeline, stretches, last: step, now: restored(view) };
}

/** Adds details to the stretches of their events; a detail of an event that is not held is left out. */
function withDetails(stretches: Stretch[], events: readonly WireEvent[]): Stretch[] {
  const details = events.filter((event) => event.detail > 0);
  const first = details[0];
  if (!first) return stretches;
  return stretches.map((stretch) => {
    if (stretch.to < first.step || !stretch.events) return stretch;
    const added = details.filter(({ step }) => step >= stretch.from && step <= stretch.to);
    const isNew = (event: WireEvent) =>
      !stretch.details.some(({ step, detail }) => step === event.step && detail === event.detail);
    const kept = added.filter(isNew);
    if (kept.length === 0) return stretch;
    const all = [...stretch.details, ...kept];
    return { ...stretch, details: all.sort((a, b) => a.step - b.step || a.detail - b.detail) };
  });
}

/** Ends the last stretch with the engine's `view`; if an opening does not fold to it, its states are dropped. */
function close(stretches: Stretch[], folded: Snapshot | null, view: View): void {
  const end = stretches.length - 1;
  const open = stretches[end];
  if (open) stretches[end] = { ...open, closed: true };
  if (!folded || stateHash(folded.view) === stateHash(view)) return;
  for (let index = end; index >= 0; index -= 1) {
    const stretch = stretches[index];
    if (!stretch) return;
    stretches[index] = { ...stretch, before: null };
    if (stretch.events?.[0]?.begins === 'recovery') return;
  }
}

/** A stretch that is still being made, and may be changed in place. */
interface Draft extends Stretch {
  events: WireEvent[];
}

/** Adds one event at the end; returns the state after it, if it is known. */
function grow(
  stretches: Stretch[],
  event: WireEvent,
  before: Snapshot | null,
  lengthMax: number,
  drafts: Set<Stretch>,
  detailed: boolean,
): Snapshot | null {
  const open = stretches[stretches.length - 1];
  const fits =
    open?.events &&
    !open.closed &&
    open.detailed === detailed &&
    open.to + 1 === event.step &&
    open.events.length < lengthMax &&
    (open.before === null) === (before === null) &&
    event.begins !== 'recovery';
  if (open && fits && drafts.has(open)) {
    const draft = open as Draft;
    draft.events.push(event);
    draft.to = event.step;
  } else {
    const draft: Draft =
      open?.events && fits
        ? { ...open, to: event.step, events: [...open.events, event] }
        : { ...gap(event.step, event.step, before), events: [event], detailed };
    stretches.splice(fits ? stretches.length - 1 : stretches.length, 1, draft);
    drafts.add(draft);
  }
  return before && after(before, event);
}

/** Drops events and checkpoints beyond the limits. */
function thin(timeline: Timeline): Timeline {
  const { limits } = timeline;
  let held = timeline.stretches.reduce((sum, stretch) => sum + weight(stretch), 0);
  let stretches = [...timeline.stretches];
  if (held > limits.kept) {
    for (const [index, stretch] of stretches.entries()) {
      if (held <= limits.kept || index === stretches.length - 1) break;
      if (!stretch.events || stretch.filled > 0) continue;
      held -= weight(stretch);
      stretches[index] = emptied(stretch);
    }
  }
  const filled = stretches.filter((stretch) => stretch.filled > 0);
  if (filled.length > limits.filled) {
    const oldest = filled.map((stretch) => stretch.filled).sort((a, b) => b - a)[limits.filled - 1];
    stretches = stretches.map((stretch) => {
      if (stretch.filled === 0 || stretch.filled >= (oldest ?? 0)) return stretch;
      held -= weight(stretch);
      return emptied(stretch);
    });
  }
  return { ...timeline, stretches: merge(stretches, limits.stretches) };
}

function emptied(stretch: Stretch): Stretch {
  return gap(stretch.from, stretch.to, stretch.before);
}

/** Merges neighbours without events, the shortest first, so that checkpoints thin out evenly. */
function merge(stretches: Stretch[], max: number): Stretch[] {
  const merged = stretches;
  while (merged.length > max) {
    let best = -1;
    let shortest = Number.POSITIVE_INFINITY;
    for (let index = 0; index + 1 < merged.length; index += 1) {
      const [left, right] = [merged[index], merged[index + 1]];
      if (!left || !right || left.events || right.events) continue;
      const length = right.to - left.from;
      if (length < shortest) [best, shortest] = [index, length];
    }
    const [left, right] = [merged[best], merged[best + 1]];
    if (!left || !right) break;
    merged.splice(best, 2, { ...left, to: right.to });
  }
  return merged;
}

/**
 * The history with a gap filled: `view` is the state before the first of `events`. `detailed`: all details
 * are among them.
 */
export function fill(
  timeline: Timeline,
  events: readonly WireEvent[],
  view: View | null,
  detailed = false,
): Timeline {
  const first = events.find((event) => event.detail === 0);
  const final = events[events.length - 1];
  if (!first || !final) return timeline;
  const fills = timeline.fills + 1;
  const stretches: Stretch[] = [];
  const inside = { from: first.step, to: Math.min(final.step, timeline.last) };
  const before = snapshotAt(timeline, inside.from - 1)?.snapshot ?? (view && restored(view));
  const pieces = cut(events, before, inside.to, { lengthMax: timeline.limits.stretch, detailed });
  if (pieces.length === 0) return timeline;
  const marked = withDetails(pieces, events).map((piece) => ({ ...piece, filled: fills }));
  let placed = false;
  for (const stretch of timeline.stretches) {
    if (stretch.to < inside.from || stretch.from > inside.to) {
      stretches.push(stretch);
      continue;
    }
    if (stretch.from < inside.from) stretches.push(shorten(stretch, stretch.from, inside.from - 1));
    if (!placed) stretches.push(...marked);
    placed = true;
    if (stretch.to > inside.to) stretches.push(shorten(stretch, inside.to + 1, stretch.to));
  }
  const { linked, end } = link(stretches);
  const isKnown = end !== null && isPartial(timeline.now.writing) && !isPartial(end.writing);
  const now = isKnown ? { ...timeline.now, writing: end.writing } : timeline.now;
  return thin({ ...timeline, stretches: linked, now, fills });
}

/** Stretches of the usual length out of `events`; details that share a step are left out. */
function cut(
  events: readonly WireEvent[],
  before: Snapshot | null,
  to: number,
  { lengthMax, detailed }: { lengthMax: number; detailed: boolean },
): Stretch[] {
  const pieces: Stretch[] = [];
  const drafts = new Set<Stretch>();
  let known = before;
  let last = 0;
  for (const event of events) {
    if (event.detail > 0 || event.step <= last || event.step > to) continue;
    if (event.begins === 'recovery') known = { ...NOTHING };
    known = grow(pieces, event, known, lengthMax, drafts, detailed);
    last = event.step;
  }
  return pieces;
}

/** The part `from`..`to` of a stretch. */
function shorten(stretch: Stretch, from: number, to: number): Stretch {
  const inside = (event: WireEvent) => event.step >= from && event.step <= to;
  const events = stretch.events?.filter(inside) ?? null;
  const part = { ...stretch, from, to, events, details: stretch.details.filter(inside) };
  if (from === stretch.from) return part;
  const skipped = stretch.events?.filter((event) => event.step < from);
  const before = skipped && stretch.before ? skipped.reduce(after, stretch.before) : null;
  return { ...part, before };
}

/**
 * Gives each stretch with an unknown or partial first state the state after its predecessor. `end`: the state after the
 * last stretch, if it is known.
 */
function link(stretches: readonly Stretch[]): { linked: Stretch[]; end: Snapshot | null } {
  let state: Snapshot | null = null;
  const linked = stretches.map((stretch) => {
    const own = stretch.before;
    const before: Snapshot | null = state && (!own || isPartial(own.writing)) ? state : own;
    state = before && stretch.events ? stretch.events.reduce(after, before) : null;
    return before === own ? stretch : { ...stretch, before };
  });
  return { linked, end: state };
}

/** The history up to `step`, for a branch that forks there. */
export function upTo(timeline: Timeline, step: number): Timeline {
  if (step >= timeline.last) return timeline;
  const now = snapshotAt(timeline, step)?.snapshot ?? NOTHING;
  const stretches = timeline.stretches.flatMap((stretch) => {
    if (stretch.to <= step) return [stretch];
    return stretch.from > step ? [] : [shorten(stretch, stretch.from, step)];
  });
  return { ...timeline, stretches, last: step, now };
}
