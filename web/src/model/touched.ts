import type { Event } from './engine.generated';

/** The objects that `event` made or changed, as selections. */
export function touched(event: Event): string[] {
  switch (event.kind) {
    case 'wal.create':
    case 'wal.append':
    case 'wal.write':
    case 'wal.sync':
    case 'wal.close':
      return [`wal:${event.wal}`];
    case 'memtable.insert':
    case 'flush.begin':
      return [`memtable:${event.memtable}`];
    case 'memtable.rotate':
      return [`memtable:${event.memtable}`, `memtable:${event.newMemtable}`];
    case 'flush.install':
      return event.table ? [`table:${event.table.table}`] : [];
    case 'compaction.install':
      return event.added.map((table) => `table:${table.table}`);
    case 'table.create':
    case 'table.block':
    case 'table.filter':
    case 'table.index':
    case 'table.footer':
      return [`table:${event.table}`];
    case 'table.sync':
      return [`table:${event.info.table}`];
    default:
      return [];
  }
}
