/** A rectangle of the picture [px]. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Width that a text of `letters` characters takes at 13 px, a little generous [px]. */
export function textWidth(letters: number): number {
  return letters * 7.4;
}

/** `value`, but at least `low` and at most `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** `text` cut to what fits into `width` pixels; empty when not even two letters do. */
export function fitText(text: string, width: number): string {
  const letters = Math.floor(width / 7.1);
  if (text.length <= letters) return text;
  return letters < 2 ? '' : `${text.slice(0, letters - 1)}…`;
}

/**
 * Where the rows of the picture are; depends on the window, the options, and how many lanes a level of
 * several runs needs.
 */
export interface Rows {
  /** Left and right end of the key axis [px]. */
  left: number;
  right: number;
  /** Only there while transactions are open. */
  transactions: { y: number; h: number } | null;
  memory: { y: number; h: number };
  durableY: number;
  wal: { y: number; h: number };
  /** One for each level. */
  levels: { y: number; h: number }[];
  axisY: number;
  height: number;
}

export const GUTTER = 134;
const RIGHT_PAD = 22;
const AXIS_BAND = 38;
/** L0 always has room for four tables with labels [px]. */
const L0_MIN = 72;

/** Height of an open transaction [px]. */
const TRANSACTION_H = 26;

/** Least height of a lane below L0, with its label, and the gap between two [px]. */
const LANE_H = 14;
export const LANE_GAP = 2;

/** Lanes of a level that are drawn; older runs are counted instead. */
export const LANES_MAX = 8;

/** Height that `lanes` need; one lane has that of the row anyway [px]. */
function lanesHeight(lanes: number): number {
  return lanes > 1 ? lanes * LANE_H + (lanes - 1) * LANE_GAP : 0;
}

/**
 * Shares the height among the rows: nothing moves when tables come and go, only when a level below L0
 * gets more runs than fit, and while transactions are open. `lanes` has the runs of each level, L0 first.
 */
export function layoutRows(
  width: number,
  height: number,
  lanes: readonly number[],
  transactionsOpen: boolean,
): Rows {
  const levelCount = lanes.length;
  const roomy = height > 460;
  const top = roomy ? 14 : 10;
  const transactions = transactionsOpen ? { y: top, h: TRANSACTION_H } : null;
  const memory = {
    y: transactions ? top + TRANSACTION_H + 8 : top,
    h: roomy ? 58 : 52,
  };
  const durableY = memory.y + memory.h + (roomy ? 24 : 20);
  const wal = { y: durableY + 12, h: 22 };
  const first = wal.y + wal.h + (roomy ? 34 : 26);
  const gap = roomy ? 13 : 8;
  const deeper = Math.max(levelCount - 1, 0);
  const free = height - first - AXIS_BAND - gap * levelCount;
  const unit = Math.min(free / (deeper + 2.5), (free - L0_MIN) / Math.max(deeper, 1));
  const rowH = Math.floor(clamp(unit, 22, 48));
  const heights = lanes
    .slice(1)
    .map((count) => Math.max(rowH, lanesHeight(Math.min(count, LANES_MAX))));
  const below = heights.reduce((sum, h) => sum + h, 0);
  const l0H = Math.floor(clamp(free - below, L0_MIN, 132));
  const levels: { y: number; h: number }[] = [];
  let y = first;
  for (let level = 0; level < levelCount; level += 1) {
    const h = level === 0 ? l0H : (heights[level - 1] ?? rowH);
    levels.push({ y, h });
    y += h + gap;
  }
  const right = Math.max(width - RIGHT_PAD, GUTTER + 120);
  const axisY = Math.max(y + 6, Math.min(height - AXIS_BAND + 6, y + 24));
  return {
    left: GUTTER,
    right,
    transactions,
    memory,
    durableY,
    wal,
    levels,
    axisY,
    height: Math.max(height, axisY + AXIS_BAND - 8),
  };
}
