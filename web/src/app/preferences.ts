import { parseTheme, type Theme } from '../model/theme';

/** The page's own switches, as this browser remembers them. */
export interface Preferences {
  theme: Theme;
  /** Whether single-letter keys work. */
  singleKeys: boolean;
  /** Whether the plain terminal was asked for; `null`: as the device suggests. */
  plainTerminal: boolean | null;
}

const STORE = 'levelscope.preferences';

/** The browser's storage, or `null` where it is forbidden. */
export function localStore(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Reads the switches; whatever cannot be read counts as never set. */
export function loadPreferences(store: Pick<Storage, 'getItem'> | null): Preferences {
  const kept = parse(store);
  return {
    theme: parseTheme(typeof kept.theme === 'string' ? kept.theme : null),
    singleKeys: kept.singleKeys !== false,
    plainTerminal: typeof kept.plainTerminal === 'boolean' ? kept.plainTerminal : null,
  };
}

function parse(store: Pick<Storage, 'getItem'> | null): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(store?.getItem(STORE) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Remembers the switches, if the browser lets it. */
export function savePreferences(store: Pick<Storage, 'setItem'> | null, value: Preferences): void {
  try {
    store?.setItem(STORE, JSON.stringify(value));
  } catch {
    // Then they are set again next time.
  }
}
