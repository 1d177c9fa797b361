import type { Landmark } from './engine.generated';

/** The kind of a mark: a landmark of the engine, a breakpoint that was hit, or a bookmark. */
export type MarkKind = Landmark | 'break' | 'bookmark';

/** A landmark. */
export interface Mark {
  step: number;
  kind: MarkKind;
  /** The name that a person gave it; only bookmarks have one. */
  name?: string;
}

/** A step that a person wants to find again. It lasts as long as the history of its branch. */
export interface Bookmark {
  step: number;
  /** Empty: it has none. */
  name: string;
}

/** Most bookmarks of a branch, and most characters of a name. */
export const BOOKMARKS_MAX = 200;
export const BOOKMARK_NAME_MAX = 60;

/** Most landmarks kept; beyond it, every second common one of the older half is dropped. */
const MARKS_MAX = 4000;

/** `marks` and newer ones, by step; each step has at most one of a kind. */
export function withMarks(marks: readonly Mark[], added: readonly Mark[]): readonly Mark[] {
  if (added.length === 0) return marks;
  const last = marks[marks.length - 1]?.step ?? 0;
  const isLater = added.every((mark, index) => mark.step > (added[index - 1]?.step ?? last));
  const all = isLater ? [...marks, ...added] : distinct([...marks, ...added]);
  if (all.length <= MARKS_MAX) return all;
  const half = all.length >> 1;
  return all.filter((mark, index) => index >= half || index % 2 === 0 || !isCommon(mark.kind));
}

function isCommon(kind: MarkKind): boolean {
  return kind === 'flush' || kind === 'rotate' || kind === 'compaction' || kind === 'stall';
}

function distinct(marks: Mark[]): Mark[] {
  marks.sort((a, b) => a.step - b.step || (a.kind < b.kind ? -1 : 1));
  return marks.filter((mark, index) => {
    const before = marks[index - 1];
    return before?.step !== mark.step || before.kind !== mark.kind;
  });
}

/** Landmarks and bookmarks together, by step. */
export function marksOf(marks: readonly Mark[], bookmarks: readonly Bookmark[]): readonly Mark[] {
  return withMarks(
    marks,
    bookmarks.map(({ step, name }) => ({ step, kind: 'bookmark', name })),
  );
}

/** With a bookmark at `step`, called `name`; `null` when there are too many. */
export function withBookmark(
  bookmarks: readonly Bookmark[],
  step: number,
  name: string,
): readonly Bookmark[] | null {
  const others = withoutBookmark(bookmarks, step);
  if (others.length >= BOOKMARKS_MAX) return null;
  const short = [...name.trim()].slice(0, BOOKMARK_NAME_MAX).join('');
  return [...others, { step, name: short }].sort((a, b) => a.step - b.step);
}

export function withoutBookmark(bookmarks: readonly Bookmark[], step: number): readonly Bookmark[] {
  return bookmarks.filter((known) => known.step !== step);
}

export type Era = ReturnType<typeof eraAt>;

/** The steps of the database that exists at `step` of `last` steps: a reset begins another one on the same branch. */
export function eraAt(marks: readonly Mark[], step: number, last: number) {
  const begins = marks.flatMap((mark, index) =>
    // It begins with its opening, which ends with the creation.
    mark.kind === 'creation'
      ? [marks.slice(0, index).findLast(({ kind }) => kind === 'recovery')?.step ?? mark.step]
      : [],
  );
  const from = begins.findLast((begin) => begin <= step) ?? 1;
  const next = begins.find((begin) => begin > step);
  return { from, to: next === undefined ? last : next - 1 };
}

/** The next landmark from `step` on, or the one before it; `null` at the end. */
export function nextMark(marks: readonly Mark[], step: number, direction: 1 | -1): Mark | null {
  if (direction > 0) return marks.find((mark) => mark.step > step) ?? null;
  return marks.findLast((mark) => mark.step < step) ?? null;
}
