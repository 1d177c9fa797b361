// A visitor's progress in each lesson.

import type { LessonQuestion, LessonState } from './engine.generated';
import { fieldsOf } from './kept';

/** An answer to a question, with the engine's answer. */
export interface GivenAnswer {
  /** The number of a choice or a value; empty: "I do not know". */
  given: string;
  /** The given answer in words; earlier versions did not store it. */
  said?: string;
  /** Identifies the lesson's text; earlier versions did not store it. */
  text?: number;
  /** The engine's answer, in words. */
  engine: string;
  right: boolean | null;
  /** How often it was asked again at the end of a later lesson. */
  again?: number;
}

/** A visitor's progress in a lesson. */
export interface LessonProgress {
  /** Identifies the lesson's text; in a later text a place has another meaning. */
  text: number;
  at: number;
  end: number;
  done: boolean;
  answers: Readonly<Record<string, GivenAnswer>>;
}

/** By the id of the lesson. */
export type Progress = Readonly<Record<string, LessonProgress>>;

/** Most lessons remembered. */
const LESSONS_MAX = 100;

/** The id of a lesson's progress; a lesson from a file or a link never uses one of the library. */
export function progressId({ head, kind }: Pick<LessonState, 'head' | 'kind'>): string {
  return kind === 'read' ? `file:${head.id}` : head.id;
}

/** The progress with the state of a lesson. */
export function withState(progress: Progress, lesson: LessonState): Progress {
  if (lesson.kind === 'recap') return withRecap(progress, lesson);
  const id = progressId(lesson);
  const before = progress[id];
  const known = before?.text === lesson.textHash ? before : undefined;
  // Answers to an older text stay answers to that text.
  const kept = Object.entries(before?.answers ?? {});
  const answers: Record<string, GivenAnswer> = Object.fromEntries(
    kept.map(([name, answer]) => [name, { ...answer, text: answer.text ?? before?.text ?? 0 }]),
  );
  for (const { what: part } of lesson.items) {
    if (part.is !== 'ask' || part.given === null || part.revealed === null) continue;
    answers[part.name] = answerTo(part, part.revealed, lesson.textHash);
  }
  const done = lesson.waits.until === 'over' || known?.done === true;
  const now = { text: lesson.textHash, at: lesson.at, end: lesson.end, done, answers };
  const others = Object.entries(progress).filter(([other]) => other !== id);
  return Object.fromEntries([...others.slice(-(LESSONS_MAX - 1)), [id, now]]);
}

/** The progress with an answer to a repeated question; the place in the lesson stays. */
function withRecap(progress: Progress, { head, items, textHash, waits }: LessonState): Progress {
  const before = progress[head.id];
  const part = items.map(({ what }) => what).find((what) => what.is === 'ask');
  if (!before || part?.is !== 'ask' || part.revealed === null || waits.until !== 'over')
    return progress;
  const again = (before.answers[part.name]?.again ?? 0) + 1;
  const answer = { ...answerTo(part, part.revealed, textHash), again };
  const answers = { ...before.answers, [part.name]: answer };
  return { ...progress, [head.id]: { ...before, answers } };
}

/** The answer to a question of the text `text`, also in words. */
function answerTo(
  { given, choices }: LessonQuestion,
  { words: engine, right }: NonNullable<LessonQuestion['revealed']>,
  text: number,
): GivenAnswer {
  const choice = choices[Number(given) - 1];
  const said = choice ? choice.map((part) => part.text).join('') : (given ?? '');
  return { given: given ?? '', said, text, engine, right };
}

/** A question with the prediction of an earlier visit to the same text, once its answer is known again. */
export function withKept(
  question: LessonQuestion,
  textHash: number,
  lesson?: LessonProgress,
): LessonQuestion {
  const kept = lesson?.answers[question.name];
  const { given, revealed } = question;
  if (given !== null || revealed === null || kept === undefined || kept.given === '') {
    return question;
  }
  if ((kept.text ?? lesson?.text) !== textHash) return question;
  return { ...question, given: kept.given, revealed: { ...revealed, right: kept.right } };
}

/** The progress without a lesson. */
export function withoutLesson(progress: Progress, id: string): Progress {
  return Object.fromEntries(Object.entries(progress).filter(([other]) => other !== id));
}

/** The lesson that was played last and is not done. */
export function unfinished(progress: Progress): string | null {
  const open = Object.entries(progress).filter(([, { done, at }]) => !done && at > 0);
  return open.at(-1)?.[0] ?? null;
}

/** Reads stored progress; unreadable parts are dropped. */
export function readProgress(kept: unknown): Progress {
  const lessons = Object.entries(fieldsOf(kept) ?? {});
  return Object.fromEntries(lessons.filter(([, each]) => isProgress(each))) as Progress;
}

function isProgress(value: unknown): value is LessonProgress {
  const { text, at, end, done, answers } = fieldsOf(value) ?? {};
  const numbers = [text, at, end].every((each) => Number.isSafeInteger(each));
  if (!numbers || typeof done !== 'boolean') return false;
  const given = fieldsOf(answers);
  return given !== null && Object.values(given).every(isAnswer);
}

function isAnswer(value: unknown): value is GivenAnswer {
  const { given, said, text, engine, right, again } = fieldsOf(value) ?? {};
  if (again !== undefined && !Number.isSafeInteger(again)) return false;
  if (said !== undefined && typeof said !== 'string') return false;
  if (text !== undefined && !Number.isSafeInteger(text)) return false;
  const judged = right === null || typeof right === 'boolean';
  return typeof given === 'string' && typeof engine === 'string' && judged;
}
