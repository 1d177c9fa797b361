import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import type { GridProps } from './HexGrid';
import { moveByte, type RowsShown } from './scene';

type Choice = Pick<GridProps, 'chunks' | 'cursor' | 'onCursor' | 'onPin' | 'onRange' | 'onHover'>;

/** Handlers that choose a byte or several, by keyboard and by pointer. */
export function useByteChoice(choice: Choice, rows: RowsShown) {
  const { chunks, cursor, onCursor, onPin, onRange, onHover } = choice;
  const total = chunks.total ?? 0;
  // A selection begins at the byte that was reached last without Shift.
  const anchor = useRef(cursor);
  const extending = useRef(false);
  useEffect(() => {
    if (!extending.current) anchor.current = cursor;
    extending.current = false;
  }, [cursor]);
  const rangeTo = (offset: number, from = anchor.current) =>
    onRange(Math.min(from, offset), Math.max(from, offset));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || total === 0) return;
    if (event.key === 'Enter' || event.key === ' ') {
      onPin(cursor);
    } else {
      const next = moveByte(event.key, cursor, total, rows, event.ctrlKey);
      if (next === null) return;
      extending.current = event.shiftKey && next !== cursor;
      onCursor(next);
      if (event.shiftKey) rangeTo(next);
      else onHover(chunks.leaf(next));
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const drag = useRef<number | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null || event.button !== 0) return;
    if (event.shiftKey) {
      rangeTo(offset);
      return;
    }
    drag.current = offset;
    onCursor(offset);
  };
  const onPointerOver = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null) return;
    onHover(chunks.leaf(offset));
    const from = drag.current;
    if (from !== null && event.buttons === 1 && from !== offset) rangeTo(offset, from);
  };
  const onPointerUp = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset !== null && offset === drag.current) onPin(offset);
    drag.current = null;
  };
  return { onKeyDown, onPointerDown, onPointerOver, onPointerUp };
}

function offsetOf(target: EventTarget): number | null {
  const offset = target instanceof HTMLElement ? target.dataset.o : undefined;
  return offset === undefined ? null : Number(offset);
}
