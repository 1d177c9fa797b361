/** Lines that run, and what the page keeps of their results. */

import type { LabReport } from './engine.generated';
import { readReports } from './labs';
import { historyOf, narration, type PageState } from './page';
import { isReadPath } from './readMoment';

/** A line begins to run. */
export function commandBegins(page: PageState, label: string): PageState {
  const isNow = page.cursor === null;
  return {
    ...page,
    busy: { label, done: 0, total: null },
    came: isNow ? { from: historyOf(page).timeline.last, travels: false } : page.came,
    reading: null,
    announcement: '',
  };
}

/** A line has run; its result may be something that the inspector shows. */
export function commandEnds(page: PageState, result: unknown): PageState {
  // Of several commands there is a list of results.
  const results: unknown[] = Array.isArray(result) ? result : [result];
  const last = results.at(-1);
  const reading = isReadPath(last) ? last : null;
  const read = results.findLast(isReadPath);
  const { branch } = page;
  const asked = page.cursor?.step ?? null;
  const readPath = read ? { read, branch, asked } : page.readPath;
  // A breakpoint has said where it struck.
  const announcement = page.playing ? '' : page.announcement || narration(page);
  const version = page.version + 1;
  const { reports, experiment } = reported(page, readReports(result));
  return { ...page, busy: null, readPath, reading, announcement, version, reports, experiment };
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
