import { useEffect, useState } from 'react';
import { messageOf } from '../../model/failures';
import { useDirectory } from './asking';
import type { StepLine } from './scene/answers';

export interface History {
  /** The steps from the first on, as far as they were fetched. */
  steps: readonly StepLine[];
  /** Whether `steps` is complete. */
  isWhole: boolean;
  /** Why the rest cannot be read. */
  failure: string | null;
}

/** Steps of one request: the user's questions are answered between two requests. */
const AT_ONCE = 2000;

/** Fetches all steps of the history, some thousand at a time. */
export function useHistory(count: number): History {
  const { ask } = useDirectory();
  const isEmpty = count === 0;
  const [history, setHistory] = useState<History>({ steps: [], isWhole: isEmpty, failure: null });
  useEffect(() => {
    let isOver = false;
    const fetchAll = async () => {
      let steps: StepLine[] = [];
      while (!isOver && steps.length < count) {
        const more = await ask({ ask: 'steps', from: steps.length, limit: AT_ONCE });
        if (isOver || more.length === 0) break;
        steps = [...steps, ...more];
        setHistory({ steps, isWhole: steps.length >= count, failure: null });
      }
    };
    fetchAll().catch((error: unknown) => {
      if (!isOver) setHistory((known) => ({ ...known, failure: messageOf(error) }));
    });
    return () => {
      isOver = true;
    };
  }, [ask, count]);
  return history;
}
