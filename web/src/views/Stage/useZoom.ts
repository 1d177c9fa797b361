import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { View } from '../../model/engine.generated';
import { aroundOf, openedOf, parseSelection } from '../../model/selection';
import { useSelection, useViews } from '../shared/contexts';

/** The way into the objects of a picture, and out again. */
export interface Zoom {
  /** Returns whether it can be opened. */
  into(id: string): boolean;
  /** Returns what it has closed; `null`: nothing was open. */
  out(): string | null;
}

/** So far the wheel turns for one level [px], and so long it then rests [ms]. */
const TURN = 40;
const REST_MS = 500;

/**
 * Opens a table, a block of an opened table, and the bytes of everything else in it. With Ctrl, or by a pinch, the wheel
 * over `host` opens what `hovered` names, and closes again.
 */
export function useZoom(
  host: RefObject<HTMLElement | null>,
  view: View,
  opened: string | null,
  hovered: string | null,
): Zoom {
  const { select } = useSelection();
  const { lookInside, inspect } = useViews();
  const into = (id: string) => {
    const { kind, number } = parseSelection(id) ?? {};
    const isThere = view.levels.some(({ tables }) => tables.some(({ table }) => table === number));
    if (kind !== 'table' || !isThere) return false;
    if (openedOf(id) === id) lookInside(id);
    else {
      select(id);
      inspect(true);
    }
    return true;
  };
  const out = () => {
    if (opened !== null) lookInside(aroundOf(opened));
    return opened;
  };
  const turned = useEffectEvent((direction: number) => {
    if (direction > 0) return out() !== null;
    return hovered !== null && hovered !== opened && into(hovered);
  });
  useEffect(() => {
    const element = host.current;
    let turn = { by: 0, rests: 0 };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      if (event.timeStamp < turn.rests) return;
      turn.by += event.deltaY;
      if (Math.abs(turn.by) < TURN) return;
      const isDone = turned(turn.by);
      turn = { by: 0, rests: isDone ? event.timeStamp + REST_MS : 0 };
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [host]);
  return { into, out };
}
