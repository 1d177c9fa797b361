import type { Grain } from './engine.generated';
import { bookmarksOf, type Came, historyOf, narration, type PageState, placeOf } from './page';
import {
  checkpointNear,
  eventAt,
  type Missing,
  missingAt,
  snapshotAt,
  type Timeline,
} from './timeline';
import { marksOf, nextMark } from './timelineMarks';
import { endOfTime, type Place, stepOut, stepOver, type Walk, walk } from './timelineWalk';

/** A requested move in time. */
export type Goal =
  | { to: 'now' }
  | { to: 'step'; step: number; detail?: number }
  | { to: 'walk'; grain: Grain; count: number }
  | { to: 'over' }
  | { to: 'out' }
  | { to: 'mark'; direction: 1 | -1 };

/** How a journey is made: what a `step` made stands out, and only `scrub` is silent. */
export type Manner = 'step' | 'jump' | 'scrub';

/** A walk of one step is a step, everything else a jump. */
export const mannerOf = (goal: Goal): Manner =>
  goal.to === 'walk' && Math.abs(goal.count) === 1 ? 'step' : 'jump';

/** The page at its goal, or the events to fetch first. */
type Journey = { page: PageState } | { missing: Missing; step: number };

/** Moves the cursor. Pure; the same call is made again when the missing events are there. */
export function travel(page: PageState, goal: Goal, manner: Manner): Journey {
  const { timeline } = historyOf(page);
  const from = placeOf(page);
  const target = resolve(page, timeline, from, goal);
  if ('missing' in target) return { missing: target.missing, step: from.step };
  const { place } = target;
  const missing = missingFor(timeline, place);
  if (missing) return { missing, step: place.step };
  // The cursor is before the details of the last step only on a walk through them.
  const before = goal.to === 'walk' && (goal.count < 0 || goal.grain === 'detail');
  const isEnd = place.step >= timeline.last && place.detail === 0 && !before;
  return { page: arrive(page, from, isEnd ? endOfTime(timeline) : place, manner) };
}

/**
 * The page at the nearest state that is held, while the step itself is fetched; `null` where nothing must be fetched, or
 * no held state is near.
 */
export function glimpse(page: PageState, goal: Goal): PageState | null {
  if (goal.to !== 'step') return null;
  const journey = travel(page, goal, 'scrub');
  if ('page' in journey) return null;
  const near = checkpointNear(historyOf(page).timeline, journey.step);
  return near === null ? null : arrive(page, placeOf(page), { step: near, detail: 0 }, 'scrub');
}

function resolve(page: PageState, timeline: Timeline, from: Place, goal: Goal): Walk {
  switch (goal.to) {
    case 'now':
      return { place: endOfTime(timeline) };
    case 'step': {
      const step = Math.min(Math.max(Math.round(goal.step), 1), Math.max(timeline.last, 1));
      return { place: { step, detail: goal.detail ?? 0 } };
    }
    case 'walk':
      return walk(timeline, from, goal.grain, goal.count);
    case 'over':
      return stepOver(timeline, from.step);
    case 'out':
      return stepOut(timeline, from.step);
    case 'mark': {
      const marks = marksOf(historyOf(page).marks, bookmarksOf(page));
      const mark = nextMark(marks, from.step, goal.direction);
      const end = goal.direction > 0 ? timeline.last : 1;
      return { place: { step: mark?.step ?? end, detail: 0 } };
    }
  }
}

function missingFor(timeline: Timeline, { step }: Place): Missing | null {
  if (timeline.last === 0 || step === timeline.last) return null;
  if (eventAt(timeline, step) && snapshotAt(timeline, step)) return null;
  return missingAt(timeline, step);
}

function cameFrom(from: Place, place: Place, manner: Manner): Came {
  if (manner !== 'step') return { from: place.step };
  const isBack = place.step < from.step || (place.step === from.step && place.detail < from.detail);
  return isBack ? { from: place.step, isBack } : { from: from.step, detail: from.detail };
}

function arrive(page: PageState, from: Place, place: Place, manner: Manner): PageState {
  const { timeline } = historyOf(page);
  const end = endOfTime(timeline);
  const isNow = place.step >= end.step && place.detail >= end.detail;
  const next = {
    ...page,
    cursor: isNow ? null : place,
    came: cameFrom(from, place, manner),
    wanted: null,
    replaying: page.replaying && !isNow,
    reading: null,
  };
  if (manner === 'scrub' || next.replaying) return next;
  return { ...next, announcement: `${isNow ? 'Now. ' : ''}${narration(next)}` };
}
