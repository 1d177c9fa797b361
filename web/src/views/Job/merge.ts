import type { MergeStep, Patch, Verdict, WireEvent } from '../../model/engine.generated';
import type { TermName } from '../../model/terms.generated';
import { detailsAt, eventAt, type Timeline } from '../../model/timeline';
import type { Place } from '../../model/timelineWalk';

/** The verdict of a job on one entry, and the event that tells it. */
export type MergeEvent = MergeStep & Pick<WireEvent, 'detail' | 'job' | 'sentence' | 'step'>;

/** The verdict that `event` tells, if it tells one. */
export function mergeOf({ merge, detail, job, sentence, step }: WireEvent): MergeEvent[] {
  return merge ? [{ ...merge, detail, job, sentence, step }] : [];
}

const REASONS: Readonly<Record<Verdict, string>> = {
  keptNewest: 'newest version',
  keptForSnapshot: 'a snapshot reads it',
  keptTombstone: 'still hides older data',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'nothing left to hide',
};

/** Whether an entry is written to the output. */
export function isKept(verdict: Verdict): boolean {
  return verdict.startsWith('kept');
}

/** Why, in a few words; the sentence of the event says it in full. */
export function reasonText(verdict: Verdict): string {
  return REASONS[verdict];
}

const TERMS_OF: Readonly<Record<Verdict, TermName>> = {
  keptNewest: 'sequence number',
  keptForSnapshot: 'snapshot',
  keptTombstone: 'tombstone',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'tombstone',
};

/** The term of the glossary that explains a verdict. */
export function termOf(verdict: Verdict): TermName {
  return TERMS_OF[verdict];
}

/** Steps and entries that are looked back through. */
const BACK_MAX = 40;
const JUDGED_MAX = 8;

/** The entries judged last by `job`, up to the place on show. */
export function judgedUpTo(
  timeline: Timeline,
  { step, detail }: Place,
  job: number | null,
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
