import type { Patch, WireEvent } from '../../../model/engine.generated';
import type { Box } from './geometry';
import type { Scene } from './stage';

/** A box that shows where something went. */
export type Travel = ReturnType<typeof travel>[number];

/** The objects that `event` moved from one picture to the other. */
export function travels(
  before: Scene,
  after: Scene,
  { patches }: Pick<WireEvent, 'patches'>,
): Travel[] {
  return patches.flatMap((patch) => {
    if (patch.of === 'addTable') {
      const source = sourceOf(patch.table.table, patches);
      return source ? travel(before, after, source, `table:${patch.table.table}`) : [];
    }
    if (patch.of === 'memtable' && 'change' in patch.edit && patch.edit.change[1].immutable) {
      const memtable = `memtable:${patch.edit.change[0]}`;
      return travel(before, after, memtable, memtable);
    }
    return [];
  });
}

/** The origin of a table that enters a level: its old place, its memtable, or the first removed table. */
function sourceOf(table: number, patches: readonly Patch[]): string | null {
  const left = patches.flatMap((patch) => (patch.of === 'removeTable' ? [patch.table] : []));
  if (left.includes(table)) return `table:${table}`;
  if (left[0] !== undefined) return `table:${left[0]}`;
  for (const patch of patches) {
    if (patch.of === 'memtable' && 'remove' in patch.edit) return `memtable:${patch.edit.remove}`;
  }
  return null;
}

function travel(before: Scene, after: Scene, fromId: string, toId: string) {
  const from = boxOf(before, fromId);
  const to = boxOf(after, toId);
  const kind = fromId.startsWith('memtable') ? 'memtable' : 'table';
  return from && to ? [{ id: `${fromId}>${toId}`, from, to, kind }] : [];
}

function boxOf(scene: Scene, id: string): Box | null {
  return scene.items.flat().find((item) => item.id === id)?.box ?? null;
}

/** The objects that are in both pictures, at different places. */
export function shifts(before: Scene, after: Scene) {
  const places = new Map(before.items.flat().map(({ id, box }) => [id, box]));
  return after.items.flat().flatMap(({ id, box }) => {
    const old = places.get(id);
    if (!old) return [];
    const [dx, dy] = [old.x - box.x, old.y - box.y];
    return Math.abs(dx) > 1 || Math.abs(dy) > 1 ? [{ id, dx, dy }] : [];
  });
}
