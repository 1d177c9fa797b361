import type { MenuTarget } from '../model/objectMenu';
import { fileOf, parseSelection } from '../model/selection';

/** Where a menu was asked for, and of what. */
export interface MenuPlace {
  target: MenuTarget;
  x: number;
  y: number;
}

/** Every element with a menu has one of these attributes. */
const OBJECTS = '[data-object], [data-key], [data-path], [data-o]';

/** The object or key that `element` is drawn for. */
export function targetOf(element: Element | null): { target: MenuTarget; element: Element } | null {
  const found = element?.closest<HTMLElement | SVGElement>(OBJECTS);
  if (!found) return null;
  const { object, key = null, path, o, at } = found.dataset;
  const space = found.closest<HTMLElement>('[data-file]')?.dataset;
  const offset = at ?? (o !== undefined && space?.inside === undefined ? o : undefined);
  let selection = object ?? null;
  if (selection === null && space?.file) {
    if (path !== undefined) selection = `${space.file}/${path}`;
    else if (o !== undefined) selection = byteOf(space.file, space.inside, o);
  }
  if (selection === null && key === null) return null;
  return {
    target: { selection, key, at: offset === undefined ? null : Number(offset) },
    element: found,
  };
}

function byteOf(file: string, inside: string | undefined, offset: string): string {
  return inside === undefined
    ? `${file}/bytes:${offset}-${offset}`
    : `${file}/${inside}/decoded:${offset}-${offset}`;
}

/** The focused object: the active descendant of the element in focus, or the element itself. */
export function focusedObject(): Element | null {
  const { activeElement } = document;
  const descendant = activeElement?.getAttribute('aria-activedescendant');
  const active = descendant ? document.getElementById(descendant) : null;
  return targetOf(active ?? activeElement)?.element ?? null;
}

/** Where the menu of an element opens: at its lower left corner. */
export function placeOf(element: Element): { x: number; y: number } {
  const { left, bottom, width } = element.getBoundingClientRect();
  return { x: left + Math.min(width / 2, 24), y: bottom };
}

/** The selected object, drawn or not. */
export function selectedPlace(selection: string): MenuPlace | null {
  const parsed = parseSelection(selection);
  if (!parsed) return null;
  const drawn = document.querySelector(`[data-object="${fileOf(parsed)}"]`);
  const { x, y } = drawn ? placeOf(drawn) : { x: 24, y: 80 };
  return { target: { selection, key: null, at: parsed.range?.from ?? null }, x, y };
}
