import { axisOf, clamp, type Rows, type Span } from './geometry';

/** The row of an opened object: memtables, logs, a level, or blob files. */
export type OpenedRow = 'memory' | 'wal' | number | 'blobs';

/** Between two rows [sizes of the text], as everything here. */
const GAP = 0.25;
/** A row as context of an opened table, and the stack of L0. */
const STRIP_H = 0.85;
const STACK_MAX = 1.5;
const MEMORY_H = 1.15;
/** Logs, and the manifest. */
const FILES_H = 0.75;
/** The marks of the axis. */
const AXIS = 0.6;
/** Around the line between memory and files. */
const DURABLE = 0.45;
/** Between the strip of an opened table and what is in it: the wedge that joins them. */
const WEDGE_H = 0.75;
/** Least height of an opened table, and one that leaves room for files and labels. */
const OPENED_MIN = 8;
const OPENED_ROOMY = 12;

/**
 * The rows around an object that is opened in one of them: they are strips, above and below it, and none of them goes as
 * long as there is room. `stacks`: how many tables lie on each other in each level. Stored files have levels, and the row of an opened one.
 */
export function openedRows(
  width: number,
  height: number,
  stacks: readonly number[],
  of: OpenedRow,
  isStored = false,
): Rows {
  const { unit, left, right } = axisOf(width, height, isStored);
  const line = Math.round(unit * 1.3);
  const px = (sizes: number) => Math.round(sizes * unit);
  const gap = px(GAP);
  const heights = stacks.map((tables) => clamp(6 * tables, px(STRIP_H), px(STACK_MAX)));
  const strips = heights.reduce((sum, h) => sum + h + gap, 0);
  const files = px(FILES_H) + gap;
  // Blob files stand below the axis and its labels.
  const axis = of === 'blobs' ? px(AXIS) + line : 0;
  const needed = of === 'wal' || of === 'blobs' ? files + axis : 0;
  const [memoryH, durable] = isStored ? [0, 0] : [px(MEMORY_H), px(DURABLE)];
  const least = 3 * gap + memoryH + 2 * durable + needed + strips + px(WEDGE_H);
  const spare = height - least - px(OPENED_ROOMY);
  // What there is room for, in this order: logs, manifest, and the labels of the axis.
  const wanted = isStored ? [0, 0, axis > 0 ? 0 : line] : [files - needed, files, line];
  const sums = wanted.map((_, at) => wanted.slice(0, at + 1).reduce((sum, h) => sum + h));
  const [hasLogs = false, hasManifest = false, hasLabels = false] = sums.map((h) => h <= spare);
  const others = sums.findLast((h) => h <= spare) ?? 0;
  const inside = Math.max(height - least - others, px(OPENED_MIN));
  let y = gap;
  let opened = { y, h: 0 };
  const row = (h: number, after = gap): Span => {
    const span = { y, h };
    y += h + after;
    return span;
  };
  /** A row, and the place of an object that is opened in it. */
  const rowOf = (name: OpenedRow, h: number): Span => {
    const span = row(h, name === of ? px(WEDGE_H) : gap);
    if (name === of) opened = row(inside, 2 * gap);
    return span;
  };
  const memory = { ...rowOf('memory', memoryH), lines: 1 };
  y += durable - gap;
  const durableY = isStored ? 0 : y;
  y += durable;
  const wal = {
    ...((hasLogs && !isStored) || of === 'wal' ? rowOf('wal', px(FILES_H)) : { y, h: 0 }),
    captionBelow: false,
  };
  const manifest = hasManifest && !isStored ? row(px(FILES_H)) : null;
  const spans = heights.map((h, at) => rowOf(at, h));
  const axisY = y;
  y += axis || (hasLabels ? line : 0);
  const blobs = of === 'blobs' ? rowOf('blobs', px(FILES_H)) : null;
  return {
    ...{ unit, line, lane: line, left, right, memory, levels: spans, opened, durableY },
    ...{ wal, manifest, merge: null, blobs, axisY, axisLabels: hasLabels || axis > 0 },
    transactions: { x: right, y: memory.y, w: 0, h: memory.h },
    height: Math.max(height, y),
  };
}
