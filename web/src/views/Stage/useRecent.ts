import { useRef } from 'react';
import type { RecentWrites } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { useAnswer } from '../shared/useAnswer';
import { RECENT_MAX } from './scene/contents';

/** The query for the entries that the picture names. */
export const RECENT_QUERY = { ask: 'recent', limit: RECENT_MAX } as const;
const NONE: readonly RecentWrites[] = [];

/**
 * The newest entries of the memtables at the step on show. While the next answer is on its way, the last one of the same
 * database stays, but not while a long command writes newer ones.
 */
export function useRecent(
  page: Pick<Page, 'branch' | 'begun' | 'busy' | 'connection' | 'view'>,
): readonly RecentWrites[] {
  const { branch, begun, busy, connection, view } = page;
  const asks = busy === null && connection.state === 'open';
  const answer = useAnswer(asks ? RECENT_QUERY : null);
  const of = `${branch} ${begun}`;
  const last = useRef({ of, recent: NONE });
  // The answer of another branch is used until the next one arrives.
  if (answer.state === 'ready' && answer.result !== last.current.recent) {
    last.current = { of, recent: answer.result };
  }
  // Where no database is open, as in the middle of an opening, nothing is known.
  if (answer.state === 'failed') last.current = { of, recent: NONE };
  const { recent } = last.current;
  const newest = Math.max(0, ...recent.map(({ entries }) => entries[0]?.sequence ?? 0));
  const isOutrun = busy !== null && busy.done > 0 && newest < view.lastSequence;
  return last.current.of === of && !isOutrun ? recent : NONE;
}
