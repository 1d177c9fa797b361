import { type RefObject, useCallback, useEffect, useState } from 'react';
import { focusedObject, type MenuPlace, placeOf, selectedPlace, targetOf } from './menuTarget';

/** Least time of a long press [ms], and most movement during it [px]. */
const LONG_PRESS_MS = 550;
const SLIP_MAX = 10;

interface ObjectMenuState {
  place: MenuPlace | null;
  /** Opens the menu of the object in focus, or else of the selected one. */
  openHere(): void;
  close(): void;
}

function placed(
  { target, element }: NonNullable<ReturnType<typeof targetOf>>,
  at = placeOf(element),
): MenuPlace {
  return { target, ...at };
}

/** Menus of objects, within `host`: right click, long press, the menu key, or `openHere`. */
export function useObjectMenu(
  host: RefObject<HTMLElement | null>,
  selection: string | null,
  enabled: boolean,
): ObjectMenuState {
  const [place, setPlace] = useState<MenuPlace | null>(null);
  const close = useCallback(() => setPlace(null), []);
  const openHere = useCallback(() => {
    const found = targetOf(focusedObject());
    if (found) setPlace(placed(found));
    else if (selection !== null) setPlace(selectedPlace(selection));
  }, [selection]);

  useEffect(() => {
    const element = host.current;
    if (!element || !enabled) return;
    const onContextMenu = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      // The menu key names the element in focus, not the object in it that is active.
      const byKeyboard = event.button !== 2 && event.target === document.activeElement;
      const found = targetOf(byKeyboard ? focusedObject() : event.target);
      if (!found) return;
      event.preventDefault();
      setPlace(placed(found, byKeyboard ? undefined : { x: event.clientX, y: event.clientY }));
    };
    // Not every system makes a context menu of the key.
    const onKeyDown = (event: KeyboardEvent) => {
      const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
      const found = isMenuKey ? targetOf(focusedObject()) : null;
      if (!found) return;
      event.preventDefault();
      setPlace(placed(found));
    };
    const over = new AbortController();
    const { signal } = over;
    element.addEventListener('keydown', onKeyDown, { signal });
    element.addEventListener('contextmenu', onContextMenu, { signal });
    onLongPress(element, signal, (target, at) => {
      const found = targetOf(target);
      if (found) setPlace(placed(found, at));
    });
    return () => over.abort();
  }, [host, enabled]);
  return { place, openHere, close };
}

/** Not every browser makes a context menu of a long press. */
function onLongPress(
  host: HTMLElement,
  signal: AbortSignal,
  act: (target: Element, at: { x: number; y: number }) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let begun = { x: 0, y: 0 };
  const cancel = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const onDown = (event: PointerEvent) => {
    cancel();
    if (event.pointerType !== 'touch' || !(event.target instanceof Element)) return;
    const { target, clientX, clientY } = event;
    begun = { x: clientX, y: clientY };
    timer = setTimeout(() => act(target, begun), LONG_PRESS_MS);
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - begun.x, clientY - begun.y) > SLIP_MAX) cancel();
  };
  const ends = ['pointerup', 'pointercancel', 'contextmenu'] as const;
  host.addEventListener('pointerdown', onDown, { signal });
  host.addEventListener('pointermove', onMove, { signal });
  for (const end of ends) host.addEventListener(end, cancel, { signal });
  signal.addEventListener('abort', cancel);
}
