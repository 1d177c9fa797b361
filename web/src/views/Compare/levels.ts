import type { View } from '../../model/engine.generated';
import type { Writing } from '../../model/writing';
import { keyAxis } from '../Stage/scene/axis';
import { clamp, layoutRows, type Rows, type Span, UNIT_MIN } from '../Stage/scene/geometry';
import { levelRow } from '../Stage/scene/levels';
import { memoryScene } from '../Stage/scene/memory';
import { bounds } from '../Stage/scene/stage';

/** Between two rows, with the track of a level [px]. */
const GAP = 4;
/** Height of a line of text [px]. */
const LINE = 19;
const MEMORY_H = 24;
/** Below the last level, for its track [px]. */
const TRACK = 4;
/** Two tables of L0 on each other, with the space between them [px]. */
const L0_H = 2 * LINE + 3;
/** Most height of a row [px]. */
const ROW_MAX = 4 * LINE;

/** Levels with data, or written to by a job: those that a picture of `view` needs. */
export function depthOf(view: View, writing: Writing): number {
  const filled = view.levels.findLastIndex(({ tables }) => tables.length > 0) + 1;
  const written = [...writing.values()].map(({ level }) => level + 1);
  return Math.max(filled, ...written, 1);
}

/** Whether the whole picture of the tree, with its files, has room in `width` × `height` for `depth` levels. */
export function fitsWhole(width: number, height: number, depth: number): boolean {
  const deeper = Array.from({ length: depth }, () => 1);
  return layoutRows(width, height, { l0: 3, deeper, lastEmpty: true }).height <= height;
}

/**
 * The first `depth` levels in `width` × `height` pixels: always whole, and at places that do not depend on their content, so
 * that a level of one side can be compared with that of the other.
 */
export function levelsScene(
  view: View,
  writing: Writing,
  width: number,
  height: number,
  depth: number,
) {
  const rows = lowRows(width, height, depth);
  const { left, right, unit } = rows;
  const axis = keyAxis(bounds(view), { left, right, unit, scale: 'rank' });
  const known = new Map();
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const levels = view.levels.slice(0, depth).map((level, index) => {
    const ground = { axis, rows, inputs, through: index, known };
    return levelRow(view, writing, level, ground, rows.levels[index] ?? { y: 0, h: 0 });
  });
  const memtables =
    rows.memory.h > 0 ? memoryScene(view, { axis, rows, recent: [], known }).memtables : [];
  return { rows, memtables, levels };
}

function lowRows(width: number, height: number, depth: number): Rows {
  const unit = UNIT_MIN;
  const left = unit * 8;
  const right = Math.max(width - unit, left + 120);
  const levelsH = (memory: number) => height - GAP - memory - TRACK;
  const hasMemory = levelsH(MEMORY_H + GAP) >= depth * (LINE + GAP);
  const memory = { y: GAP, h: hasMemory ? MEMORY_H : 0, lines: 1 };
  const top = memory.y + (hasMemory ? MEMORY_H + GAP : 0);
  const levels = levelSpans(top, height - top - TRACK, depth);
  return {
    ...{ unit, line: LINE, left, right, memory, levels, height },
    transactions: { x: right, y: memory.y, w: 0, h: memory.h },
    // Logs and manifest are not drawn.
    durableY: top,
    wal: { y: top, h: 0, captionBelow: false },
    manifest: null,
    merge: null,
    axisY: height,
    axisLabels: false,
  };
}

/** L0 gets room for two tables on each other first; the other levels share the rest. */
function levelSpans(top: number, height: number, depth: number): Span[] {
  const each = Math.floor(height / depth) - GAP;
  const others = depth > 1 ? Math.floor((height - L0_H - GAP) / (depth - 1)) - GAP : ROW_MAX;
  const isRoomy = each >= L0_H || others < LINE;
  let y = top;
  return Array.from({ length: depth }, (_, level) => {
    const wanted = isRoomy ? each : level === 0 ? L0_H : others;
    const span = { y, h: clamp(wanted, 1, ROW_MAX) };
    y += span.h + GAP;
    return span;
  });
}
