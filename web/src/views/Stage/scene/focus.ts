import type { StageItem } from './levels';

/** The item that `key` leads to from `current`; `null` when the key does not move. */
export function moveFocus(
  { items }: { items: readonly StageItem[][] },
  current: string | null,
  key: string,
): string | null {
  const at = locate(items, current);
  if (!at) return isMove(key) ? (items[0]?.[0]?.id ?? null) : null;
  const { row, column } = at;
  const line = items[row] ?? [];
  const here = line[column];
  const to: Readonly<Record<string, StageItem | null | undefined>> = {
    ArrowRight: line[column + 1] ?? here,
    ArrowLeft: line[column - 1] ?? here,
    Home: line[0],
    End: line.at(-1),
    ArrowDown: nearest(items[row + 1], here) ?? here,
    ArrowUp: nearest(items[row - 1], here) ?? here,
  };
  return to[key]?.id ?? null;
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
