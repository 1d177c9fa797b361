import { eventAt, type Missing, missingAt, type StepEvent, type Timeline } from './timeline';

/** How far one step of the cursor goes. */
export type Grain = 'operation' | 'phase' | 'detail';

/** Where a walk ends: at a step, or at events that have to be asked for first. */
export type Walk = { step: number } | { missing: Missing };

/** What a caller asked for: each one begins an operation. */
const OPENERS: ReadonlySet<string> = new Set(['flush.begin', 'compaction.pick', 'recovery.begin']);

/** How fine an event is, by its name. */
export function grainOf(event: StepEvent): Grain {
  if (event.kind === 'merge.entry') return 'detail';
  return event.kind.startsWith('op.') ? 'operation' : 'phase';
}

/** Whether something new begins with `event`: an operation, a job, or the turn of another job. */
function opens(event: StepEvent, before: StepEvent | null): boolean {
  if (event.kind === 'op.done' || event.kind === 'op.failed') return false;
  if (event.kind.startsWith('op.') || OPENERS.has(event.kind)) return true;
  return before !== null && event.job !== before.job;
}

/** `count` steps of `grain` on from `step` (backwards when negative); stops at both ends. */
export function walk(timeline: Timeline, step: number, grain: Grain, count: number): Walk {
  let at = step;
  const direction = Math.sign(count);
  for (let left = Math.abs(count); left > 0; left -= 1) {
    const next = neighbour(timeline, at, grain, direction);
    if (!('step' in next)) return next;
    if (next.step === at) break;
    at = next.step;
  }
  return { step: at };
}

function neighbour(timeline: Timeline, step: number, grain: Grain, direction: number): Walk {
  for (let at = step + direction; at >= 1 && at <= timeline.last; at += direction) {
    const stands = standsAt(timeline, at, grain);
    if (typeof stands !== 'boolean') return stands;
    if (stands) return { step: at };
  }
  return { step: direction > 0 ? timeline.last : Math.min(step, 1) };
}

/** Whether a walk at `grain` stops behind `step`. */
function standsAt(timeline: Timeline, step: number, grain: Grain): boolean | { missing: Missing } {
  if (grain === 'detail') return true;
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  if (grain === 'phase') return grainOf(event) !== 'detail';
  if (step === timeline.last) return true;
  const next = eventAt(timeline, step + 1);
  return next ? opens(next, event) : absent(timeline, step + 1);
}

function absent(timeline: Timeline, step: number): { missing: Missing } {
  return { missing: missingAt(timeline, step) ?? { from: step, to: step } };
}

/** Over the next thing and all that it causes: a whole operation, a whole job, else one event. */
export function stepOver(timeline: Timeline, step: number): Walk {
  if (step >= timeline.last) return { step: timeline.last };
  const next = eventAt(timeline, step + 1);
  return next ? endOf(timeline, next) : absent(timeline, step + 1);
}

/** To the end of what the event of `step` is part of: its operation, or its job. */
export function stepOut(timeline: Timeline, step: number): Walk {
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  const chain = causes(timeline, event);
  const root = chain.events.find((cause) => isRoot(cause, event));
  if (root) return endOf(timeline, root);
  if (chain.missing) return { missing: chain.missing };
  return event.job === null ? { step } : endOf(timeline, event);
}

/** What encloses `event`: its own job's beginning, or the operation that it belongs to. */
function isRoot(cause: StepEvent, event: StepEvent): boolean {
  if (event.job !== null) {
    return cause.job === event.job && OPENERS.has(cause.kind);
  }
  return cause.kind.startsWith('op.') && cause.kind !== 'op.done' && cause.kind !== 'op.failed';
}

/** Where the consequences of `event` end. */
function endOf(timeline: Timeline, event: StepEvent): Walk {
  const ends = endsWith(event);
  if (!ends) return { step: event.step };
  for (let at = event.step + 1; at <= timeline.last; at += 1) {
    const later = eventAt(timeline, at);
    if (!later) return absent(timeline, at);
    if (later.kind === 'recovery.begin') return { step: at - 1 };
    if (ends(later)) return { step: at };
    // A lookup or a snapshot is one event long: what follows is somebody else's.
    if (event.job === null && later.job === null && opens(later, null)) return { step: at - 1 };
  }
  return { step: timeline.last };
}

function endsWith(event: StepEvent): ((later: StepEvent) => boolean) | null {
  if (event.kind === 'recovery.begin') return (later) => later.kind === 'recovery.done';
  if (event.job !== null) {
    const over = new Set(['flush.done', 'compaction.done', 'job.failed']);
    return (later) => later.job === event.job && over.has(later.kind);
  }
  if (grainOf(event) !== 'operation') return null;
  return (later) =>
    (later.kind === 'op.done' || later.kind === 'op.failed') && later.op === event.id;
}

/** Why `event` happened: what caused it first, then the cause of that, up to what nobody caused. */
export function causes(
  timeline: Timeline,
  event: StepEvent,
): { events: StepEvent[]; missing: Missing | null } {
  const events: StepEvent[] = [];
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
  near: StepEvent,
  id: number,
): StepEvent | { missing: Missing } | null {
  const step = near.step - (near.id - id);
  if (step < 1 || id >= near.id) return null;
  const event = eventAt(timeline, step);
  if (!event) return absent(timeline, step);
  return event.id === id ? event : null;
}
