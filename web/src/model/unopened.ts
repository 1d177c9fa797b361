// States in which the engine runs without an open database, because reopening it failed.

import { MAIN } from './arrivals';
import { wordOfName } from './commandWords';
import type { Failure } from './engine.generated';
import type { PageState } from './page';

/** Whether the database takes no writes now: every open one has an active memtable. */
function isClosed({ promised, histories, branch }: PageState): boolean {
  const timeline = histories.get(branch)?.timeline;
  if (promised !== null || !timeline || timeline.last === 0) return false;
  return timeline.now.view.memtables.every(({ immutable }) => immutable);
}

/** That no database is open, and why in the words of the engine; `null`: one is open, or the past is on show. */
export function unopenedText(page: PageState): string | null {
  const { branch, busy, connection, cursor, failedOpening } = page;
  const isAtNow = connection.state === 'open' && busy === null && cursor === null;
  if (!isAtNow || !isClosed(page)) return null;
  const why = failedOpening?.branch === branch ? ` ${failedOpening.failure.message}.` : '';
  return `No database is open.${why}`;
}

/** The page after a line that ended with `failure`: it shows why no database is open, if none is. */
export function afterFailure(
  page: PageState,
  failure: Failure | null,
): Pick<PageState, 'failedOpening'> {
  const isWhy = failure !== null && failure.kind !== 'closed' && isClosed(page);
  return { failedOpening: isWhy ? { branch: page.branch, failure } : page.failedOpening };
}

/** Commands that work without an open database, and what each does. */
export function waysOn({ branches, branch }: Pick<PageState, 'branches' | 'branch'>) {
  const own = branches.find(({ id }) => id === branch);
  const before = branches.find(({ id }) => id !== branch && id === (own?.parent ?? MAIN));
  return [
    before
      ? { line: `branch ${wordOfName(before.name)}`, does: 'Goes back to the branch before.' }
      : { line: 'options preset default', does: 'Tries to open it again.' },
    { line: 'check', does: 'Names all that is damaged.' },
  ];
}
