/** Running lines, and the results that the page keeps. */

import { compared } from './comparison';
import type { Answer, Answers, Failure, LabReport } from './engine.generated';
import { historyOf, narration, type PageState } from './page';
import { eventAt } from './timeline';
import { endOfTime } from './timelineWalk';
import { afterFailure } from './unopened';

/** A line begins to run. */
export function commandBegins(page: PageState, label: string): PageState {
  const isNow = page.cursor === null;
  const { timeline } = historyOf(page);
  return {
    ...page,
    busy: { label, done: 0, total: null },
    came: isNow ? { from: timeline.last, detail: endOfTime(timeline).detail } : page.came,
    reading: null,
    announcement: '',
  };
}

/** A line has run; the inspector may show one of its answers. */
export function commandEnds(
  page: PageState,
  answers: readonly Answer[],
  failure: Failure | null = null,
): PageState {
  const last = answers.at(-1);
  const reading = last?.kind === 'explain' ? last.value : null;
  const read = answersOf(answers, 'explain').at(-1);
  const follow = answersOf(answers, 'follow').at(-1);
  const followed = follow ? follow.key : page.followed;
  const { branch } = page;
  const asked = page.cursor?.step ?? null;
  const readPath = read ? { read, branch, asked } : page.readPath;
  // A breakpoint's announcement stays.
  const rest = { busy: null, ...afterFailure(page, failure) };
  const announcement = page.playing ? '' : page.announcement || narration({ ...page, ...rest });
  const version = page.version + 1;
  const isSeen = reading !== null || answers.some(({ kind }) => SEEN.has(kind)) || hasChanged(page);
  const found = [...answersOf(answers, 'report'), ...answersOf(answers, 'reports').flat()];
  const { reports, experiment } = reported(page, found);
  const next = {
    ...page,
    ...rest,
    readPath,
    followed,
    reading,
    readingStop: 0,
    // A lookup happens in the tree.
    opened: reading === null ? page.opened : null,
    announcement,
    version,
    told: isSeen ? page.told : version,
    reports,
    experiment,
  };
  return compared(next, answersOf(answers, 'compare').at(-1));
}

/** Answers that a view or a window shows. */
const SEEN: ReadonlySet<Answer['kind']> = new Set<Answer['kind']>([
  'compare',
  'follow',
  'report',
  'reports',
  'share',
]);

/** Whether the picture has changed since the command began. */
function hasChanged(page: PageState): boolean {
  const { timeline } = historyOf(page);
  const { last } = timeline;
  const steps = page.cursor === null ? last - page.came.from : 0;
  const event = eventAt(timeline, last);
  return steps > 1 || (steps === 1 && event !== null && event.patches.length > 0);
}

/** The answers of one kind, in their order. */
export function answersOf<Kind extends keyof Answers>(
  answers: readonly Answer[],
  kind: Kind,
): Answers[Kind][] {
  return answers.flatMap((answer) => (answer.kind === kind ? [answer.value as Answers[Kind]] : []));
}

/** The results of labs so far; the page shows the lab that was just run. */
function reported(
  page: PageState,
  found: readonly LabReport[],
): Pick<PageState, 'experiment' | 'reports'> {
  const last = found.at(-1);
  if (!last) return page;
  const reports = new Map(page.reports);
  for (const report of found) {
    const known = report.stopped ? reports.get(report.lab.id) : undefined;
    // The results of an earlier run stay.
    reports.set(report.lab.id, known ? { ...known, stopped: true } : report);
  }
  return { reports, experiment: page.experiment === null ? null : last.lab.id };
}
