import type { ExplainResult } from './engine.generated';
import type { Page } from './page';
import { eraAt } from './timelineMarks';
import { count } from './words';

/** The path of a lookup, with the step that it belongs to. */
export interface ReadAnswer {
  read: ExplainResult;
  branch: number;
  /** The step on show when the question was asked about the past: it may lie inside a call. `null`: it was about now. */
  asked: number | null;
}

/** Whether an answer belongs to the state on show. */
export type ReadMoment = ReturnType<typeof readMoment>;

/**
 * Whether `answer` is about the state on show, and otherwise its own state. `when`: `Step 12`, with its branch where that is
 * another one; `step`: the one to go to, `null` where it is not on this branch; `why`: why it is not current, empty when it is.
 */
export function readMoment(
  { branch, asked, read: { step } }: ReadAnswer,
  page: Pick<Page, 'branch' | 'branches' | 'place' | 'isPast' | 'marks' | 'last'>,
) {
  const when = `Step ${count(step)}`;
  if (branch !== page.branch) {
    const name = page.branches.find(({ id }) => id === branch)?.name;
    const of = name === undefined ? 'a branch that is gone' : `branch ${name}`;
    const why = 'another branch is shown';
    return { isCurrent: false, when: `${when} of ${of}`, step: null, why };
  }
  const shown = page.place.step;
  if (shown === step) return { isCurrent: true, when, step, why: '' };
  if (page.isPast && shown === asked) {
    // The state of an engine is defined only between two calls.
    const end = `${when}, the end of the call that contains step ${count(shown)}`;
    return { isCurrent: true, when: end, step, why: '' };
  }
  const { from, to } = eraAt(page.marks, step, page.last);
  if (shown > to) {
    return { isCurrent: false, when, step, why: 'of a database that was deleted after it' };
  }
  const moved =
    shown < from
      ? 'the picture shows an earlier database, at'
      : page.isPast
        ? 'the picture shows'
        : 'the database has moved on to';
  return { isCurrent: false, when, step, why: `${moved} step ${count(shown)}` };
}
