import type { View } from '../../model/engine.generated';
import type { Writing } from '../../model/writing';
import { keyAxis } from '../Stage/scene/axis';
import { clamp, layoutRows, type Rows, type Span, UNIT_MIN } from '../Stage/scene/geometry';
import { lanesHeight } from '../Stage/scene/levels';
import { memoryScene } from '../Stage/scene/memory';
import { bounds } from '../Stage/scene/stage';
import { groundOf, levelRow, runsOf } from '../Stage/scene/tree';

/** Between two rows, with the track of a level [px]. */
const GAP = 4;
/** Height of a line of text [px]. */
const LINE = 19;
const MEMORY_H = 24;
/** Below the last level, for its track [px]. */
const TRACK = 4;
/** Tables of L0 on each other. */
const L0_LANES = 2;
/** Most height of a row [px]. */
const ROW_MAX = 4 * LINE;

/** Runs that stand below each other in each level with data, or written to by a job: the needs of a picture of `view`. */
export function lanesOf(view: View, writing: Writing): number[] {
  const filled = view.levels.findLastIndex(({ tables }) => tables.length > 0) + 1;
  const written = [...writing.values()].map(({ level }) => level + 1);
  const depth = Math.max(filled, ...written, 1);
  return Array.from({ length: depth }, (_, number) => {
    const level = view.levels[number];
    // L0 changes with every flush: its row stays the same.
    if (number === 0 || !level) return L0_LANES;
    const runs = runsOf(level).length;
    // One more, for the run that is written next.
    return runs > 1 ? runs + 1 : 1;
  });
}

/** The most of each level. */
export function mostLanes(pictures: readonly (readonly number[])[]): number[] {
  const depth = Math.max(1, ...pictures.map(({ length }) => length));
  return Array.from({ length: depth }, (_, level) =>
    Math.max(1, ...pictures.map((lanes) => lanes[level] ?? 1)),
  );
}

/** Whether the whole picture of the tree, with its files, has room in `width` × `height` for `depth` levels. */
export function fitsWhole(width: number, height: number, depth: number): boolean {
  // Below all data stands an empty level.
  const deeper = Array.from({ length: depth }, (_, index) => (index < depth - 1 ? 1 : 0));
  return layoutRows(width, height, { l0: 3, deeper }).height <= height;
}

/**
 * The first levels in `width` × `height` pixels: always whole, and at places that do not depend on their content, but
 * on the `lanes` that either side needs: a level of one side can be compared with that of the other.
 */
export function levelsScene(
  view: View,
  writing: Writing,
  width: number,
  height: number,
  lanes: readonly number[],
) {
  const rows = lowRows(width, height, lanes);
  const depth = lanes.length;
  const { left, right, unit } = rows;
  const axis = keyAxis(bounds(view), { left, right, unit, scale: 'rank' });
  const known = new Map();
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const ground = groundOf({ axis, rows, inputs, known });
  const levels = view.levels.slice(0, depth).map((level, index) => {
    const span = rows.levels[index] ?? { y: 0, h: 0 };
    return levelRow(view, writing, level, { ...ground, through: index }, span);
  });
  const memtables =
    rows.memory.h > 0 ? memoryScene(view, { axis, rows, recent: [], known }).memtables : [];
  return { rows, memtables, levels };
}

function lowRows(width: number, height: number, lanes: readonly number[]): Rows {
  const unit = UNIT_MIN;
  const left = unit * 8;
  const right = Math.max(width - unit, left + 120);
  const levelsH = (memory: number) => height - GAP - memory - TRACK;
  const wanted = lanes.map((each) => Math.max(lanesHeight(each, unit), LINE));
  const needed = wanted.reduce((sum, each) => sum + each + GAP, 0);
  const hasMemory = levelsH(MEMORY_H + GAP) >= needed;
  const memory = { y: GAP, h: hasMemory ? MEMORY_H : 0, lines: 1 };
  const top = memory.y + (hasMemory ? MEMORY_H + GAP : 0);
  const levels = levelSpans(top, height - top - TRACK, wanted);
  return {
    ...{ unit, line: LINE, left, right, memory, levels, height },
    transactions: { x: right, y: memory.y, w: 0, h: memory.h },
    // Logs and manifest are not drawn.
    durableY: top,
    wal: { y: top, h: 0, captionBelow: false },
    manifest: null,
    merge: null,
    blobs: null,
    lane: LINE,
    axisY: height,
    axisLabels: false,
  };
}

/** A line for each level first, then what its runs need, then an equal share of the rest. */
function levelSpans(top: number, height: number, wanted: readonly number[]): Span[] {
  const depth = wanted.length;
  const room = height - depth * GAP;
  const each = Math.floor(room / depth);
  const spare = room - depth * LINE;
  const more = wanted.reduce((sum, one) => sum + one - LINE, 0);
  const share = Math.min(spare / Math.max(more, 1), 1);
  const rest = Math.floor(Math.max(spare - more, 0) / depth);
  let y = top;
  return wanted.map((one) => {
    const h = each < LINE ? each : LINE + Math.floor((one - LINE) * share) + rest;
    const span = { y, h: clamp(h, 1, Math.max(ROW_MAX, Math.ceil(one))) };
    y += span.h + GAP;
    return span;
  });
}
