import type { BranchState, WireEvent } from '../engine/protocol';
import type { View } from './engine.generated';
import { append, emptyTimeline, type Timeline, upTo } from './timeline';
import { type Mark, markOf, withMarks } from './timelineMarks';

/** Everything that the page knows of one branch. */
export interface History {
  timeline: Timeline;
  /** Landmarks, by step. */
  marks: readonly Mark[];
}

/** The histories of all branches, by number. */
export type Histories = ReadonlyMap<number, History>;

/** A branch of which nothing is known but its state. */
export function historyFrom(view: View): History {
  const timeline = emptyTimeline();
  return { timeline: { ...timeline, now: { ...timeline.now, view } }, marks: [] };
}

/** The history with newer events; see {@link append}. */
export function told(history: History, events: readonly WireEvent[], view: View | null): History {
  const { last } = history.timeline;
  const marks = events.flatMap((event): Mark[] => {
    const kind = event.detail === 0 && event.step > last ? markOf(event.kind) : null;
    return kind ? [{ step: event.step, kind }] : [];
  });
  return {
    timeline: append(history.timeline, events, view),
    marks: withMarks(history.marks, marks),
  };
}

/** The history with a gap filled, landmarks included. */
export function withFilled(
  history: History,
  timeline: Timeline,
  events: readonly WireEvent[],
): History {
  const marks = events.flatMap((event): Mark[] => {
    const kind = event.detail === 0 && event.step <= timeline.last ? markOf(event.kind) : null;
    return kind ? [{ step: event.step, kind }] : [];
  });
  return { timeline, marks: withMarks(history.marks, marks) };
}

/** The histories with one for `branch`, which shares that of its parent up to where it left. */
export function withBranch(
  histories: Histories,
  branches: readonly BranchState[],
  branch: number,
  view: View,
): Histories {
  if (histories.has(branch)) return histories;
  const state = branches.find(({ id }) => id === branch);
  const parent = state?.parent ?? null;
  const shared = parent === null ? undefined : histories.get(parent);
  const next = new Map(histories);
  if (!shared || !state || state.forkedAt === null) return next.set(branch, historyFrom(view));
  const { forkedAt } = state;
  return next.set(branch, {
    timeline: upTo(shared.timeline, forkedAt),
    marks: shared.marks.filter((mark) => mark.step <= forkedAt),
  });
}
