import { crashAt } from './branchHistory';
import type { SideShown } from './comparison';
import type { ExplainResult, JobView } from './engine.generated';
import type { PageState } from './page';
import type { Page } from './shown';

/** The job that the stage shows: that of the step, else the one that began last. */
export function jobInFocus({
  event,
  view: { jobs },
}: Pick<SideShown, 'event' | 'view'>): JobView | null {
  return jobs.find(({ job }) => job === event?.job) ?? jobs[jobs.length - 1] ?? null;
}

/** The lookup on show; also `null` after its last stop. */
export function lookupOnShow({
  reading,
  readingStop,
}: Pick<PageState, 'reading' | 'readingStop'>): ExplainResult | null {
  return reading && readingStop < reading.stops.length ? reading : null;
}

/** The name of the verdict at the step on show or the stop of a lookup; `null` where there is nothing to predict. */
export function verdictAt(
  page: Pick<Page, 'reading' | 'readingStop' | 'event' | 'place' | 'branches' | 'branch'>,
): string | null {
  const { event, readingStop, place } = page;
  if (lookupOnShow(page)) return `stop ${readingStop}`;
  if (crashAt(page, place.step)) return `crash ${page.branch}`;
  return event?.merge ? `entry ${place.step} ${place.detail}` : null;
}

/** Whether the verdict on show is hidden until it is revealed. */
export function isHidden(page: Parameters<typeof verdictAt>[0] & PredictState): boolean {
  if (!page.predicts) return false;
  const verdict = verdictAt(page);
  return verdict !== null && verdict !== page.revealed;
}

/** Whether the outcome of the lookup on the stage stays hidden: it follows from stops that are still hidden. */
export function isOutcomeHidden(page: Parameters<typeof verdictAt>[0] & PredictState): boolean {
  const last = (page.reading?.stops.length ?? 0) - 1;
  return page.predicts && lookupOnShow(page) !== null && page.revealed !== `stop ${last}`;
}

/** The number of stops whose results are revealed; `null`: nothing of the lookup is hidden. */
export function revealedStops(page: Parameters<typeof isHidden>[0]): number | null {
  if (!isOutcomeHidden(page)) return null;
  return page.readingStop + (isHidden(page) ? 0 : 1);
}

type PredictState = Pick<PageState, 'predicts' | 'revealed'>;

/**
 * The lookup's stop `count` stops on or back; after the last stop, the whole lookup. `null` where time moves instead.
 */
export function walkLookup(
  { reading, readingStop }: Pick<PageState, 'reading' | 'readingStop'>,
  count: number,
): number | null {
  const end = reading?.stops.length ?? 0;
  if (count > 1 && readingStop < end - 1) return Math.min(readingStop + count, end - 1);
  const next = Math.min(Math.max(readingStop + count, 0), end);
  return next === readingStop || end === 0 ? null : next;
}
