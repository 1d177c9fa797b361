import type { Page, ReadAnswer } from './page';
import { count } from './words';

/** How an answer stands to what is shown. */
export interface ReadMoment {
  /** Whether it tells of the state that is shown. */
  isCurrent: boolean;
  /** `Step 12`, with its branch where that is another one. */
  when: string;
  /** The step to go to; `null`: it is not on this branch. */
  step: number | null;
  /** Why it is not current; empty when it is. */
  why: string;
}

/** Whether `answer` is still about what is shown, and of which state it tells otherwise. */
export function readMoment(
  { branch, step }: ReadAnswer,
  page: Pick<Page, 'branch' | 'branches' | 'place' | 'isPast'>,
): ReadMoment {
  const when = `Step ${count(step)}`;
  if (branch !== page.branch) {
    const name = page.branches.find(({ id }) => id === branch)?.name;
    const of = name === undefined ? 'a branch that is gone' : `branch ${name}`;
    return {
      isCurrent: false,
      when: `${when} of ${of}`,
      step: null,
      why: 'another branch is shown',
    };
  }
  const shown = page.place.step;
  if (shown === step) return { isCurrent: true, when, step, why: '' };
  const moved = page.isPast ? 'the picture shows' : 'the database has moved on to';
  return { isCurrent: false, when, step, why: `${moved} step ${count(shown)}` };
}
