import { fieldsOf, keptIn, type LineStore } from '../model/kept';
import { AUDIENCE_SCALES, FIRST_LOOK, type Look } from '../present/look';

/** The part of a presentation that survives a reload of its window; `begun`: when the clock began [ms since 1970]. */
export type KeptPresentation = NonNullable<ReturnType<typeof readPresentation>>;

/** Its name in the store for the life of the window. */
export const PRESENTATION = 'levelscope.presentation';

/** Reads it back; `null`: there is none. */
export function readPresentation(store: Pick<LineStore, 'getItem'> | null) {
  const { id, begun, look } = fieldsOf(keptIn(store, PRESENTATION)) ?? {};
  if (typeof id !== 'string' || typeof begun !== 'number') return null;
  return { id, begun, look: lookIn(look) };
}

/** Colours, size and darkness; spotlight and code are not stored. */
function lookIn(value: unknown): Look {
  const { theme, scale, black } = fieldsOf(value) ?? FIRST_LOOK;
  const { least, most } = AUDIENCE_SCALES;
  const fits = typeof scale === 'number' && scale >= least && scale <= most;
  return {
    ...FIRST_LOOK,
    theme: theme === 'dark' ? 'dark' : 'light',
    scale: fits ? scale : 1,
    black: black === true,
  };
}
