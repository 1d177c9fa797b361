import type { Row } from '../../model/tree';
import { type FileTree, parentRow } from './useTree';

/** The state and the actions that the keys of a tree need. */
interface TreeKeys {
  tree: FileTree;
  /** Index of the row with the keyboard. */
  focus: number;
  /** Rows that are on screen at once. */
  page: number;
  go(index: number): void;
  onPin(path: string): void;
}

/** Handles a key; returns whether the tree uses it. */
export function actInTree(key: string, row: Row, keys: TreeKeys): boolean {
  const { tree, focus, page, go } = keys;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: focus + 1,
    ArrowUp: focus - 1,
    PageDown: focus + page,
    PageUp: focus - page,
    Home: 0,
    End: tree.rows.length - 1,
  };
  const index = to[key];
  if (index !== undefined) go(index);
  else if (key === 'ArrowRight') inward(row, keys);
  else if (key === 'ArrowLeft') outward(row, keys);
  else if (key !== 'Enter' && key !== ' ') return false;
  else if (row.type === 'more') tree.more(row);
  else keys.onPin(row.path);
  return true;
}

function inward(row: Row, { tree, focus, go }: TreeKeys): void {
  if (row.type === 'more') tree.more(row);
  else if (row.branching && !row.open) tree.setOpen(row.path, true);
  else if (row.open) go(focus + 1);
}

function outward(row: Row, { tree, go }: TreeKeys): void {
  if (row.type === 'node' && row.open) {
    tree.setOpen(row.path, false);
    return;
  }
  const parent = parentRow(tree.rows, row.type === 'node' ? row.path : `${row.path}/x`);
  if (parent >= 0) go(parent);
}
