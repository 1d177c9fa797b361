import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { above } from '../../model/tree';
import { useSelection } from '../shared/contexts';
import { optionKeys } from '../shared/optionKeys';
import type { Part } from './usePlace';
import { useRowScroll } from './useRowScroll';
import type { FileTree } from './useTree';

/** [px] */
export const ROW_HEIGHT = 28;

export interface Walk {
  /** The file as a selection. */
  file: string;
  tree: FileTree;
  /** Path of the pinned node. */
  pinned: string | null;
  /** Called with the node under the pointer or the keyboard. */
  onHover?(part: Part | null, decoded?: boolean): void;
}

/** The rows of a tree on screen, the row with the keyboard focus, and what keys and pointer do with them. */
export function useWalk(host: RefObject<HTMLElement | null>, walk: Walk) {
  const { file, tree, pinned, onHover } = walk;
  const { rows, setOpen, more } = tree;
  const { select } = useSelection();
  const [focused, setFocused] = useState(0);
  const focus = Math.min(focused, Math.max(rows.length - 1, 0));
  const scroll = useRowScroll(host, rows.length, ROW_HEIGHT, focus);
  const placeOf = (path: string | null) =>
    rows.findIndex((row) => row.type === 'node' && row.path === path);
  // The row with the keyboard focus follows the pinned node.
  const at = placeOf(pinned);
  useEffect(() => {
    if (at >= 0) setFocused(at);
  }, [at]);
  const hover = (index: number) => {
    const row = rows[index];
    if (row?.type === 'node') onHover?.(row, row.decoded);
  };
  const onMove = (to: number) => {
    setFocused(to);
    hover(to);
  };
  const onChoose = (index: number) => {
    const row = rows[index];
    setFocused(index);
    if (row?.type === 'more') more(row);
    else if (row) select(`${file}/${row.path}`);
  };
  const row = rows[focus];
  const inward = () => {
    if (row?.type === 'more') more(row);
    else if (row?.open) onMove(Math.min(focus + 1, rows.length - 1));
    else if (row?.branching) setOpen(row.path, true);
  };
  const outward = () => {
    const parent = placeOf(row?.type === 'node' ? above(row.path) : (row?.path ?? null));
    if (row?.type === 'node' && row.open) setOpen(row.path, false);
    else if (parent >= 0) onMove(parent);
  };
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: focus + 1,
    ArrowUp: focus - 1,
    PageDown: focus + scroll.page,
    PageUp: focus - scroll.page,
    Home: 0,
    End: rows.length - 1,
  };
  const keys = { ArrowRight: inward, ArrowLeft: outward };
  const options = { at: focus, count: rows.length, to: (key: string) => moves[key], keys };
  const onKeyDown = (event: KeyboardEvent) => optionKeys(event, { ...options, onMove, onChoose });
  return { scroll, focus, at, hover, onChoose, onKeyDown };
}
