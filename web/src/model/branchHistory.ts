import type { BranchState, Message, PowerLoss, Sample, View, WireEvent } from './engine.generated';
import { emptyTimeline, type Timeline, timelineFrom } from './timeline';
import { append, upTo } from './timelineGrow';
import { type Mark, withMarks } from './timelineMarks';

/** Events, landmarks and figures of one branch. */
export interface History {
  timeline: Timeline;
  /** Landmarks, by step. */
  marks: readonly Mark[];
  /** Figures over time, by step. */
  samples: readonly Sample[];
}

/** Most samples kept; beyond it, every second of the older half is dropped. */
const SAMPLES_MAX = 2000;

/** The histories of all branches, by number. */
export type Histories = ReadonlyMap<number, History>;

/** A branch without events: only its state is known. */
export function historyFrom(view: View): History {
  const timeline = emptyTimeline();
  return { timeline: { ...timeline, now: { ...timeline.now, view } }, marks: [], samples: [] };
}

/** As {@link historyFrom}, after `last` steps that an earlier visit has made: their events are fetched when a view needs them. */
export function historyAfter(last: number, view: View): History {
  return { ...historyFrom(view), timeline: timelineFrom(view, last) };
}

/** The history with newer events; see {@link append}. */
export function withEvents(
  history: History,
  message: Pick<
    Extract<Message, { type: 'events' }>,
    'events' | 'detailed' | 'landmarks' | 'samples'
  >,
  view: View | null,
): History {
  return {
    timeline: append(history.timeline, message.events, view, message.detailed),
    marks: withMarks(history.marks, message.landmarks),
    samples: withSamples(history.samples, message.samples),
  };
}

function withSamples(samples: readonly Sample[], added: readonly Sample[]): readonly Sample[] {
  if (added.length === 0) return samples;
  const all = [...samples, ...added];
  if (all.length <= SAMPLES_MAX) return all;
  const half = all.length >> 1;
  return all.filter((_, index) => index >= half || index % 2 === 0);
}

/** The history with a gap filled, landmarks included. */
export function withFilled(
  history: History,
  timeline: Timeline,
  events: readonly WireEvent[],
): History {
  const known = events.filter((event) => event.detail === 0 && event.step <= timeline.last);
  const marks = known.flatMap(({ step, landmark: kind }) =>
    kind === null ? [] : [{ step, kind }],
  );
  return { ...history, timeline, marks: withMarks(history.marks, marks) };
}

/** The page's histories and bookmarks of `branches`, without those of dropped branches. */
export function kept<Marks>(
  known: { branch: number; histories: Histories; bookmarks: ReadonlyMap<number, Marks> },
  branches: readonly BranchState[],
) {
  const isThere = (id: number) => id === known.branch || branches.some((each) => each.id === id);
  const of = <Of>(all: ReadonlyMap<number, Of>): ReadonlyMap<number, Of> =>
    [...all.keys()].every(isThere) ? all : new Map([...all].filter(([id]) => isThere(id)));
  return { branches, histories: of(known.histories), bookmarks: of(known.bookmarks) };
}

/** The histories with one for `branch`, which begins with its parent's up to the fork. */
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
    samples: shared.samples.filter((sample) => sample.step <= forkedAt),
  });
}

/** A new branch begins with its parent's bookmarks of the history that they share. */
export function inherited<Mark extends { step: number }>(
  page: { branches: readonly BranchState[]; bookmarks: ReadonlyMap<number, readonly Mark[]> },
  branch: number,
): ReadonlyMap<number, readonly Mark[]> {
  const state = page.branches.find(({ id }) => id === branch);
  const { parent, forkedAt } = state ?? { parent: null, forkedAt: null };
  if (page.bookmarks.has(branch) || parent === null || forkedAt === null) return page.bookmarks;
  const shared = page.bookmarks.get(parent)?.filter(({ step }) => step <= forkedAt) ?? [];
  return new Map(page.bookmarks).set(branch, shared);
}

/** Whether `branch` is a database that has just been imported: it is new and has no parent. */
export function isArrival(
  page: { branches: readonly BranchState[]; histories: Histories },
  branch: number,
): boolean {
  const state = page.branches.find(({ id }) => id === branch);
  return state?.forkedAt === null && !page.histories.has(branch);
}

/** The branches, and the one on show. */
interface OnBranch {
  branches: readonly BranchState[];
  branch: number;
  unopened?: string | null;
}

/** The power failure that the branch on show began with, at the end of the recovery from it; `null` elsewhere. */
export function crashAt({ branches, branch }: OnBranch, step: number): PowerLoss | null {
  const crash = branches.find(({ id }) => id === branch)?.crash;
  return crash?.recovered === step ? crash : null;
}

/** The sentence of a step: its event, the losses at the end of a power-failure recovery, or that no database is open. */
export function sentenceAt(page: OnBranch, step: number, event: WireEvent | null): string | null {
  return page.unopened ?? crashAt(page, step)?.sentence ?? event?.sentence ?? null;
}
