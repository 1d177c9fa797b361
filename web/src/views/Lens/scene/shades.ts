import { size } from '../../../model/words';
import type { Levels, TableLine } from './answers';
import { age, percent, tombstoneShare } from './words';

/** The figure that makes tables darker. */
export interface Shade {
  of: 'level' | 'tombstones' | 'age' | 'size';
  /** Its name on a button. */
  name: string;
  /** The figure of a table in words; `null` when it is not known. */
  words(table: TableLine, extremes: Extremes): string | null;
  /** How dark it is, 0 to 1; `null` when the figure is not known. */
  darkness(table: TableLine, extremes: Extremes): number | null;
  /** The meaning of light and dark. */
  scale(extremes: Extremes): { light: string; dark: string } | null;
}

/** The extremes that tables are compared with. */
export interface Extremes {
  /** Creation time of the newest table of the picture [s]; ages are relative to it. 0: not known. */
  newest: number;
  oldest: number;
  /** Size of the largest table. */
  largest: number;
}

export function extremesOf({ levels }: Levels): Extremes {
  const found: Extremes = { newest: 0, oldest: 0, largest: 0 };
  for (const { createdSeconds, bytes } of levels.flatMap(({ tables }) => tables)) {
    found.largest = Math.max(found.largest, bytes);
    if (createdSeconds === null || createdSeconds === 0) continue;
    found.newest = Math.max(found.newest, createdSeconds);
    if (found.oldest === 0 || createdSeconds < found.oldest) found.oldest = createdSeconds;
  }
  return found;
}

const PLAIN: Shade = {
  of: 'level',
  name: 'level',
  words: () => null,
  darkness: () => null,
  scale: () => null,
};

export const SHADES: readonly Shade[] = [
  PLAIN,
  {
    of: 'tombstones',
    name: 'tombstones',
    words(table) {
      const share = tombstoneShare(table);
      return share === null ? null : `× ${percent(share)}`;
    },
    darkness: tombstoneShare,
    scale: () => ({ light: 'no entry is a tombstone', dark: 'all entries are' }),
  },
  {
    of: 'age',
    name: 'age',
    words({ createdSeconds }, { newest }) {
      if (createdSeconds === null || createdSeconds === 0) return null;
      return age(newest - createdSeconds);
    },
    darkness({ createdSeconds }, { newest, oldest }) {
      if (createdSeconds === null || createdSeconds === 0) return null;
      return newest === oldest ? 0 : (newest - createdSeconds) / (newest - oldest);
    },
    scale({ newest, oldest }) {
      if (newest === 0) return null;
      return { light: 'the newest', dark: age(newest - oldest) };
    },
  },
  {
    of: 'size',
    name: 'size',
    words: ({ bytes }) => size(bytes),
    darkness: ({ bytes }, { largest }) => Math.sqrt(bytes / Math.max(largest, 1)),
    scale: ({ largest }) => ({ light: 'small', dark: size(largest) }),
  },
];

/** The shade called `of`. */
export function shadeNamed(of: Shade['of']): Shade {
  return SHADES.find((shade) => shade.of === of) ?? PLAIN;
}
