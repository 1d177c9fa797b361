import type { KeyAxis } from './axis';
import type { Bead } from './beads';
import { type Box, clamp, type Rows } from './geometry';
import type { LevelRow } from './levels';
import type { MemoryScene } from './memory';
import { textWidth } from './text';

/** A few words beside a line. */
export interface Tag {
  text: string;
  box: Box;
}

/** Objects and entries that words may cover. */
export interface Tree {
  rows: Rows;
  axis: KeyAxis;
  memory: MemoryScene;
  levels: readonly LevelRow[];
}

/** A mark on a line, or on a band with a width. */
interface Spot {
  x: number;
  w: number;
  y: number;
  r: number;
}

/** Between a mark and its words [px]. */
const GAP = 5;

/** The box of words with a `width`, around `middle` as far as the picture has room. */
export function wordsBox(width: number, middle: number, y: number, rows: Rows): Box {
  const { unit, left, right } = rows;
  const w = width + unit;
  return { x: clamp(middle - w / 2, left, right - w), y, w, h: unit * 1.4 };
}

/** `text` beside a mark, on the side where it covers fewer of `beads`; `null`: neither side has room for it. */
export function tagBeside(
  text: string,
  { x, w, y, r }: Spot,
  { unit, left, right }: Rows,
  beads: readonly Bead[],
): Tag | null {
  const size = { w: textWidth(text, unit) + unit, h: unit * 1.4 };
  const box = [x + w + r + GAP, x - r - GAP - size.w]
    .map((side) => ({ x: side, y: y - size.h / 2, ...size }))
    .filter((side) => side.x >= left && side.x + side.w <= right)
    .toSorted((a, b) => covered(a, beads) - covered(b, beads))[0];
  return box ? { text, box } : null;
}

function covered(box: Box, beads: readonly Bead[]): number {
  return beads.filter((bead) => meets(box, bead.box)).length;
}

/** Whether two boxes share a place. */
export function meets(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
