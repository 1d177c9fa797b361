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

/** What the strip of past events marks. */
export type Marker = 'flush' | 'compaction' | 'rotate' | 'stall' | 'failure' | null;

/** Whether `event` is a landmark of the strip. */
export function markerOf(event: Event): Marker {
  switch (event.kind) {
    case 'flush.install':
      return 'flush';
    case 'compaction.install':
      return 'compaction';
    case 'memtable.rotate':
      return 'rotate';
    case 'stall.begin':
    case 'slowdown.begin':
      return 'stall';
    case 'db.read_only':
    case 'op.failed':
    case 'job.failed':
      return 'failure';
    default:
      return null;
  }
}

/** One past event, as the strip of past events draws it. */
export interface Pulse {
  time: number;
  /** 0 small, 1 large. */
  weight: number;
  marker: Marker;
}

/** What the strip draws for `event`. */
export function pulseOf(event: Event): Pulse {
  const group = event.kind.split('.')[0];
  const weight = group === 'op' ? 0.2 : event.job === null ? 0.4 : group === 'table' ? 0.7 : 1;
  return { time: event.time, weight, marker: markerOf(event) };
}
