import type { Answer } from '../model/engine.generated';

/** The result of a line: of several commands, the list of their results. */
export function resultOf(answers: readonly Answer[]): unknown {
  const [only, ...more] = answers;
  return more.length > 0 ? answers.map(({ value }) => value) : (only?.value ?? null);
}
