// The lessons of the library, in their order.

import { LESSONS } from './lessons.generated';
import { type Progress, unfinished } from './progress';

/** A lesson, and the number that people call it by. */
type NumberedLesson = (typeof LESSONS)[number] & { number: number };

/** The lesson that follows the one with this id; `null` after the last one, and after one that is not of the library. */
export function lessonAfter(id: string): NumberedLesson | null {
  const at = LESSONS.findIndex((lesson) => lesson.id === id);
  return at < 0 ? null : numbered(at + 1);
}

/** The lesson that was begun last and waits to be finished. */
export function lessonWaiting(progress: Progress): NumberedLesson | null {
  const id = unfinished(progress);
  return numbered(LESSONS.findIndex((lesson) => lesson.id === id));
}

function numbered(at: number): NumberedLesson | null {
  const lesson = LESSONS[at];
  return lesson ? { ...lesson, number: at + 1 } : null;
}
