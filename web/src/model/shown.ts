import { damagesAt } from './damage';
import type { WireEvent } from './engine.generated';
import { judgedAt } from './judged';
import { historyOf, type PageState, placeOf } from './page';
import { eventAt, shownEvent, snapshotAt, type Timeline } from './timeline';
import { type Bookmark, marksOf } from './timelineMarks';
import { causes } from './timelineWalk';
import { touchedBy } from './touched';
import { unopenedText } from './unopened';
import { jobInFocus } from './verdicts';

/** The page as views see it. */
export type Page = ReturnType<typeof shown>;

/** Changes exactly when answers of the engine may: with the database, the branch and the step shown. */
export function momentOf(page: Pick<Page, 'version' | 'branch' | 'isPast' | 'place'>): string {
  const { version, branch, isPast, place } = page;
  return `${version} ${branch} ${isPast ? place.step : 'now'}`;
}

const FRESH_MAX = 8;
/** Most events that are searched for their changes. */
const LOOK_MAX = 64;

/** Remembers the last result, because most changes of the page do not change the picture. */
function lastOf<Inputs extends readonly unknown[], Result>(
  make: (...inputs: Inputs) => Result,
): (...inputs: Inputs) => Result {
  let known: { inputs: Inputs; result: Result } | null = null;
  return (...inputs) => {
    if (known && inputs.every((input, index) => Object.is(input, known?.inputs[index]))) {
      return known.result;
    }
    known = { inputs, result: make(...inputs) };
    return known.result;
  };
}

/** The database as the page shows it, computed from history and cursor. */
const shownAt = lastOf(
  (timeline: Timeline, step: number, detail: number, isPast: boolean, came: PageState['came']) => {
    const place = { step, detail };
    const { snapshot } = snapshotAt(timeline, step) ?? { snapshot: timeline.now };
    const event = shownEvent(timeline, place);
    const between = eventsBetween(timeline, came.from, step);
    const job = jobInFocus({ event, view: snapshot.view });
    const { judged, missing: unjudged } = judgedAt(timeline, place, job);
    return {
      place,
      /** The newest step of the branch. */
      last: timeline.last,
      isPast,
      ...snapshot,
      event,
      /** The verdicts of the job that the stage can show. */
      judged,
      /** The events of the other verdicts, where they are not held. */
      unjudged,
      /** Its cause, if the event is held. */
      cause: event ? (causes(timeline, event).events[0] ?? null) : null,
      ...freshAfter(between, step, event),
    };
  },
);

const marksShown = lastOf(marksOf);
const damagesShown = lastOf(damagesAt);

/** The page with what it shows. */
export function shown(page: PageState) {
  const history = historyOf(page);
  const { step, detail } = placeOf(page);
  const now = shownAt(history.timeline, step, detail, page.cursor !== null, page.came);
  const marks = marksShown(history.marks, page.bookmarks.get(page.branch) ?? NO_BOOKMARKS);
  const at = page.cursor === null ? null : step;
  const damages = damagesShown(page.branches, page.branch, at);
  /** That no database is open, and why; `null`: one is. */
  const unopened = unopenedText(page);
  return { ...page, ...now, marks, damages, unopened };
}

const NO_BOOKMARKS: readonly Bookmark[] = [];

/** The events after `from` up to `to`; `null` when they are too many or some are missing. */
function eventsBetween(timeline: Timeline, from: number, to: number): WireEvent[] | null {
  if (to - from > LOOK_MAX || to <= from) return null;
  const events: WireEvent[] = [];
  for (let step = from + 1; step <= to; step += 1) {
    const event = eventAt(timeline, step);
    if (!event) return null;
    events.push(event);
  }
  return events;
}

/**
 * The objects that stand out, because the steps from `freshFrom` to the one on show made or changed them: all objects
 * changed, if they are few; otherwise those of the last event.
 */
function freshAfter(
  between: readonly WireEvent[] | null,
  step: number,
  last: WireEvent | null,
): { fresh: ReadonlySet<string>; freshFrom: number } {
  const all = touchedBy(between ?? []);
  if (all.size > 0 && all.size <= FRESH_MAX)
    return { fresh: all, freshFrom: between?.[0]?.step ?? step };
  return { fresh: touchedBy(last ? [last] : []), freshFrom: step };
}
