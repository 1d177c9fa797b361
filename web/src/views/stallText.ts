import type { Slowdown, Stall, View } from '../model/engine.generated';
import { counted, size } from '../model/words';

/** Why writes wait. */
function stallText(stall: Stall): string {
  const { count, limit } = stall;
  return stall.reason === 'memtables'
    ? `${count} of at most ${limit} immutable memtables`
    : `L0 has ${counted(count, 'table')}, the limit is ${limit}`;
}

/** Why writes slow down, and how much. */
function slowdownText({ why, pace }: Slowdown): string {
  return `${slowdownReason(why)}; for each byte written background work owes ${counted(pace, 'byte')}`;
}

function slowdownReason(why: Slowdown['why']): string {
  switch (why.reason) {
    case 'memtables':
      return `${counted(why.count, 'immutable memtable')}, slowing down begins at ${why.limit}`;
    case 'l0Tables':
      return `L0 has ${counted(why.count, 'table')}, slowing down begins at ${why.limit}`;
    case 'debt':
      return `compactions are behind by ${size(why.bytes)}, slowing down begins at ${size(why.limitBytes)}`;
  }
}

/** Whether writes wait or slow down, and why; `null` when they are free. */
export function writesText({ stall, slowdown }: View): { words: string; why: string } | null {
  if (stall) return { words: 'Writes wait', why: stallText(stall) };
  return slowdown && { words: 'Writes slow down', why: slowdownText(slowdown) };
}
