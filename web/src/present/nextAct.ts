// The action of the key for "next" in a presented lesson. Pure.

import type { LessonQuestion, LessonState } from '../model/engine.generated';
import { questionAtHand, questionToReveal } from './lessonShown';
import { answerOf, hasCounts, NO_POLL, type Polls, pollKey } from './polls';

/** One act of the presenter. */
type Act =
  /** The hands that were counted are shown as bars. */
  | { act: 'bars'; question: LessonQuestion }
  /** The room's answer is given, so that the lesson goes on to the commands. */
  | { act: 'answer'; answer: string }
  | { act: 'reveal'; question: LessonQuestion }
  /** The lesson goes on: a line is typed, a part is read. */
  | { act: 'go on' }
  /** A task waits for commands. */
  | { act: 'wait' };

/** The act that comes next. A reveal is an act of its own: the key that runs the commands stops before it. */
export function nextAct(lesson: LessonState, polls: Polls): Act {
  const revealing = questionToReveal(lesson, polls);
  if (revealing) return { act: 'reveal', question: revealing };
  if (lesson.strayed) return { act: 'go on' };
  const { waits } = lesson;
  if (waits.until === 'done') return { act: 'wait' };
  const question = waits.until === 'answered' ? questionAtHand(lesson, polls) : null;
  if (!question) return { act: 'go on' };
  const poll = polls.get(pollKey(lesson, question.name)) ?? NO_POLL;
  if (hasCounts(poll)) return { act: 'bars', question };
  const isCounted = question.kind === 'choice';
  return { act: 'answer', answer: isCounted ? answerOf(poll) : '?' };
}

/** The next action, as the presenter reads it. */
export function nextText(lesson: LessonState, polls: Polls): string {
  const next = nextAct(lesson, polls);
  switch (next.act) {
    case 'bars':
      return 'Show the hands as bars';
    case 'answer':
      return next.answer === '?' ? 'Go on without an answer' : `Go on with answer ${next.answer}`;
    case 'reveal':
      return 'Reveal the answer';
    case 'wait':
      return 'The task: type commands in the terminal';
    case 'go on':
      return goingOn(lesson);
  }
}

function goingOn({ waits, strayed, scene, scenes }: LessonState): string {
  if (strayed) return 'Back to the lesson';
  if (waits.until === 'typed') return `Run ${waits.line}`;
  if (waits.until === 'over') return 'The lesson is over';
  const isNewScene = waits.until === 'read' && waits.scene;
  const title = isNewScene ? scenes[scene + 1]?.title.map(({ text }) => text).join('') : '';
  return title ? `The next scene: ${title}` : 'The next part of the text';
}
