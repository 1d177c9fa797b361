import { useEffect, useRef, useState } from 'react';
import type { Answers, Query } from '../../model/engine.generated';
import { messageOf } from '../../model/failures';
import { type Ask, useMoment, useQuestions } from './contexts';

/** Where a question stands. */
export type Answer<Result> =
  | { state: 'none' }
  | { state: 'asking' }
  | { state: 'ready'; result: Result }
  | { state: 'failed'; message: string };

/** `last`: the last result of any question. */
type AnswerOnShow<Result> = Answer<Result> & { last: Result | null };

/** Questions of one kind are not asked more often than this [ms]. */
const PAUSE_MS = 250;
const NONE = { state: 'none', last: null } as const;

/**
 * Asks the engine, again whenever the moment changes, and keeps the last answer on show meanwhile. `moment` is
 * for answers that change at other times than the database.
 */
export function useAnswer<Q extends Query>(
  query: Q | null,
  moment?: string,
): AnswerOnShow<Answers[Q['ask']]> {
  const { ask, isSerial = false } = useQuestions();
  const shown = useMoment();
  const key = moment ?? shown;
  // Equal queries are one, even when they are two objects.
  const text = query && JSON.stringify(query);
  const [answer, setAnswer] = useState<{
    text: string | null;
    value: AnswerOnShow<Answers[Q['ask']]>;
  }>({
    text: null,
    value: NONE,
  });
  const asked = useRef(0);
  const turn = useRef({ asked: 0, answered: 0 });
  const busy = useRef(Promise.resolve());
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` means that the answer may have changed
  useEffect(() => {
    if (query === null) return;
    let isOver = false;
    const run = async () => {
      if (isOver) return;
      asked.current = performance.now();
      turn.current.asked += 1;
      const mine = turn.current.asked;
      const value = await answerOf(ask, query);
      // While moments follow fast, an answer about an earlier one is newer than the one on show.
      if (mine <= turn.current.answered) return;
      turn.current.answered = mine;
      setAnswer(({ value: { last } }) => ({
        text,
        value: { ...value, last: value.state === 'ready' ? value.result : last },
      }));
    };
    const wait = Math.max(0, asked.current + PAUSE_MS - performance.now());
    const timer = isSerial ? undefined : setTimeout(run, wait);
    if (isSerial) busy.current = busy.current.then(run);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [ask, isSerial, text, key]);
  if (text === null) return NONE;
  return answer.text === text ? answer.value : { state: 'asking', last: answer.value.last };
}

async function answerOf<Q extends Query>(ask: Ask, query: Q): Promise<Answer<Answers[Q['ask']]>> {
  try {
    return { state: 'ready', result: await ask(query) };
  } catch (error) {
    return { state: 'failed', message: messageOf(error) };
  }
}
