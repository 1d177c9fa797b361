// Storage for the next visit, where the browser allows it.

/** The part of the browser's storage that is used. */
export type LineStore = Pick<Storage, 'getItem' | 'setItem'>;

/** A part of the browser, or `null` where it is missing or access throws. */
export function allowed<Part>(part: () => Part | undefined): Part | null {
  try {
    return part() ?? null;
  } catch {
    return null;
  }
}

/** The fields of a stored or received value; `null`: it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** The value stored by this name; `null`: none, or an unreadable one. */
export function keptIn(store: Pick<LineStore, 'getItem'> | null, name: string): unknown {
  try {
    return JSON.parse(store?.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps `value`; `false`: a full or forbidden store loses it with the page. */
export function keep(
  store: Pick<LineStore, 'setItem'> | null,
  name: string,
  value: unknown,
): boolean {
  try {
    store?.setItem(name, JSON.stringify(value));
    return store !== null;
  } catch {
    return false;
  }
}
