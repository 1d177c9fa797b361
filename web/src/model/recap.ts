// Questions of earlier lessons, asked again at the end of a later one: recalling helps more than reading once more.

import { LESSONS } from './lessons.generated';
import type { Progress } from './progress';

/** A question of a lesson. */
interface EarlierQuestion {
  /** The id of its lesson. */
  lesson: string;
  /** The number that people call the lesson by. */
  number: number;
  /** Its name in that lesson. */
  name: string;
}

/** Questions still to be repeated. */
export interface Recap {
  questions: readonly EarlierQuestion[];
  /** The id of the lesson at whose end they are asked. */
  after: string;
}

/** Questions at the end of a lesson. */
const RECAP_MAX = 2;

/**
 * The questions to repeat at the end of the lesson `id`. Questions not answered right come first, then those
 * repeated least, then the first question of each lesson, then those of earlier lessons.
 */
export function questionsAgain(progress: Progress, id: string): readonly EarlierQuestion[] {
  const end = LESSONS.findIndex((lesson) => lesson.id === id);
  const all = LESSONS.slice(0, Math.max(end, 0)).flatMap(({ id: lesson }, index) => {
    const { text, answers = {} } = progress[lesson] ?? {};
    const known = Object.entries(answers).filter(([, answer]) => (answer.text ?? text) === text);
    return known.map(([name, { right, again }], place) => ({
      lesson,
      number: index + 1,
      name,
      // The first of each lesson come before the second ones.
      rank: [right === true ? 1 : 0, again ?? 0, place, index] as const,
    }));
  });
  const sorted = all.sort((one, other) => before(one.rank, other.rank));
  const spread = sorted.filter(
    ({ lesson }, at) => sorted.findIndex((each) => each.lesson === lesson) === at,
  );
  const chosen = [...spread, ...sorted.filter((each) => !spread.includes(each))];
  return chosen.slice(0, RECAP_MAX).map(({ lesson, number, name }) => ({ lesson, number, name }));
}

function before(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
