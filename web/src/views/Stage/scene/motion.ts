import { type Bead, beadsOf } from './beads';
import type { Box } from './geometry';
import { recordId } from './logs';
import type { MemoryScene } from './memory';
import type { Plumb } from './plumb';
import type { Scene } from './stage';

/** The way of an object of the picture to its place; `at` is a pure function of a time. */
export interface Way {
  id: string;
  /** From its place of before to its own [px]. */
  dx: number;
  dy: number;
  /** An entry falls when a flush or a merge carries it into another object; the line of a lookup grows; all else glides. */
  how: 'fall' | 'glide' | 'appear' | 'grow';
  /** When it begins, and how long it takes [ms]. */
  begins: number;
  lasts: number;
  /** The part of its length that a line had before. */
  had?: number;
}

/** The parts of a picture that move. */
export type Moving = Pick<Scene, 'width' | 'height' | 'items' | 'levels' | 'sweep' | 'plumb'> & {
  opened?: Scene['opened'];
  rows?: Scene['rows'];
  memory: Pick<MemoryScene, 'memtables' | 'wals'>;
};

/** Where an object is on its way, and how much of it is seen. */
interface Point {
  dx: number;
  dy: number;
  opacity: number;
  /** Part of its length. */
  length: number;
}

/** Most time of all falls of one step [ms]. */
const FALLS_MS = 900;
/** One fall: the fewer there are, the longer each [parts of the whole]. */
const ALONE = 0.62;
const CROWDED = 0.22;
/** More entries than these arrive with the last of them. */
const FALLING_MAX = 48;
const GLIDE_MS = 260;
/** More entries than these keep their places in the tables that carry them: the eye follows the tables. */
const GLIDING_MAX = 500;
const RISE_MS = 420;
const APPEAR_MS = 220;
const GROW_MS = 420;
/** Places closer than this count as equal [px]. */
const STILL = 0.5;
/** A new entry starts this far above its memtable [px]. */
const DROP = 34;
/** Parts of a fall's time until the entry is above its place, and until it hits the floor. */
const ALOFT = 0.62;
const LANDS = 0.72;
const BOUNCE = 4;

/**
 * The ways of all objects and entries whose places in `before` and `after` differ. `departed`: entries of pictures shortly
 * before, because the origin of a table becomes known later than the table.
 */
export function waysBetween(before: Moving, after: Moving, departed: readonly Bead[] = []): Way[] {
  if (before.width !== after.width || before.height !== after.height) return [];
  const objects = shiftsOf(before, after);
  const shift = new Map(objects.map((way) => [way.id, way]));
  const old = new Map(beadsOf(before).map((bead) => [bead.id, bead]));
  const byVersion = new Map<string, Bead[]>();
  for (const bead of [...departed, ...old.values()])
    byVersion.set(bead.version, [...(byVersion.get(bead.version) ?? []), bead]);
  const falls: Way[] = [];
  const others: Way[] = [];
  const glides: Way[] = [];
  for (const bead of beadsOf(after)) {
    // Its carrier moves it, too.
    const { dx, dy } = shift.get(holderOf(bead)) ?? { dx: 0, dy: 0 };
    const same = old.get(bead.id);
    if (same) {
      glides.push(...glide(wayOf(bead.id, same.box, bead.box, { dx, dy })));
      continue;
    }
    const source = sourceOf(bead, byVersion.get(bead.version) ?? []);
    if (source) {
      const way = wayOf(bead.id, source.box, bead.box, { dx, dy });
      falls.push({ ...way, how: 'fall', begins: 0, lasts: 0 });
    } else if (holderOf(bead).startsWith('memtable')) {
      falls.push(drop(bead.id));
    } else {
      others.push({ id: bead.id, dx: 0, dy: 0, how: 'appear', begins: 0, lasts: APPEAR_MS });
    }
  }
  const records = recordWays(before, after, shift);
  const written = records.filter(({ how }) => how === 'fall');
  const moved = records.filter(({ how }) => how !== 'fall');
  // A record is in the log before its entry is in the memtable.
  return [
    ...objects,
    ...(glides.length > GLIDING_MAX ? [] : glides),
    ...others,
    ...moved,
    ...timed([...written, ...falls]),
    ...linesOf(before, after),
  ];
}

/**
 * Entries of `left` that are nowhere in `after`: lost in a crash, or dropped. None while `after` has an object whose
 * entries are not known yet; too many are gone at once.
 */
export function lostOf(left: readonly Bead[], after: Moving): Bead[] {
  const tables = after.levels.flatMap((level) => level.tables);
  const isKnown =
    tables.every(({ beads }) => beads.length > 0) &&
    after.memory.memtables.every(({ beads, memtable }) => beads.length > 0 || !memtable.entries);
  if (!isKnown) return [];
  const there = new Set(beadsOf(after).map(({ version }) => version));
  const lost = left.filter(({ version }) => !there.has(version));
  return lost.length > FALLING_MAX ? [] : lost;
}

/** The line of a merge and the marks on its inputs glide from entry to entry. */
function linesOf(before: Moving, after: Moving): Way[] {
  const places = ({ sweep }: Moving) =>
    sweep?.line
      ? [
          { id: 'sweep', x: sweep.line.x },
          ...sweep.line.fronts.map(({ table, x }) => ({ id: `front-${table}`, x })),
        ]
      : [];
  const old = new Map(places(before).map(({ id, x }) => [id, x]));
  const glides = places(after).flatMap(({ id, x }) =>
    glide({ id, dx: (old.get(id) ?? x) - x, dy: 0 }),
  );
  return [...glides, ...growthOf(before.plumb, after.plumb)];
}

/** The line of a lookup grows to the stops reached, then their marks appear. */
function growthOf(before: Plumb | null, after: Plumb | null): Way[] {
  const old = before?.marks.length ?? 0;
  if (!after || after.marks.length <= old) return [];
  const had = Math.min((before?.line.h ?? 0) / Math.max(after.line.h, 1), 1);
  const still = { dx: 0, dy: 0 };
  return [
    { id: 'plumb', ...still, how: 'grow', begins: 0, lasts: GROW_MS, had },
    ...after.marks
      .slice(old)
      .map(({ id }): Way => ({ id, ...still, how: 'appear', begins: GROW_MS, lasts: APPEAR_MS })),
  ];
}

/**
 * The same after a step back: entries rise to the object that a flush or a merge took them from; removed objects are not
 * drawn.
 */
export function waysBack(before: Moving, after: Moving): Way[] {
  const versions = new Set(beadsOf(before).map(({ version }) => version));
  const rises = ({ how, id }: Way) => how === 'fall' && versions.has(id.slice(id.indexOf('/') + 1));
  return waysBetween(before, after)
    .filter((way) => way.how === 'glide' || rises(way))
    .map((way) => ({
      ...way,
      how: 'glide',
      begins: 0,
      lasts: way.how === 'fall' ? RISE_MS : way.lasts,
    }));
}

/** Records of the logs: a new one falls to the end of its log, and goes deeper when it is synced. */
function recordWays(before: Moving, after: Moving, shift: ReadonlyMap<string, Way>): Way[] {
  const recordsOf = ({ memory }: Moving) =>
    memory.wals.flatMap(({ id: wal, ticks, box: { h } }) =>
      ticks.flatMap(({ x, y, w, record }) =>
        record === null ? [] : { wal, id: recordId(wal, record), box: { x, y, w, h } },
      ),
    );
  const old = new Map(recordsOf(before).map(({ id, box }) => [id, box]));
  const wals = new Set(before.memory.wals.map(({ id }) => id));
  return recordsOf(after).flatMap(({ wal, id, box }): Way[] => {
    const from = old.get(id);
    if (!from) return wals.has(wal) ? [drop(id)] : [];
    return glide(wayOf(id, from, box, shift.get(wal) ?? { dx: 0, dy: 0 }));
  });
}

/** From left to right; three falls take as long as three hundred. */
function timed(falls: readonly Way[]): Way[] {
  const count = Math.min(falls.length, FALLING_MAX);
  const part = Math.max(CROWDED, ALONE - 0.025 * count);
  const lasts = FALLS_MS * part;
  const pause = count > 1 ? (FALLS_MS - lasts) / (count - 1) : 0;
  return falls.map((fall, index) => ({
    ...fall,
    begins: Math.min(index, FALLING_MAX - 1) * pause,
    lasts,
  }));
}

/** The lowest earlier place of its version above it; else any. */
function sourceOf(bead: Bead, places: readonly Bead[]): Bead | undefined {
  const above = places.filter(({ box }) => box.y < bead.box.y);
  const lowest = above.toSorted((a, b) => b.box.y - a.box.y)[0];
  return lowest ?? places[0];
}

function wayOf(id: string, from: Box, to: Box, carried: { dx: number; dy: number }) {
  return { id, dx: from.x - to.x - carried.dx, dy: from.y - to.y - carried.dy };
}

const isMoved = ({ dx, dy }: { dx: number; dy: number }) =>
  Math.abs(dx) > STILL || Math.abs(dy) > STILL;

/** A glide along a way, unless it leads nowhere. */
const glide = (way: ReturnType<typeof wayOf>): Way[] =>
  isMoved(way) ? [{ ...way, how: 'glide', begins: 0, lasts: GLIDE_MS }] : [];

/** The fall of a new entry from above its object. */
const drop = (id: string): Way => ({ id, dx: 0, dy: -DROP, how: 'fall', begins: 0, lasts: 0 });

const holderOf = ({ id, version }: Bead) => id.slice(0, id.length - version.length - 1);

/** The objects that are in both pictures, at different places; a table at work grows instead. */
function shiftsOf(before: Moving, after: Moving): Way[] {
  const places = new Map(before.items.flat().map(({ id, box }) => [id, box]));
  const atWork = new Set(
    [before, after].flatMap(({ levels }) =>
      levels.flatMap(({ tables }) =>
        tables.flatMap(({ id, role }) => (role === 'output' ? id : [])),
      ),
    ),
  );
  return after.items.flat().flatMap(({ id, box }): Way[] => {
    const old = atWork.has(id) ? undefined : places.get(id);
    return old ? glide(wayOf(id, old, box, { dx: 0, dy: 0 })) : [];
  });
}

/** Where the object of `way` is `time` after the step [ms]: at the end at its own place, before and after at rest. */
export function pointAt({ dx, dy, how, begins, lasts, had = 0 }: Way, time: number): Point {
  const u = Math.min(Math.max((time - begins) / lasts, 0), 1);
  const still = { dx: 0, dy: 0, opacity: 1, length: 1 };
  if (how === 'appear') return { ...still, opacity: u };
  if (how === 'grow') return { ...still, length: had + (1 - had) * (1 - (1 - u) ** 2) };
  if (how === 'glide') {
    const left = (1 - u) ** 3;
    return { ...still, dx: dx * left, dy: dy * left };
  }
  const aside = u < ALOFT ? (1 - u / ALOFT) ** 3 : 0;
  const fallen = u < LANDS ? (u / LANDS) ** 2 : 1 - bounce((u - LANDS) / (1 - LANDS), dy);
  return { ...still, dx: dx * aside, dy: dy * (1 - fallen) };
}

/** The part of the way that an entry springs back. */
function bounce(u: number, dy: number): number {
  return (Math.sin(Math.PI * u) * Math.min(BOUNCE, Math.abs(dy) / 4)) / Math.max(Math.abs(dy), 1);
}
