import { useRef } from 'react';
import type { RecentWrites } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { useAnswer } from '../shared/useAnswer';
import { RECENT_MAX } from './scene/memory';

const QUERY = { ask: 'recent', limit: RECENT_MAX } as const;
const NONE: readonly RecentWrites[] = [];

/**
 * The newest entries of the memtables at the step on show. While the next answer is on its way, or work flows too
 * fast to read, the last one of the same database stays.
 */
export function useRecent(
  page: Pick<Page, 'branch' | 'begun' | 'busy' | 'playing' | 'replaying' | 'connection'>,
): readonly RecentWrites[] {
  const { branch, begun, busy, playing, replaying, connection } = page;
  const asks = busy === null && !playing && !replaying && connection.state === 'open';
  const answer = useAnswer(asks ? QUERY : null);
  const of = `${branch} ${begun}`;
  const last = useRef({ of, recent: NONE });
  // The answer of another branch stays until the next one comes.
  if (answer.state === 'ready' && answer.result !== last.current.recent) {
    last.current = { of, recent: answer.result };
  }
  return last.current.of === of ? last.current.recent : NONE;
}
