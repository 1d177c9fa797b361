import type { Stall } from '../model/engine.generated';
import { counted } from '../model/words';

/** Why writes wait, as a sentence. */
export function stallText(stall: Stall): string {
  const { count, limit } = stall;
  return stall.reason === 'memtables'
    ? `${counted(count, 'immutable memtable')} of at most ${limit} wait for their flush.`
    : `L0 has ${counted(count, 'table')}; at ${limit} writes stop until a compaction is done.`;
}
