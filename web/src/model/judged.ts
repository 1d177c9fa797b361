import type { MergeStep, Patch, WireEvent } from './engine.generated';
import { detailsAt, eventAt, type Timeline } from './timeline';
import type { Place } from './timelineWalk';

/** The verdict of a job on one entry, and the event that tells it. */
export type MergeEvent = MergeStep & Pick<WireEvent, 'detail' | 'job' | 'sentence' | 'step'>;

/** The verdict that `event` tells, if it tells one. */
export function mergeOf({ merge, detail, job, sentence, step }: WireEvent): MergeEvent[] {
  return merge ? [{ ...merge, detail, job, sentence, step }] : [];
}

/** What a job has judged lately, up to the place on show. */
export interface Judged {
  /** The entries judged last. */
  entries: readonly MergeEvent[];
  /** Entries judged since the view counted them last. */
  since: number;
}

const NONE: Judged = { entries: [], since: 0 };

/** What `job` has judged lately, up to `place`. */
export function judgedAt(timeline: Timeline, place: Place, job: number | null): Judged {
  if (job === null) return NONE;
  return { entries: judgedUpTo(timeline, place, job), since: judgedSince(timeline, place, job) };
}

/** Steps and entries that are looked back through. */
const BACK_MAX = 40;
const JUDGED_MAX = 8;

/** The entries judged last by `job`, up to the place on show. */
function judgedUpTo(
  timeline: Timeline,
  { step, detail }: Place,
  job: number,
): readonly MergeEvent[] {
  const found: MergeEvent[] = [];
  for (let at = step; at > Math.max(step - BACK_MAX, 0) && found.length < JUDGED_MAX; at -= 1) {
    const judged = detailsAt(timeline, at)
      .flatMap(mergeOf)
      // The details of a step come after its event.
      .filter((event) => event.job === job && (at < step || event.detail <= detail));
    found.unshift(...judged);
  }
  return found;
}

/**
 * Entries that `job` has judged since the view counted them last, up to the place on show: the view counts batch by
 * batch, and a table may be created within one.
 */
export function judgedSince(timeline: Timeline, { step, detail }: Place, job: number): number {
  let judged = 0;
  for (let at = step; at > Math.max(step - BACK_MAX, 0); at -= 1) {
    judged += detailsAt(timeline, at).filter(
      (event) => event.merge && event.job === job && (at < step || event.detail <= detail),
    ).length;
    if (eventAt(timeline, at)?.patches.some((patch) => counts(patch, job))) break;
  }
  return judged;
}

/** Whether `patch` says how many entries `job` has read. */
function counts(patch: Patch, job: number): boolean {
  if (patch.of !== 'job') return false;
  const { edit } = patch;
  if ('add' in edit) return edit.add.job === job;
  return 'change' in edit && edit.change[0] === job && edit.change[1].entriesDone !== undefined;
}
