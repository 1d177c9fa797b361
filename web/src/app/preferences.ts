import { useCallback, useEffect, useState } from 'react';
import { allowed, fieldsOf, keep, keptIn } from '../model/kept';
import { parseTheme } from '../model/theme';
import { useMedia } from '../views/shared/useMedia';

/** The page's own switches, as this browser remembers them. */
export type Preferences = ReturnType<typeof loadPreferences>;

/** The least and the greatest scale, that of a lecture hall, and one step. */
export const SCALES = { least: 0.8, most: 2, hall: 1.5, step: 0.1 } as const;

const STORE = 'levelscope.preferences';

/** The browser's storage, or `null` where it is forbidden. */
export const localStore = (): Storage | null => allowed(() => window.localStorage);

/** The store that lasts as long as this window, across reloads. */
export const sessionStore = (): Storage | null => allowed(() => window.sessionStorage);

/** Reads the switches; whatever cannot be read counts as never set. */
function loadPreferences(store: Pick<Storage, 'getItem'> | null) {
  const kept = fieldsOf(keptIn(store, STORE)) ?? {};
  return {
    theme: parseTheme(typeof kept.theme === 'string' ? kept.theme : null),
    /** Whether single-letter keys work. */
    singleKeys: kept.singleKeys !== false,
    /** Whether the plain terminal was asked for; `null`: as the device suggests. */
    plainTerminal: flag(kept.plainTerminal),
    /** Size of everything on the page, relative to its design; see {@link SCALES}. */
    scale: scaleOf(kept.scale),
    /** Height of the open terminal [px]; `null`: as the window suggests. */
    terminalHeight: typeof kept.terminalHeight === 'number' ? kept.terminalHeight : null,
    /** Whether the terminal shows only its last line. */
    folded: kept.folded === true,
    /** Whether the side panel is shown; `null`: where there is room for it. */
    panel: flag(kept.panel),
  };
}

function flag(kept: unknown): boolean | null {
  return typeof kept === 'boolean' ? kept : null;
}

/** The scale nearest to `wanted`, of those that there are. */
export function scaleOf(wanted: unknown): number {
  const { least, most, step } = SCALES;
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return 1;
  return Math.round(Math.min(Math.max(wanted, least), most) / step) / Math.round(1 / step);
}

/** The window for which the scale of a lecture hall is made [px]. */
const HALL = { width: 1280, height: 720 };

type WindowSize = Pick<Window, 'innerWidth' | 'innerHeight'>;

function wantedScale(preferred: number, { innerWidth, innerHeight }: WindowSize): number {
  const larger = Math.min(innerWidth / HALL.width, innerHeight / HALL.height);
  return preferred * SCALES.hall * Math.max(larger, 1);
}

/** The narrowest page that has a whole picture beside a lesson [px]. */
const BESIDE_MIN = 1000;

/**
 * The scale in a lecture hall: a larger picture is of larger things, not of more of them. Beside a lesson it is only so
 * large that the picture is whole.
 */
export function hallScale(preferred: number, size: WindowSize, isBeside = false): number {
  const wanted = wantedScale(preferred, size);
  return scaleOf(isBeside ? Math.min(wanted, size.innerWidth / BESIDE_MIN) : wanted);
}

/** The narrowest picture that is whole [px]. */
const PICTURE_MIN = 620;

/** The scale of the audience's window: as large as it is set, as long as the picture is whole. */
export function audienceScale(preferred: number, size: WindowSize): number {
  const wanted = wantedScale(preferred, size);
  return Math.max(Math.min(wanted, size.innerWidth / PICTURE_MIN), SCALES.least);
}

/** The page's own switches, kept across visits; applies the theme to the document. */
export function usePreferences() {
  const [preferences, setPreferences] = useState(() => loadPreferences(localStore()));
  const change = useCallback((part: Partial<Preferences>) => {
    setPreferences((before) => ({ ...before, ...part }));
  }, []);
  useEffect(() => void keep(localStore(), STORE, preferences), [preferences]);
  const { theme } = preferences;
  const isDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => {
    const chosen = theme === 'system' ? (isDark ? 'dark' : 'light') : theme;
    document.documentElement.dataset.theme = chosen;
  }, [theme, isDark]);
  return { preferences, change };
}
