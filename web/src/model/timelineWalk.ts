import type { EventSpan, Grain, WireEvent } from './engine.generated';
import {
  detailsAt,
  detailsMissingAt,
  eventAt,
  type Missing,
  missingAt,
  type Timeline,
} from './timeline';

/** A moment of the history: after the event of a step, or after one of its details. */
export interface Place {
  step: number;
  /** 0 for the event itself; its details count from 1. */
  detail: number;
}

/** The end of a walk: a place, or events that must be fetched first. */
export type Walk = { place: Place } | { missing: Missing };

/** The spans that a caller or a job begins; a stall is none of them. */
const WHOLE: readonly (EventSpan | null)[] = ['operation', 'flush', 'compaction', 'recovery'];

/** Whether something new begins with `event`: an operation, a job, or the turn of another job. */
function opens(event: WireEvent, before: WireEvent | null): boolean {
  if (event.ends === 'operation') return false;
  if (WHOLE.includes(event.begins)) return true;
  return before !== null && event.job !== before.job;
}

/** The place after the newest event, or after the newest entry that a job has judged. */
export function endOfTime(timeline: Timeline): Place {
  const { last } = timeline;
  const detail = detailsAt(timeline, last).at(-1);
  return { step: last, detail: detail?.merge ? detail.detail : 0 };
}

/** `count` steps of `grain` on from `from` (backwards when negative); stops at both ends. */
export function walk(timeline: Timeline, from: Place, grain: Grain, count: number): Walk {
  let at = from;
  const direction = count > 0 ? 1 : -1;
  for (let left = Math.abs(count); left > 0; left -= 1) {
    const next =
      grain === 'detail'
        ? neighbourDetail(timeline, at, direction)
        : neighbour(timeline, at, grain, direction);
    if ('missing' in next) return next;
    if (next.place.step === at.step && next.place.detail === at.detail) break;
    at = next.place;
  }
  return { place: at };
}

function neighbour(timeline: Timeline, from: Place, grain: Grain, direction: 1 | -1): Walk {
  // Going back from a detail, the event that it belongs to comes first.
  const first = direction < 0 && from.detail > 0 ? from.step : from.step + direction;
  for (let at = first; at >= 1 && at <= timeline.last; at += direction) {
    if (grain === 'phase') return place(at);
    const ends = endsOperation(timeline, at);
    if (typeof ends !== 'boolean') return ends;
    if (ends) return place(at);
  }
  return direction > 0 ? { place: endOfTime(timeline) } : place(1);
}

function place(step: number, detail = 0): Walk {
  return { place: { step, detail } };
}

/** Whether the next event after `step` begins something else. */
function endsOperation(timeline: Timeline, step: number): boolean | { missing: Missing } {
  if (step === timeline.last) return true;
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  const next = eventAt(timeline, step + 1);
  return next ? opens(next, event) : absent(timeline, step + 1);
}

function neighbourDetail(timeline: Timeline, from: Place, direction: 1 | -1): Walk {
  if (direction < 0 && from.detail > 0) return place(from.step, from.detail - 1);
  const step = direction > 0 ? from.step : from.step - 1;
  if (step < 1) return place(1);
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  const missing = detailsMissingAt(timeline, step);
  if (missing) return { missing };
  const count = detailsAt(timeline, step).length;
  if (direction < 0) return place(step, count);
  if (from.detail < count) return place(step, from.detail + 1);
  return place(Math.min(step + 1, timeline.last), step < timeline.last ? 0 : from.detail);
}

function absent(timeline: Timeline, step: number): { missing: Missing } {
  return { missing: missingAt(timeline, step) ?? { from: step, to: step, details: false } };
}

/** Over the next operation or job with all its consequences, else over one event. */
export function stepOver(timeline: Timeline, step: number): Walk {
  if (step >= timeline.last) return place(timeline.last);
  const next = eventAt(timeline, step + 1);
  return next ? endOf(timeline, next) : absent(timeline, step + 1);
}

/** To the end of the operation or job of the event of `step`. */
export function stepOut(timeline: Timeline, step: number): Walk {
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  const chain = causes(timeline, event);
  const root = chain.events.find((cause) => isRoot(cause, event));
  if (root) return endOf(timeline, root);
  if (chain.missing) return { missing: chain.missing };
  return event.job === null ? place(step) : endOf(timeline, event);
}

/** The event that encloses `event`: the beginning of its job, or its operation. */
function isRoot(cause: WireEvent, event: WireEvent): boolean {
  if (event.job !== null) {
    return cause.job === event.job && WHOLE.includes(cause.begins);
  }
  return cause.begins === 'operation';
}

/** Where the consequences of `event` end. */
function endOf(timeline: Timeline, event: WireEvent): Walk {
  const ends = endsWith(event);
  if (!ends) return place(event.step);
  for (let at = event.step + 1; at <= timeline.last; at += 1) {
    const later = eventAt(timeline, at);
    if (!later) return absent(timeline, at);
    if (later.begins === 'recovery') return place(at - 1);
    if (ends(later)) return place(at);
    // A lookup or a snapshot has one event only: the next one belongs to something else.
    if (event.job === null && later.job === null && opens(later, null)) return place(at - 1);
  }
  return place(timeline.last);
}

function endsWith(event: WireEvent): ((later: WireEvent) => boolean) | null {
  if (event.begins === 'recovery') return (later) => later.ends === 'recovery';
  if (event.job !== null) return (later) => later.job === event.job && later.ends !== null;
  if (event.begins !== 'operation') return null;
  return (later) => later.ends === 'operation' && later.cause === event.id;
}

/** Why `event` happened: its cause, then the cause of that, up to an event without a cause. */
export function causes(
  timeline: Timeline,
  event: WireEvent,
): { events: WireEvent[]; missing: Missing | null } {
  const events: WireEvent[] = [];
  let at = event;
  while (at.cause !== null && events.length < 64) {
    const cause = eventById(timeline, at, at.cause);
    if (!cause) return { events, missing: null };
    if ('missing' in cause) return { events, missing: cause.missing };
    events.push(cause);
    at = cause;
  }
  return { events, missing: null };
}

/** The event `id` of the same opening; numbers begin again when a database is reopened. */
function eventById(
  timeline: Timeline,
  near: WireEvent,
  id: number,
): WireEvent | { missing: Missing } | null {
  const step = near.step - (near.id - id);
  if (step < 1 || id >= near.id) return null;
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  return event.id === id ? event : null;
}

/** `Step 12.` or `Step 12, detail 3.` */
export function stepName({ step, detail }: Place): string {
  return detail > 0 ? `Step ${step}, detail ${detail}.` : `Step ${step}.`;
}
