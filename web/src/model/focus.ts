import { crashAt } from './branchHistory';
import type { ExplainResult, JobView } from './engine.generated';
import type { PageState } from './page';
import type { Page } from './shown';

/** What the stage shows: the whole tree, a background job, or a lookup. */
export type Focus = 'levels' | 'job' | 'lookup';

/** What a person has chosen; `step`: whatever the step on show is about. */
export type FocusChoice = Focus | 'step';

/** The job that the stage can show: that of the step, or else the one that began last. */
export function jobInFocus({
  event,
  view: { jobs },
}: Pick<Page, 'event' | 'view'>): JobView | null {
  return jobs.find(({ job }) => job === event?.job) ?? jobs[jobs.length - 1] ?? null;
}

/** What the stage shows: the choice of a person where that is there to be shown, or else what the step is about. */
export function focusOf(
  page: Pick<Page, 'focus' | 'event' | 'view' | 'reading' | 'readingStop'>,
): Focus {
  const { focus, event } = page;
  const reads = lookupOnShow(page) !== null;
  const job = jobInFocus(page);
  if (focus === 'levels') return 'levels';
  if (focus === 'lookup' && reads) return 'lookup';
  if (focus === 'job' && job) return 'job';
  if (reads) return 'lookup';
  // A flush and a merge happen in the tree; only a step that judges an entry has a picture of its own.
  return event?.merge && job?.what === 'compaction' ? 'job' : 'levels';
}

/** The lookup that one walks through; `null` after its last stop, too. */
export function lookupOnShow({
  reading,
  readingStop,
}: Pick<PageState, 'reading' | 'readingStop'>): ExplainResult | null {
  return reading && readingStop < reading.stops.length ? reading : null;
}

/** The verdict that the step on show, or the stop of a lookup, tells; `null` where there is nothing to predict. */
export function verdictAt(
  page: Parameters<typeof focusOf>[0] & Pick<Page, 'place' | 'branches' | 'branch'>,
): string | null {
  const { event, reading, readingStop, place } = page;
  if (focusOf(page) === 'lookup' && reading) return `stop ${readingStop}`;
  if (crashAt(page, place.step)) return `crash ${page.branch}`;
  return event?.merge ? `entry ${place.step} ${place.detail}` : null;
}

/** Whether the verdict on show is hidden until it is revealed. */
export function isHidden(page: Parameters<typeof verdictAt>[0] & PredictState): boolean {
  if (!page.predicts) return false;
  const verdict = verdictAt(page);
  return verdict !== null && verdict !== page.revealed;
}

/** Whether the end of the lookup on the stage is not to be told yet: it follows from stops that are still hidden. */
export function isOutcomeHidden(page: Parameters<typeof verdictAt>[0] & PredictState): boolean {
  const last = (page.reading?.stops.length ?? 0) - 1;
  return page.predicts && focusOf(page) === 'lookup' && page.revealed !== `stop ${last}`;
}

type PredictState = Pick<PageState, 'predicts' | 'revealed'>;

/**
 * The same lookup, `count` stops further on or back. After its last stop come the levels, from which the way back
 * leads to that stop; `null` where time moves instead.
 */
export function walkLookup(
  { reading, readingStop, focus }: Pick<PageState, 'reading' | 'readingStop' | 'focus'>,
  count: number,
): Pick<PageState, 'readingStop' | 'focus'> | null {
  const end = reading?.stops.length ?? 0;
  if (count > 1 && readingStop < end - 1)
    return { readingStop: Math.min(readingStop + count, end - 1), focus };
  const next = Math.min(Math.max(readingStop + count, 0), end);
  if (end === 0 || next === readingStop) return null;
  return { readingStop: next, focus: next === end ? 'step' : focus };
}
