import { jobStory } from './jobStory';
import { historyOf } from './page';
import type { Page } from './shown';
import { type Missing, missingAt } from './timeline';
import { causes } from './timelineWalk';
import { isPartial } from './writing';

/** The job of the step on show, else the running job that began last. */
export function jobOnShow({ event, view: { jobs } }: Pick<Page, 'event' | 'view'>): number | null {
  return event?.job ?? jobs[jobs.length - 1]?.job ?? null;
}

/**
 * Events to fetch before the step on show can be drawn as it was when it happened: its own, its cause, the beginning of
 * its job, the parts of tables, the verdicts on entries. `null`: all are held.
 */
export function neededFor(page: Page): Missing | null {
  if (page.unjudged) return page.unjudged;
  const { timeline } = historyOf(page);
  const { event, place, view, writing } = page;
  // The present of a branch of an earlier visit has a state, and no events yet.
  const own = event === null && place.detail === 0 ? missingAt(timeline, place.step) : null;
  if (own) return own;
  if (isPartial(writing)) {
    for (const { job } of view.jobs) {
      const { missing } = jobStory(timeline, place.step, job);
      if (missing) return missing;
    }
  }
  const job = jobOnShow(page);
  const story = job === null ? null : jobStory(timeline, place.step, job).missing;
  return story ?? (event && causes(timeline, event).missing);
}
