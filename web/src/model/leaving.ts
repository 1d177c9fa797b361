import type { PageState } from './page';

/** Losses when the page is left or loaded again. */
type Loss = 'history' | 'branches' | 'reports' | 'breakpoints' | 'a command';

/**
 * The losses of leaving. The database in the browser's files is not one, nor is what an opening alone made of it:
 * a visitor who has only looked around is not asked. A database in memory is lost with its history; beside one in files
 * the history is kept.
 */
export function losses(page: PageState): Loss[] {
  const { connection, histories, begun, branches, reports, breakpoints, busy } = page;
  const { isHistoryKept } = page;
  // Without an engine there is nothing that staying would keep.
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
