import type { Problem } from './lens.generated';

/** Each problem once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [nameOf(problem), problem])).values()];
}

/** Whether an answer contains a problem that is not among the `known` ones. */
export function hasNews(answer: object, known: readonly Problem[]): boolean {
  const met = 'problems' in answer ? (answer.problems as readonly Problem[]) : [];
  return distinct([...known, ...met]).length > known.length;
}

const nameOf = ({ file, offset, message }: Problem) => JSON.stringify([file, offset, message]);
