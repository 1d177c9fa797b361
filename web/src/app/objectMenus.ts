import { type RefObject, useCallback, useEffect, useState } from 'react';
import { type MenuTarget, type ObjectMenu, objectMenu } from '../model/objectMenu';
import { historyOf } from '../model/page';
import { bytesSelection, fileOf, objectOf, parseSelection } from '../model/selection';
import type { Page } from '../model/shown';
import { lastTouched } from '../model/touched';

/** Least time of a long press [ms], and most movement during it [px]. */
const LONG_PRESS_MS = 550;
const SLIP_MAX = 10;

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
) {
  const [place, setPlace] = useState<MenuPlace | null>(null);
  const close = useCallback(() => setPlace(null), []);
  /** Opens the menu of the object in focus, or else of the selected one. */
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

/** The menu of an object at the step shown; `null` for a place that has none. */
export function menuAt(page: Page, place: MenuPlace | null): ObjectMenu | null {
  if (!place) return null;
  const { step } = page.place;
  const id = objectOf(place.target.selection);
  return objectMenu(place.target, {
    view: page.view,
    step,
    isBookmarked: page.marks.some((mark) => mark.kind === 'bookmark' && mark.step === step),
    touchedAt: id === null ? null : lastTouched(historyOf(page).timeline, id, step),
  });
}

/** Where a menu was asked for, and of what. */
interface MenuPlace {
  target: MenuTarget;
  x: number;
  y: number;
}

/** Every element with a menu has one of these attributes. */
const OBJECTS = '[data-object], [data-key], [data-path], [data-o]';

/** The object or key that `element` is drawn for. */
function targetOf(element: Element | null): { target: MenuTarget; element: Element } | null {
  const found = element?.closest<HTMLElement | SVGElement>(OBJECTS);
  if (!found) return null;
  const { object, key = null, path, o, at } = found.dataset;
  const space = found.closest<HTMLElement>('[data-file]')?.dataset;
  const offset = at ?? (o !== undefined && space?.inside === undefined ? o : undefined);
  let selection = object ?? null;
  if (selection === null && space?.file) {
    if (path !== undefined) selection = `${space.file}/${path}`;
    else if (o !== undefined)
      selection = bytesSelection(space.file, space.inside ?? null, Number(o), Number(o));
  }
  if (selection === null && key === null) return null;
  return {
    target: { selection, key, at: offset === undefined ? null : Number(offset) },
    element: found,
  };
}

/** The focused object: the active descendant of the element in focus, or the element itself. */
function focusedObject(): Element | null {
  const { activeElement } = document;
  const descendant = activeElement?.getAttribute('aria-activedescendant');
  const active = descendant ? document.getElementById(descendant) : null;
  return targetOf(active ?? activeElement)?.element ?? null;
}

/** Where the menu of an element opens: at its lower left corner. */
function placeOf(element: Element): { x: number; y: number } {
  const { left, bottom, width } = element.getBoundingClientRect();
  return { x: left + Math.min(width / 2, 24), y: bottom };
}

/** The selected object, drawn or not. */
function selectedPlace(selection: string): MenuPlace | null {
  const parsed = parseSelection(selection);
  if (!parsed) return null;
  const drawn = document.querySelector(`[data-object="${fileOf(parsed)}"]`);
  const { x, y } = drawn ? placeOf(drawn) : { x: 24, y: 80 };
  return { target: { selection, key: null, at: parsed.range?.from ?? null }, x, y };
}
