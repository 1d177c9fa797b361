import type { Node, WalView } from '../../model/engine.generated';
import { count } from '../../model/words';

/** The durability of a record's bytes. */
export type Safety = 'synced' | 'written' | 'memory' | 'damaged';

/** A part of a log. */
export interface LogPart {
  /** Its step in a path, `record:3`; empty for parts that are not in the file. */
  path: string;
  name: string;
  what: string;
  offset: number;
  bytes: number;
  safety: Safety;
}

/** The durability of a part that ends at `end`. */
function safetyOf(wal: WalView, end: number): Safety {
  if (end <= wal.syncedBytes) return 'synced';
  return end <= wal.writtenBytes ? 'written' : 'memory';
}

/** The parts of `nodes`, which are some of the log one after another, and what is in memory only. */
export function logParts(nodes: readonly Node[], wal: WalView): LogPart[] {
  const used = nodes.filter((node) => node.kind !== 'reserved');
  const last = used[used.length - 1];
  const onDisk = last ? last.offset + last.bytes : 0;
  const parts = used.map(({ kind, number, name, value, offset, bytes }): LogPart => {
    const safety = kind === 'damaged' ? 'damaged' : safetyOf(wal, offset + bytes);
    return { path: `${kind}:${number}`, name, what: value, offset, bytes, safety };
  });
  if (wal.bytes <= onDisk) return parts;
  const what = `${count(wal.records - wal.writtenRecords)} not yet written to the file`;
  const bytes = wal.bytes - onDisk;
  return [...parts, { path: '', name: 'in memory', what, offset: onDisk, bytes, safety: 'memory' }];
}
