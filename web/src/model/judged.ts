import type { MergeStep, Patch, WireEvent } from './engine.generated';
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
  /** Whether that is all of them: the events that tell it are held. */
  isKnown: boolean;
}

const NONE: Judged = { entries: [], since: 0, isKnown: true };

/** Steps and entries that are looked back through. */
const BACK_MAX = 40;
const JUDGED_MAX = 8;

/** What `job` has judged lately, up to `place`, and what has to be asked for to know it. */
export function judgedAt(
  timeline: Timeline,
  { step, detail }: Place,
  job: number | null,
): { judged: Judged; missing: Missing | null } {
  if (job === null) return { judged: NONE, missing: null };
  const entries: MergeEvent[] = [];
  let since = 0;
  let isCounted = false;
  let missing = null as Missing | null;
  for (let at = step; at > Math.max(step - BACK_MAX, 0); at -= 1) {
    const event = eventAt(timeline, at);
    if (!event) {
      missing ??= missingAt(timeline, at);
      break;
    }
    // The details of a step come after its event; those of the newest one are not over.
    const isAfter = at < step || detail > 0 || step === timeline.last;
    if (isAfter && !isDetailedAt(timeline, at)) {
      missing = { from: at, to: missing?.to ?? at, details: true };
    }
    const judged = detailsAt(timeline, at)
      .flatMap(mergeOf)
      .filter((known) => known.job === job && (at < step || known.detail <= detail));
    entries.unshift(...judged);
    // The view counts batch by batch, and a table may be created within one.
    if (!isCounted) since += judged.length;
    isCounted ||= event.patches.some((patch) => counts(patch, job));
    if ((isCounted && entries.length >= JUDGED_MAX) || begunBy(event)?.job === job) break;
  }
  return { judged: { entries, since, isKnown: missing === null }, missing };
}

/** Whether `patch` says how many entries `job` has read. */
function counts(patch: Patch, job: number): boolean {
  if (patch.of !== 'job') return false;
  const { edit } = patch;
  if ('add' in edit) return edit.add.job === job;
  return 'change' in edit && edit.change[0] === job && edit.change[1].entriesDone !== undefined;
}
