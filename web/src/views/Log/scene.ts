import type { Node, WalView } from '../../model/engine.generated';
import { count } from '../../model/words';

/** The durability of a record's bytes. */
export type Safety = 'synced' | 'written' | 'memory' | 'damaged';

/** A part of a log, to scale. */
interface LogPart {
  /** Its step in a path, `record:3`; empty for parts that are not in the file. */
  path: string;
  name: string;
  what: string;
  offset: number;
  bytes: number;
  safety: Safety;
  x: number;
  width: number;
}

/** The parts of a log, and the end of its durable part. */
export type LogScene = ReturnType<typeof logScene>;

/** The durability of a part that ends at `end`. */
function safetyOf(wal: WalView, end: number): Safety {
  if (end <= wal.syncedBytes) return 'synced';
  return end <= wal.writtenBytes ? 'written' : 'memory';
}

/** The parts of `nodes`, which are some of the log one after another, in `width` pixels. */
export function logScene(nodes: readonly Node[], wal: WalView, width: number) {
  const used = nodes.filter((node) => node.kind !== 'reserved');
  const from = used[0]?.offset ?? 0;
  const last = used[used.length - 1];
  const onDisk = last ? last.offset + last.bytes : from;
  const to = Math.max(onDisk, wal.bytes);
  const xOf = (offset: number) => (width * (offset - from)) / Math.max(to - from, 1);
  const place = (part: Omit<LogPart, 'x' | 'width'>): LogPart => ({
    ...part,
    x: xOf(part.offset),
    width: xOf(part.offset + part.bytes) - xOf(part.offset),
  });
  const parts = used.map((node) =>
    place({
      path: `${node.kind}:${node.number}`,
      name: node.name,
      what: node.value,
      offset: node.offset,
      bytes: node.bytes,
      safety: node.kind === 'damaged' ? 'damaged' : safetyOf(wal, node.offset + node.bytes),
    }),
  );
  if (to > onDisk) {
    const waiting = wal.records - wal.writtenRecords;
    parts.push(
      place({
        path: '',
        name: 'in memory',
        what: `${count(waiting)} not yet written to the file`,
        offset: onDisk,
        bytes: to - onDisk,
        safety: 'memory',
      }),
    );
  }
  // Lines between bytes of different durability.
  const boundaries: { x: number; text: string }[] = [];
  const add = (offset: number, text: string) => {
    if (offset >= from && offset < to) boundaries.push({ x: xOf(offset), text });
  };
  add(wal.syncedBytes, `synced to ${count(wal.syncedBytes)}`);
  if (wal.writtenBytes > wal.syncedBytes) {
    add(wal.writtenBytes, `written to ${count(wal.writtenBytes)}`);
  }
  return { parts, boundaries };
}
