// Names that come from outside, as they may be shown.

import { sanitize } from '../model/sanitize';
import type { LensState } from './lens';
import type { Source } from './protocol';

type OpenState = Extract<LensState, { state: 'open' }>;

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

/** The name of an open directory: that of its folder, if it has one. */
export const ownName = ({ name, folder }: Pick<OpenState, 'name' | 'folder'>): string =>
  folder === '' ? name : folder.replace(/\/$/, '');

/** A directory as the address names it: a sample, or a name and its bytes, which tell directories of one name apart. */
export function addressOf(state: LensState, source: Source | null): string | null {
  if (state.state !== 'open') return null;
  const sample = source?.kind === 'zip' ? source.sample : undefined;
  return sample ?? `${nameText(ownName(state))}~${state.overview.bytes}`;
}

/** The name in an address of an own directory; `null`: it names none. */
export const nameIn = (address: string): string | null => /^(.+)~\d+$/.exec(address)?.[1] ?? null;
