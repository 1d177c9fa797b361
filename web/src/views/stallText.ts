import type { Stall } from '../model/engine.generated';
import { counted } from '../model/words';

/** Why writes wait. */
export function stallText(stall: Stall): string {
  const { count, limit } = stall;
  return stall.reason === 'memtables'
    ? `${count} of at most ${limit} immutable memtables`
    : `L0 has ${counted(count, 'table')}, the limit is ${limit}`;
}
