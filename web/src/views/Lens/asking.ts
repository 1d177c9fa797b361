import { createContext, useContext } from 'react';
import { createStore, type Store } from '../../model/store';
import { type Answer, useAnswer } from '../shared/useAnswer';
import type { Answers, Query } from './scene/answers';

/** A question, by its word. */
type Word = keyof Answers;

/** Asks the directory. Rejects with an `Error` that gives the reason. */
type AskDirectory = <Q extends Word>(query: Query & { ask: Q }) => Promise<Answers[Q]>;

/** The open directory, as its views need it. */
interface Directory {
  ask: AskDirectory;
  /** Whether the engine has column families: only RocksDB does. For others the page does not mention them. */
  hasFamilies: boolean;
  /** Bytes that were read for the question at work. */
  reading: Store<number>;
  /** What the picture shows from inside, such as `table:12/block:3`; `null`: the whole tree. */
  opened: string | null;
}

const context = createContext<Directory>({
  ask: () => Promise.reject(new Error('No directory is provided.')),
  hasFamilies: true,
  reading: createStore(0),
  opened: null,
});
export const DirectoryProvider = context.Provider;
export const useDirectory = () => useContext(context);

/** Most answers kept. */
const KEPT_MAX = 32;

/** Questions whose answers contain the damage that reads have met so far. */
const WITH_DAMAGE: ReadonlySet<string> = new Set(['levels', 'facts', 'report']);

/** Questions about bytes: an opened table asks so many that no other answer would stay. */
const OF_BYTES: ReadonlySet<string> = new Set(['ribbon', 'part', 'hex', 'find']);

/**
 * `ask` with a cache of its last answers: a read-only directory always gives the same answers, except for damage found
 * meanwhile. Make a new cache after a check.
 */
export function remembering(ask: (query: Query) => Promise<unknown>): AskDirectory {
  const kept = new Map<string, { word: Query['ask']; answer: Promise<unknown> }>();
  const remembered = (query: Query): Promise<unknown> => {
    if (OF_BYTES.has(query.ask)) return ask(query);
    const text = JSON.stringify(query);
    const known = kept.get(text) ?? { word: query.ask, answer: ask(query) };
    kept.delete(text);
    kept.set(text, known);
    known.answer.then(
      (answer) => {
        const met = (answer as { problems?: readonly unknown[] } | null)?.problems ?? [];
        if (query.ask === 'overview' || met.length === 0) return;
        for (const [other, { word }] of kept) {
          if (WITH_DAMAGE.has(word)) kept.delete(other);
        }
      },
      () => kept.delete(text),
    );
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
    return known.answer;
  };
  return remembered as AskDirectory;
}

/**
 * Asks whenever the question changes. `result`: the last answer, also while the next is on its way; `null` before the first.
 * `isCurrent`: it answers the current question. `failure`: why that has no answer.
 */
export function useQuery<Q extends Word>(query: (Query & { ask: Q }) | null) {
  const answer = useAnswer(query as never) as Answer<Answers[Q]> & { last: Answers[Q] | null };
  return {
    result: answer.last,
    isCurrent: answer.state === 'ready',
    failure: answer.state === 'failed' ? answer.message : null,
  };
}
