import { AUDIENCE_SCALES, FIRST_LOOK, type Look } from '../present/look';

/** The part of a presentation that lasts when its window is loaded again. */
export interface KeptPresentation {
  id: string;
  /** When the clock began [ms since 1970]. */
  begun: number;
  look: Look;
}

const STORE = 'levelscope.presentation';

/** Reads it back; `null`: there is none. */
export function readPresentation(store: Pick<Storage, 'getItem'> | null): KeptPresentation | null {
  try {
    const kept: unknown = JSON.parse(store?.getItem(STORE) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { id, begun, look } = kept as Record<string, unknown>;
    if (typeof id !== 'string' || typeof begun !== 'number') return null;
    return { id, begun, look: lookIn(look) };
  } catch {
    return null;
  }
}

/** Remembers it as long as the window lasts, or forgets it. */
export function keepPresentation(
  store: Pick<Storage, 'setItem' | 'removeItem'> | null,
  kept: KeptPresentation | null,
): void {
  try {
    if (kept) store?.setItem(STORE, JSON.stringify(kept));
    else store?.removeItem(STORE);
  } catch {
    // Then a reload ends the presentation.
  }
}

/** Colours, size and darkness: spotlight and code belong to a moment. */
function lookIn(value: unknown): Look {
  if (typeof value !== 'object' || value === null) return FIRST_LOOK;
  const { theme, scale, black } = value as Record<string, unknown>;
  const { least, most } = AUDIENCE_SCALES;
  const fits = typeof scale === 'number' && scale >= least && scale <= most;
  return {
    ...FIRST_LOOK,
    theme: theme === 'dark' ? 'dark' : 'light',
    scale: fits ? scale : 1,
    black: black === true,
  };
}
