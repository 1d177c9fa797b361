import { beadsOf } from './beads';
import type { Box, Span } from './geometry';
import type { Moving } from './motion';

/** The way of an object while a table or a block is opened or closed; `boxAt` is a pure function of a time. */
export interface ZoomWay {
  id: string;
  from: Box;
  to: Box;
}

/** All ways together [ms]. */
export const ZOOM_MS = 440;
/** The part of that time after which words appear. */
export const WORDS_FROM = 0.55;

/** Whether one of two pictures shows more of a table from inside than the other. */
export function isZoom(before: Moving, after: Moving): boolean {
  return before.opened?.path !== after.opened?.path;
}

/** The ways of all objects between two pictures; what is new in a table comes out of its place in it. */
export function zoomWays(before: Moving, after: Moving): ZoomWay[] {
  const old = placesOf(before);
  // A closed table comes out of what was in it.
  const isOther = before.opened?.object !== after.opened?.object;
  const closed = before.opened;
  if (closed && isOther) old.set(closed.object, closed.box);
  const carry = carrierOf(before, after, old);
  return [...placesOf(after)].map(([id, to]) => ({ id, from: old.get(id) ?? carry(id, to), to }));
}

/** Every object, entry, block and part by its name, and what lies around them. */
function placesOf({ items, opened, rows, width, height, ...scene }: Moving): Map<string, Box> {
  const objects = items.flat().filter(({ id }) => !id.includes('/'));
  const row = (id: string, { y, h }: Span) => ({ id, box: { x: 0, y, w: width, h } });
  const around = rows
    ? [
        row('water', { y: rows.durableY, h: height - rows.durableY }),
        row('durable', { y: rows.durableY, h: 0 }),
        row('wal-row', rows.wal),
        ...(rows.manifest ? [row('manifest-row', rows.manifest)] : []),
      ]
    : [];
  const inside = opened
    ? [
        { id: INSIDE, box: opened.box },
        ...(opened.strip ? [{ id: STRIP, box: opened.strip }] : []),
        ...opened.blocks,
        ...opened.blocks.flatMap(({ cells }) => cells),
        ...opened.parts,
      ]
    : [];
  const all = [...around, ...objects, ...beadsOf(scene), ...inside];
  return new Map(all.map(({ id, box }) => [id, box]));
}

/** The names of an opened table in the picture, and of its strip. */
export const INSIDE = 'inside';
export const STRIP = 'strip';

/** Where something was that had no place of its own in `before`. */
function carrierOf(before: Moving, after: Moving, old: ReadonlyMap<string, Box>) {
  const opened = after.opened?.object !== before.opened?.object ? after.opened : null;
  const origin = opened && old.get(opened.object);
  return (id: string, to: Box): Box => {
    if (!opened || !origin) return to;
    if (id === STRIP) return origin;
    const isIn = id === INSIDE || id.startsWith(`${opened.object}/`);
    return isIn ? carried(to, opened.box, origin) : to;
  };
}

/** The same place within another box. */
export function carried({ x, y, w, h }: Box, from: Box, to: Box): Box {
  const [across, down] = [to.w / Math.max(from.w, 1), to.h / Math.max(from.h, 1)];
  return {
    x: to.x + (x - from.x) * across,
    y: to.y + (y - from.y) * down,
    w: w * across,
    h: h * down,
  };
}

/** Where the object of a way is when so much of the time is over, from 0 to 1. */
export function boxAt({ from, to }: ZoomWay, time: number): Box {
  const u = Math.min(Math.max(time, 0), 1);
  const gone = u < 0.5 ? 4 * u ** 3 : 1 - (2 - 2 * u) ** 3 / 2;
  const between = (a: number, b: number) => a + (b - a) * gone;
  return {
    x: between(from.x, to.x),
    y: between(from.y, to.y),
    w: between(from.w, to.w),
    h: between(from.h, to.h),
  };
}
