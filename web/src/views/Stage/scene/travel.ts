import type { Event } from '../../../model/engine.generated';
import type { Box } from './geometry';
import type { Scene } from './stage';

/** A box that shows where something went. */
export interface Travel {
  id: string;
  from: Box;
  to: Box;
  kind: 'memtable' | 'table';
}

/** What moved when `event` led from one picture to the other: provenance, nothing else. */
export function travels(before: Scene, after: Scene, event: Event): Travel[] {
  switch (event.kind) {
    case 'memtable.rotate':
      return travel(
        before,
        after,
        `memtable:${event.memtable}`,
        `memtable:${event.memtable}`,
        'memtable',
      );
    case 'flush.install':
      return event.table
        ? travel(
            before,
            after,
            `memtable:${event.memtable}`,
            `table:${event.table.table}`,
            'memtable',
          )
        : [];
    case 'compaction.install':
      return event.added.flatMap((added) => {
        const moved = event.removed.some((input) => input.table === added.table);
        const source = moved ? added.table : event.removed[0]?.table;
        return source === undefined
          ? []
          : travel(before, after, `table:${source}`, `table:${added.table}`, 'table');
      });
    default:
      return [];
  }
}

function travel(
  before: Scene,
  after: Scene,
  fromId: string,
  toId: string,
  kind: Travel['kind'],
): Travel[] {
  const from = boxOf(before, fromId);
  const to = boxOf(after, toId);
  return from && to ? [{ id: `${fromId}>${toId}`, from, to, kind }] : [];
}

function boxOf(scene: Scene, id: string): Box | null {
  return scene.items.flat().find((item) => item.id === id)?.box ?? null;
}
