import { type RefObject, useEffect, useEffectEvent } from 'react';
import { aroundOf, openedOf } from '../../model/selection';
import type { Pointed } from './Picture';
import type { Opened } from './scene/opened';

/** Opens objects and their parts, and shows the bytes of others. */
export interface Openers {
  /** Whether the picture has an object that can be opened. */
  has(id: string): boolean;
  lookInside(id: string | null): void;
  showBytes(id: string): void;
}

/** The way into the objects of a picture, and out again. */
export interface Zoom {
  /** Returns whether it can be opened. */
  into(id: string): boolean;
  /** Returns what it has closed; `null`: nothing was open. */
  out(): string | null;
}

/** Nothing in the picture can be opened. */
export const NO_ZOOM: Zoom = { into: () => false, out: () => null };

/** So far the wheel turns for one level [px], and so long it then rests [ms]. */
const TURN = 40;
const REST_MS = 500;

/**
 * Opens a table, a memtable or a log, a part of an opened one, and the bytes of everything else in it. With Ctrl, or by a pinch, the wheel
 * over `host` opens what `hovered` names, and closes again. `views`: what opens them; `null`: nothing can be opened.
 */
export function useZoom(
  host: RefObject<HTMLElement | null>,
  opened: Opened | null,
  hovered: string | null,
  views: Openers | null,
): Zoom {
  const into = (id: string) => {
    if (!views) return false;
    const inside = openedOf(id);
    if (inside === null || !views.has(id)) return false;
    if (inside === id) views.lookInside(id);
    else views.showBytes(id);
    return true;
  };
  const out = () => {
    const path = opened?.path ?? null;
    if (path !== null) views?.lookInside(aroundOf(path));
    return path;
  };
  const turned = useEffectEvent((direction: number) => {
    if (direction > 0) return out() !== null;
    return hovered !== null && hovered !== opened?.path && into(hovered);
  });
  const isPossible = views !== null;
  useEffect(() => {
    if (!isPossible) return;
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
  }, [host, isPossible]);
  return isPossible ? { into, out } : NO_ZOOM;
}

/** The keyboard goes into an object that it has opened. */
export function useEntering(opened: Opened | null, { focused, setFocused }: Pointed) {
  const enter = useEffectEvent(() => {
    if (opened && focused === opened.path && focused === opened.object)
      setFocused(opened.items.flat()[0]?.id ?? focused);
  });
  const path = opened?.path ?? null;
  useEffect(() => {
    if (path !== null) enter();
  }, [path]);
}
