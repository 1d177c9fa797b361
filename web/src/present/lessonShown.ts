// The audience's part of a lesson: its title, and the question or the task at hand. An answer of the engine is not
// in it before the presenter reveals it. Pure.

import type { LessonQuestion, LessonState, LessonTask } from '../model/engine.generated';
import type { Polls } from './polls';
import { NO_POLL, pollKey } from './polls';

/** A lesson as the audience sees it. */
export type LessonShown = NonNullable<ReturnType<typeof lessonShown>>;

/** The question at hand: asked, or answered by the engine and still on show; `null`: there is none. */
export function questionAtHand(lesson: LessonState, polls: Polls): LessonQuestion | null {
  const last = lesson.items.findLast(({ what }) => what.is === 'ask' || what.is === 'try');
  if (last?.what.is !== 'ask') return null;
  const { revealedAt } = polls.get(pollKey(lesson, last.what.name)) ?? NO_POLL;
  // The answer stands until the lesson goes on.
  return revealedAt === null || revealedAt === lesson.at ? last.what : null;
}

/** The question whose answer the engine has given and the presenter has not. */
export function questionToReveal(lesson: LessonState, polls: Polls): LessonQuestion | null {
  const question = questionAtHand(lesson, polls);
  if (!question?.revealed) return null;
  return polls.get(pollKey(lesson, question.name))?.revealedAt == null ? question : null;
}

function taskAtHand({ items, waits }: LessonState): LessonTask | null {
  const last = items.at(-1);
  const open = items.findLast(({ what }) => what.is === 'try');
  if (open?.what.is !== 'try') return null;
  return open === last || (waits.until === 'done' && waits.name === open.what.name)
    ? open.what
    : null;
}

/** The audience's part of `lesson`. */
export function lessonShown(lesson: LessonState | null, polls: Polls) {
  if (lesson === null) return null;
  const question = questionAtHand(lesson, polls);
  const poll = (question && polls.get(pollKey(lesson, question.name))) ?? NO_POLL;
  const isRevealed = poll.revealedAt !== null;
  return {
    title: lesson.head.title,
    /** The title of its scene. */
    scene: lesson.scenes[lesson.scene]?.title ?? [],
    question: question && (isRevealed ? question : { ...question, revealed: null }),
    /** The hands counted for the question, round by round, as far as they are shown. */
    counts: poll.counts,
    /** Whether the audience discusses before it is counted again. */
    discusses: poll.discusses,
    task: taskAtHand(lesson),
  };
}
