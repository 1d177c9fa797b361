import type { JobView, MergeStep, Verdict, WireEvent } from './engine.generated';
import { begunBy } from './jobStory';
import {
  detailsAt,
  eventAt,
  isDetailedAt,
  type Missing,
  missingAt,
  type Timeline,
} from './timeline';
import type { Place } from './timelineWalk';

/** The verdict of a job on one entry, and its event. */
export type MergeEvent = MergeStep & Pick<WireEvent, 'detail' | 'job' | 'sentence' | 'step'>;

/** The verdict in `event`, if it has one. */
export function mergeOf({ merge, detail, job, sentence, step }: WireEvent): MergeEvent[] {
  return merge ? [{ ...merge, detail, job, sentence, step }] : [];
}

/** Reasons in a few words; the event's sentence gives them in full. */
export const REASONS: Readonly<Record<Verdict, string>> = {
  keptNewest: 'newest version',
  keptForSnapshot: 'a snapshot reads it',
  keptTombstone: 'still hides older data',
  droppedShadowed: 'shadowed',
  droppedTombstone: 'nothing left to hide',
  droppedRangeDeleted: 'a range tombstone hides it',
  keptChanged: 'changed by the filter',
  keptAsTombstone: 'removed by the filter',
  droppedByFilter: 'removed by the filter',
};

/** Whether an entry is written to the output. */
export function isKept({ verdict }: Pick<MergeStep, 'verdict'>): boolean {
  return verdict.startsWith('kept');
}

/** The verdicts of a job up to the place on show. */
export interface Judged {
  job: number | null;
  /** In order; of a job with many entries, the last ones. */
  entries: readonly MergeEvent[];
  /** Whether these are all of them. */
  isWhole: boolean;
}

const NONE: Judged = { job: null, entries: [], isWhole: false };

/** Most entries of a job whose verdicts are all searched for, and most steps searched. */
const ENTRIES_MAX = 200;
const BACK_MAX = 200;

/** The verdicts of `job` up to `place`, and the events still to be fetched for them. */
export function judgedAt(
  timeline: Timeline,
  { step, detail }: Place,
  job: JobView | null,
): { judged: Judged; missing: Missing | null } {
  if (job === null || job.entriesTotal === 0) return { judged: NONE, missing: null };
  const isSmall = job.entriesTotal <= ENTRIES_MAX;
  const entries: MergeEvent[] = [];
  let missing = null as Missing | null;
  let isWhole = false;
  for (let at = step; at > Math.max(step - BACK_MAX, 0) && !isWhole; at -= 1) {
    const event = eventAt(timeline, at);
    if (!event) {
      missing ??= missingAt(timeline, at);
      break;
    }
    // The details of a step follow its event; the newest step may get more of them.
    const isAfter = at < step || detail > 0 || step === timeline.last;
    if (isAfter && !isDetailedAt(timeline, at)) {
      missing = { from: at, to: missing?.to ?? at, details: true };
    }
    const judged = detailsAt(timeline, at)
      .flatMap(mergeOf)
      .filter((known) => known.job === job.job && (at < step || known.detail <= detail));
    entries.unshift(...judged);
    isWhole = begunBy(event)?.job === job.job;
    if (!isSmall && entries.length > 0) break;
  }
  return { judged: { job: job.job, entries, isWhole: isWhole && missing === null }, missing };
}
