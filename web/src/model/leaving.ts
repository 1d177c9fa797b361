import type { PageState } from './page';

/** Losses when the page is left or loaded again. */
type Loss = 'history' | 'branches' | 'reports' | 'breakpoints' | 'a command';

/**
 * The losses of leaving. A database in the browser's files stays, with its history; one in memory is lost with its
 * history. The changes of an opening are no loss, so a visitor who has only looked around is not asked.
 */
export function losses(page: PageState): Loss[] {
  const { connection, histories, begun, branches, reports, breakpoints, busy } = page;
  const { isHistoryKept } = page;
  // Without an engine, staying saves nothing.
  if (connection.state !== 'open') return [];
  const last = histories.get(0)?.timeline.last ?? 0;
  const lost: [Loss, boolean][] = [
    ['history', !isHistoryKept && begun !== null && last > begun],
    ['branches', !isHistoryKept && branches.length > 1],
    ['reports', reports.size > 0],
    ['breakpoints', breakpoints.length > 0],
    ['a command', busy !== null],
  ];
  return lost.filter(([, isLost]) => isLost).map(([loss]) => loss);
}
