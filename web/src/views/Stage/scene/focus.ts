import type { Scene, StageItem } from './stage';

/** The item that `key` leads to from `current`; `null` when the key does not move. */
export function moveFocus(scene: Scene, current: string | null, key: string): string | null {
  const { items } = scene;
  const at = locate(items, current);
  if (!at) return isMove(key) ? (items[0]?.[0]?.id ?? null) : null;
  const row = items[at.row] ?? [];
  switch (key) {
    case 'ArrowRight':
      return (row[at.column + 1] ?? row[at.column])?.id ?? null;
    case 'ArrowLeft':
      return (row[at.column - 1] ?? row[at.column])?.id ?? null;
    case 'Home':
      return row[0]?.id ?? null;
    case 'End':
      return row[row.length - 1]?.id ?? null;
    case 'ArrowDown':
      return nearest(items[at.row + 1], row[at.column])?.id ?? current;
    case 'ArrowUp':
      return nearest(items[at.row - 1], row[at.column])?.id ?? current;
    default:
      return null;
  }
}

function isMove(key: string): boolean {
  return /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key);
}

function locate(items: readonly StageItem[][], id: string | null) {
  for (const [row, list] of items.entries()) {
    const column = list.findIndex((item) => item.id === id);
    if (column >= 0) return { row, column };
  }
  return null;
}

function nearest(row: StageItem[] | undefined, from: StageItem | undefined): StageItem | null {
  if (!row || !from) return null;
  const middle = (item: StageItem) => item.box.x + item.box.w / 2;
  let best: StageItem | null = null;
  for (const item of row) {
    const closer =
      best && Math.abs(middle(item) - middle(from)) >= Math.abs(middle(best) - middle(from));
    if (!closer) best = item;
  }
  return best;
}
