import { clamp, LANE_GAP, type Needs, type Rows, type Span, UNIT_MIN } from './geometry';

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

/** Height of the digits of a number, with the space around them [sizes of the text]. */
const LOW_LANE = 0.75;

/** Least height of so many runs, one below the other, each with its number [px]. */
export function lowLanesHeight(runs: number, unit: number): number {
  return runs * (unit * LOW_LANE + LANE_GAP) - LANE_GAP;
}

/** Memory in one line, and all levels: the rows of a picture that is always whole, where it has no room for its files. */
export function lowRows(width: number, height: number, { deeper }: Needs): Rows {
  const unit = UNIT_MIN;
  const left = unit * 8;
  const right = Math.max(width - unit, left + 120);
  const levelsH = (memory: number) => height - GAP - memory - TRACK;
  const wanted = [L0_LANES, ...deeper].map((each) => Math.max(lowLanesHeight(each, unit), LINE));
  const needed = wanted.reduce((sum, each) => sum + each + GAP, 0);
  const hasMemory = levelsH(MEMORY_H + GAP) >= needed;
  const memory = { y: GAP, h: hasMemory ? MEMORY_H : 0, lines: 1 };
  const top = memory.y + (hasMemory ? MEMORY_H + GAP : 0);
  const levels = levelSpans(top, height - top - TRACK, wanted);
  return {
    ...{ unit, line: LINE, lane: LINE, left, right, memory, levels, height },
    transactions: { x: right, y: memory.y, w: 0, h: memory.h },
    durableY: top,
    wal: { y: top, h: 0, captionBelow: false },
    ...{ manifest: null, merge: null, blobs: null },
    ...{ axisY: height, axisLabels: false },
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
