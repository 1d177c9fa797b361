import { clamp, type Span } from '../../Stage/scene/geometry';
import type { Extent } from './history';

/** Where the rows of the picture are [px]; they depend on the window and on the whole history, never on the step. */
export interface Places {
  unit: number;
  line: number;
  left: number;
  right: number;
  /** The strip of the logs of the family, above the levels: logs have no range of keys. */
  logs: Span;
  /** Levels, and groups of levels that no step ever used. */
  levels: LevelPlace[];
  axisY: number;
  /** The strip of the blob files, below the axis: they have no range of keys, either. `null`: there are none. */
  blobs: Span | null;
  width: number;
  height: number;
}

export interface LevelPlace extends Span {
  /** First and last level of the row; they differ in a group of unused levels. */
  from: number;
  to: number;
  /** Whether the row stands for levels that no step used. */
  isUnused: boolean;
  /** Lanes that it keeps. */
  lanes: number;
}

/** Lanes of level 0 that have their full height; more share it. */
const LANES_MAX = 7;
/** Height of the strip of removed tables along the lower edge of a level [px]. */
export const GONE_H = 9;
/** Room that the rows have at least [px]. */
interface Least {
  /** Between two rows. */
  gap: number;
  logs: number;
  /** A lane of level 0. */
  lane: number;
  /** A level with one lane. */
  level: number;
}

/** A picture that does not fit loses the room around its lines before it scrolls. */
function leastOf(line: number, isTight: boolean): Least {
  if (isTight) return { gap: 3, logs: line + 6, lane: line - 2, level: line + GONE_H };
  return { gap: 8, logs: line + 12, lane: line, level: line * 1.5 + GONE_H };
}

/** Before the axis: names of levels, with their size and target [letters]. */
const GUTTER = 14.75;

export interface Needs {
  extent: Extent;
  hasBlobs: boolean;
}

/** Shares the height among the rows. */
export function placesOf(width: number, height: number, { extent, hasBlobs }: Needs): Places {
  const unit = Math.round(clamp(Math.min(height / 30, width / 60), 14, 17));
  const line = Math.round(unit * 1.35);
  const rows = rowsOf(extent);
  const lanes = clamp(extent.most, 2, LANES_MAX);
  const used = rows.filter((row) => !row.isUnused);
  const heightOf = (own: number, { lane, level }: Least) => Math.max(own * lane + GONE_H, level);
  const spareWith = (least: Least) => {
    const levels = used.map((row) => heightOf(row.from === 0 ? lanes : 1, least) + least.gap);
    const unused = (rows.length - used.length) * (line + least.gap);
    const blobs = hasBlobs ? blobsHeight(line) + least.gap : 0;
    return height - least.gap - (least.logs + least.gap) - sum(levels) - unused - blobs - line * 2;
  };
  const least = leastOf(line, spareWith(leastOf(line, false)) < 0);
  const spare = Math.max(spareWith(least), 0);
  const weight = (row: { from: number }) => (row.from === 0 ? Math.max(lanes / 2, 1) : 1);
  const weights = sum(used.map(weight)) || 1;
  let y = least.gap;
  const take = (h: number): Span => {
    const span = { y, h };
    y += h + least.gap;
    return span;
  };
  const logs = take(least.logs);
  const levels = rows.map((row): LevelPlace => {
    if (row.isUnused) return { ...row, lanes: 0, ...take(line) };
    const own = row.from === 0 ? lanes : 1;
    const more = Math.min((spare * weight(row)) / weights, own * line * 3);
    return { ...row, lanes: own, ...take(Math.round(heightOf(own, least) + more)) };
  });
  const axisY = y + 2;
  y += Math.round(line * 1.6);
  const blobs = hasBlobs ? take(blobsHeight(line)) : null;
  return {
    unit,
    line,
    left: Math.round(unit * GUTTER),
    right: width - unit,
    logs,
    levels,
    axisY,
    blobs,
    width,
    height: Math.max(height, y),
  };
}

function blobsHeight(line: number): number {
  return line * 2 + 8;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A row for each used level, and one for all unused levels between two of them. */
function rowsOf({ levels }: Extent): { from: number; to: number; isUnused: boolean }[] {
  const rows: { from: number; to: number; isUnused: boolean }[] = [];
  let next = 0;
  for (const level of levels) {
    if (level > next) rows.push({ from: next, to: level - 1, isUnused: true });
    rows.push({ from: level, to: level, isUnused: false });
    next = level + 1;
  }
  return rows;
}
