import type { ShownKey } from '../../../model/engine.generated';
import { keyId } from '../../../model/keys';
import type { KeyAxis } from './axis';
import { type Entry, isOlder } from './contents';
import { type Box, clamp } from './geometry';

/** An entry in a memtable or a table: its place, and the colour of its key. */
export interface Bead {
  /** The object that holds it, and its version: the same in every picture. */
  id: string;
  /** Its version alone: a flush and a merge carry it from one object to another. */
  version: string;
  key: ShownKey;
  box: Box;
  /** Angle of its colour. */
  hue: number;
  /** A tombstone. */
  isHollow: boolean;
  /** A newer version of its key lies beside it, or a flush has carried it away. */
  isPale: boolean;
}

interface Holder {
  beads: readonly Bead[];
}

/** All entries that a picture draws one by one. */
export function beadsOf(scene: {
  memory: { memtables: readonly Holder[] };
  levels: readonly { tables: readonly Holder[] }[];
}): Bead[] {
  const tables = scene.levels.flatMap((level) => level.tables);
  return [...scene.memory.memtables, ...tables].flatMap(({ beads }) => beads);
}

/** The bead of the newest of some versions. */
export function newestOf(beads: readonly Bead[], sequences: ReadonlySet<number>): Bead | undefined {
  const number = ({ version }: Bead) => Number(version.slice(version.lastIndexOf('@') + 1));
  return beads
    .filter((bead) => sequences.has(number(bead)))
    .toSorted((a, b) => number(b) - number(a))[0];
}

const WIDTH_MIN = 2.5;
const WIDTH_MAX = 13;
/** Distance of an older version from the newest one of its key [widths]. */
const ASIDE = 0.4;
/** Part of the room between two keys that a bead takes. */
const SHARE = 0.64;

/** The beads of `holder` on the floor of `box`; none where they would be too narrow to be seen. */
export function beadsIn(
  holder: string,
  entries: readonly Entry[],
  box: Box,
  axis: KeyAxis,
  done = 0,
): Bead[] {
  const room = axis.slot * SHARE;
  if (room < WIDTH_MIN) return [];
  const w = Math.min(room, WIDTH_MAX);
  return entries.map(({ key, sequence, entry }, index) => {
    const older = isOlder(entries, index);
    const h = older ? box.h * 0.6 : box.h;
    const last = box.x + box.w - w;
    const place = clamp(axis.x(key) - w / 2, box.x, last);
    // Beside the newer one, on the side where there is room.
    const aside = place + w * ASIDE <= last ? w * ASIDE : -w * ASIDE;
    const x = older ? place + aside : place;
    const version = `${keyId(key)}@${sequence}`;
    return {
      id: `${holder}/${version}`,
      version,
      key,
      box: { x, y: box.y + box.h - h, w, h },
      hue: axis.hue(key),
      isHollow: entry !== 'put',
      isPale: older || index < done,
    };
  });
}
