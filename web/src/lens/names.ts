// Names that come from outside, as they may be shown.

import { sanitize } from '../model/sanitize';

/** Characters of a name that are shown, and those that its title holds. */
const SHOWN_MAX = 80;
const TITLE_MAX = 1_000;

/** A name without characters that could disguise it: these stand as their bytes. A long one is cut in the middle. */
export function nameText(name: string, most = SHOWN_MAX): string {
  // A character is at most two units, and none becomes shorter by being escaped.
  const isLong = name.length > 4 * most;
  const part = isLong ? `${name.slice(0, 2 * most)}${name.slice(-2 * most)}` : name;
  const characters = Array.from(sanitize(part));
  if (!isLong && characters.length <= most) return characters.join('');
  const end = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/** More of a name than {@link nameText} shows; `undefined`: it shows all. */
export function nameTitle(name: string): string | undefined {
  const title = nameText(name, TITLE_MAX);
  return title === nameText(name) ? undefined : title;
}
