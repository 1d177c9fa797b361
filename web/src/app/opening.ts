import type { OptionState } from '../model/engine.generated';
import type { LineStore } from '../terminal/history';

/** The options with which the database is opened. */
export interface Opening {
  preset: string;
  settings: Record<string, string>;
}

const STORE = 'levelscope.opening';

/** The first visit: everything small, and nothing happens by itself. */
export const FIRST_OPENING: Opening = { preset: 'classroom', settings: {} };

/** The options of the last visit; whatever cannot be read counts as a first visit. */
export function loadOpening(store: Pick<LineStore, 'getItem'> | null): Opening {
  try {
    const kept: unknown = JSON.parse(store?.getItem(STORE) ?? 'null');
    return isOpening(kept) ? kept : FIRST_OPENING;
  } catch {
    return FIRST_OPENING;
  }
}

function isOpening(value: unknown): value is Opening {
  if (typeof value !== 'object' || value === null) return false;
  if (!('preset' in value) || typeof value.preset !== 'string') return false;
  if (!('settings' in value) || typeof value.settings !== 'object') return false;
  return Object.values(value.settings ?? {}).every((setting) => typeof setting === 'string');
}

/** Remembers the options: a preset by its name, anything else option by option. */
export function saveOpening(
  store: LineStore | null,
  { preset, options }: { preset: string; options: readonly OptionState[] },
): void {
  const custom = preset === 'custom';
  const settings = custom
    ? Object.fromEntries(options.map((option) => [option.name, option.value]))
    : {};
  const opening: Opening = { preset: custom ? FIRST_OPENING.preset : preset, settings };
  try {
    store?.setItem(STORE, JSON.stringify(opening));
  } catch {
    // Then the next visit begins with the classroom preset.
  }
}
