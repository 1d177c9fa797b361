import type { Event } from './engine.generated';
import { eventAt, type Timeline } from './timeline';

/** How many events are looked through for [`lastTouched`]. */
const LOOK_MAX = 5000;

/** The last step up to `step` that made or changed the object `id`; `null`: none of those held did. */
export function lastTouched(timeline: Timeline, id: string, step: number): number | null {
  for (let at = step; at >= 1 && at > step - LOOK_MAX; at -= 1) {
    const event = eventAt(timeline, at);
    if (!event) return null;
    if (touched(event).includes(id)) return at;
  }
  return null;
}

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
