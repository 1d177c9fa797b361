import { useEffect, useRef, useState } from 'react';
import { type Ask, useMoment, useQuestions } from './contexts';

/** Where a question stands. */
export type Answer<Result> =
  | { state: 'none' }
  | { state: 'asking'; old: Result | null }
  | { state: 'ready'; result: Result }
  | { state: 'failed'; message: string };

/** Questions of one kind are not asked more often than this [ms]. */
const PAUSE_MS = 250;

/**
 * Asks the engine quietly, again whenever the moment changes, and keeps the last answer on show meanwhile.
 * `read` turns a result into what is shown, or `null` when it is something else. `moment` is for answers that
 * change at other times than the database.
 */
export function useAnswer<Result>(
  command: string | null,
  read: (result: unknown) => Result | null,
  moment?: string,
): Answer<Result> {
  const { ask } = useQuestions();
  const shown = useMoment();
  const key = moment ?? shown;
  const [answer, setAnswer] = useState<{ command: string | null; value: Answer<Result> }>({
    command: null,
    value: { state: 'none' },
  });
  const asked = useRef(0);
  const reader = useRef(read);
  reader.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says that the answer may have changed
  useEffect(() => {
    if (command === null) return;
    let over = false;
    const wait = Math.max(0, asked.current + PAUSE_MS - performance.now());
    const timer = setTimeout(async () => {
      asked.current = performance.now();
      const value = await answerOf(ask, command, reader.current);
      if (!over) setAnswer({ command, value });
    }, wait);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [ask, command, key]);
  if (command === null) return { state: 'none' };
  return answer.command === command ? answer.value : { state: 'asking', old: null };
}

async function answerOf<Result>(
  ask: Ask,
  command: string,
  read: (result: unknown) => Result | null,
): Promise<Answer<Result>> {
  try {
    const { result, error } = await ask(command);
    if (error) return { state: 'failed', message: error.message };
    const value = read(result);
    return value === null
      ? { state: 'failed', message: 'The engine answered something unexpected.' }
      : { state: 'ready', result: value };
  } catch (error) {
    return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
