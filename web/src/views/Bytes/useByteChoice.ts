import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { optionKeys } from '../shared/optionKeys';
import { moveByte, type RowsShown } from './scene/hex';
import type { Place } from './usePlace';

/** Handlers that choose a byte or several, by keyboard and by pointer. */
export function useByteChoice(place: Place, rows: RowsShown) {
  const { chunks, cursor, setCursor, pinPath, pinRange, point } = place;
  const total = chunks.total ?? 0;
  // A selection begins at the byte that was reached last without Shift.
  const anchor = useRef(cursor);
  const extending = useRef(false);
  useEffect(() => {
    if (!extending.current) anchor.current = cursor;
    extending.current = false;
  }, [cursor]);
  const rangeTo = (offset: number, from = anchor.current) =>
    pinRange(Math.min(from, offset), Math.max(from, offset));
  const pinByte = (offset: number) => {
    const leaf = chunks.leaf(offset);
    if (leaf) pinPath(leaf.path);
  };
  const onKeyDown = (event: KeyboardEvent) =>
    optionKeys(event, {
      at: cursor,
      count: total,
      to: (key) => moveByte(key, cursor, total, rows, event.ctrlKey),
      onMove(next) {
        extending.current = event.shiftKey && next !== cursor;
        setCursor(next);
        if (event.shiftKey) rangeTo(next);
        else point(chunks.leaf(next));
      },
      onChoose: pinByte,
    });
  const drag = useRef<number | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null || event.button !== 0) return;
    if (event.shiftKey) {
      rangeTo(offset);
      return;
    }
    drag.current = offset;
    setCursor(offset);
  };
  const onPointerOver = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset === null) return;
    point(chunks.leaf(offset));
    const from = drag.current;
    if (from !== null && event.buttons === 1 && from !== offset) rangeTo(offset, from);
  };
  const onPointerUp = (event: PointerEvent) => {
    const offset = offsetOf(event.target);
    if (offset !== null && offset === drag.current) pinByte(offset);
    drag.current = null;
  };
  const onPointerLeave = () => point(null);
  return { onKeyDown, onPointerDown, onPointerOver, onPointerUp, onPointerLeave };
}

function offsetOf(target: EventTarget): number | null {
  const offset = target instanceof HTMLElement ? target.dataset.o : undefined;
  return offset === undefined ? null : Number(offset);
}
