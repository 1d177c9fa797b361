import type { OptionState } from '../model/engine.generated';
import { fieldsOf, keep, keptIn, type LineStore } from '../model/kept';

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
  const kept = keptIn(store, STORE);
  return isOpening(kept) ? kept : FIRST_OPENING;
}

function isOpening(value: unknown): value is Opening {
  const { preset, settings } = fieldsOf(value) ?? {};
  if (typeof preset !== 'string' || typeof settings !== 'object') return false;
  return Object.values(settings ?? {}).every((setting) => typeof setting === 'string');
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
  keep(store, STORE, opening);
}
