import { type Bead, beadsOf } from './beads';
import type { Box, Rows } from './geometry';
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

/** `text` beside a mark, on the side where it covers fewer entries; `null`: neither side has room for it. */
export function tagBeside(text: string, { x, w, y, r }: Spot, tree: Tree): Tag | null {
  const { unit, left, right } = tree.rows;
  const size = { w: textWidth(text, unit) + unit, h: unit * 1.4 };
  const beads = beadsOf(tree);
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
