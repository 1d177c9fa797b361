import { lowRows } from './low';

/** A rectangle of the picture [px]. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Height and place of a row [px]. */
export interface Span {
  y: number;
  h: number;
}

/** `value`, but at least `low` and at most `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The needs of the levels beside their tables; changes with the options, and while a merge gives its verdicts. */
export interface Needs {
  /** Lanes that L0 should have. */
  l0: number;
  /** Lanes of each row below L0: 1 where a level is one run, 0 where one line is enough, because it stays empty. */
  deeper: readonly number[];
  /** The picture of stored files: without memory and manifest, and perhaps with blob files. */
  stored?: { hasBlobs: boolean };
  /** The picture is whole, however low: without files, and at last without memory. */
  isWhole?: boolean;
  /** A merge has the height that the memory does not need. */
  isMerging?: boolean;
}

/** Where the rows of the picture are; depends on the window and on {@link Needs} only. */
export interface Rows {
  /** Size of the text; the measure of everything else [px]. */
  unit: number;
  /** Height of a line of text [px]. */
  line: number;
  /** Left and right end of the key axis [px]. */
  left: number;
  right: number;
  /** `lines`: of text in a memtable. */
  memory: Span & { lines: number };
  /** The place of open transactions, at the right end of the memory and above its beads. */
  transactions: Box;
  durableY: number;
  /** The records; their caption stands below them, or before them where there is no room below. */
  wal: Span & { captionBelow: boolean };
  /** `null`: no room. */
  manifest: Span | null;
  /** For the words of a merge; `null` without one. */
  merge: Span | null;
  /** Height of a lane of L0 whose tables have room for their entries [px]. */
  lane: number;
  /** One for each level that is drawn. */
  levels: Span[];
  axisY: number;
  /** Blob files, below the axis: they have no keys. */
  blobs: Span | null;
  /** Whether the axis has labels. */
  axisLabels: boolean;
  /** The place of an opened table. */
  opened?: Span;
  height: number;
}

/** Smallest text of the picture [px]; that of stored files stands among as small words. */
export const UNIT_MIN = 16;
const STORED_UNIT_MIN = 14;
const UNIT_MAX = 24;
/** Lanes of a level that are drawn; older runs are counted instead. */
export const LANES_MAX = 8;
/** Between two lanes, and between the tables and the outputs of a level [px]. */
export const LANE_GAP = 3;

/** Lines of text in each row. */
interface Lines {
  memory: number;
  caption: boolean;
  manifest: boolean;
  l0: number;
  deeper: number[];
  /** Whether each lane has room for entries below its captions. */
  l0Floor: boolean;
  deeperFloor: boolean;
}

type Measures = ReturnType<typeof measures>;

/**
 * Shares the height among the rows, in whole lines of text: what has content gets lines first. Nothing moves when
 * tables come and go, only when a table arrives in a deeper level than before.
 */
export function layoutRows(width: number, height: number, needs: Needs): Rows {
  const unit = unitOf(width, height, needs.stored ? STORED_UNIT_MIN : UNIT_MIN);
  const lines = fewest(needs);
  const roomy = measures(unit, false, needs);
  const of = heightOf(lines, roomy, needs) > height ? measures(unit, true, needs) : roomy;
  if (needs.isWhole && heightOf(lines, of, needs) > height) return lowRows(width, height, needs);
  const shared = grown(lines, needs, of, height);
  return placed(width, height, needs, of, shared);
}

const fewest = ({ deeper }: Needs): Lines => ({
  ...{ memory: 1, caption: false, manifest: false, l0: 2, l0Floor: false, deeperFloor: false },
  deeper: deeper.map(() => 1),
});

/**
 * The height of a picture that is drawn smaller where `height` would cut it or leave no room for the keys of its axis.
 * `scale`: that of the page; the text stays as large as at scale 1.
 */
export function wholeHeight(height: number, needs: Needs, scale: number): number {
  const least = (isTight: boolean, of: Needs) =>
    heightOf(fewest(of), measures(UNIT_MIN, isTight, of), of);
  // The words of a merge come and go: they take the place of the keys, and the size stays.
  const whole = Math.max(least(false, { ...needs, isMerging: false }), least(true, needs));
  return clamp(whole, height, Math.max(Math.floor(height * scale), height));
}

/** Size of the text of a picture [px]. */
function unitOf(width: number, height: number, least = UNIT_MIN): number {
  return Math.round(clamp(Math.min(height / 27, width / 52), least, UNIT_MAX));
}

/** The axis of a picture, with or without an opened table: the same. */
export function axisOf(width: number, height: number, isStored: boolean) {
  const unit = unitOf(width, height, isStored ? STORED_UNIT_MIN : UNIT_MIN);
  const left = unit * (isStored ? STORED_GUTTER : GUTTER);
  return { unit, left, right: Math.max(width - unit, left + 120) };
}

function measures(unit: number, tight: boolean, { stored }: Needs) {
  const line = Math.round(unit * 1.3);
  return {
    unit,
    line,
    gap: Math.round(unit * (tight ? 0.25 : 0.5)),
    // Between the durable line and the rows beside it [px].
    durable: Math.round(unit * 0.55),
    // The axis of stored files keeps its labels.
    axis: tight ? (stored ? line : 0) + Math.round(unit * 0.5) : line + Math.round(unit * 0.6),
  };
}

const memoryHeight = (lines: number, { line, unit }: Measures) =>
  lines * line + Math.round(unit * 0.5);
const walHeight = ({ unit }: Measures) => Math.round(unit * 1.5);
const wordsHeight = ({ unit }: Measures) => Math.round(unit * 1.4);
/** The floor of a lane, where its tables have their entries [px]. */
const floorHeight = ({ unit }: Measures) => Math.round(unit * 0.6);
const lanesHeight = (lanes: number, of: Measures, floors: boolean) =>
  lanes * (of.line + (floors ? floorHeight(of) : 0)) + (lanes - 1) * LANE_GAP;
/** A row of empty levels, and one of several runs, have no floor. */
const deeperHeight = (lines: Lines, index: number, of: Measures, needs: Needs) => {
  const hasFloor = lines.deeperFloor && needs.deeper[index] === 1;
  return lanesHeight(lines.deeper[index] ?? 1, of, hasFloor);
};

/** Height of the whole picture [px]. */
function heightOf(lines: Lines, of: Measures, needs: Needs): number {
  const { gap, durable, line, axis } = of;
  const deeper = lines.deeper.reduce(
    (sum, _, index) => sum + deeperHeight(lines, index, of, needs) + gap,
    0,
  );
  return (
    gap +
    (needs.stored ? 0 : memoryHeight(lines.memory, of) + 2 * durable) +
    walHeight(of) +
    (lines.caption ? line : 0) +
    gap +
    (lines.manifest ? walHeight(of) + gap : 0) +
    (needs.isMerging ? wordsHeight(of) + gap : 0) +
    lanesHeight(lines.l0, of, lines.l0Floor) +
    gap +
    deeper +
    axis +
    (needs.stored?.hasBlobs ? walHeight(of) + gap : 0)
  );
}

type Wish = (lines: Lines) => Lines;

/** Parts to get more lines where there is room, the most urgent first. */
function wishes(needs: Needs): Wish[] {
  const l0 = (lanes: number): Wish => {
    return (lines) => ({ ...lines, l0: Math.max(lines.l0, lanes) });
  };
  const memory = (count: number): Wish => {
    return (lines) => ({ ...lines, memory: count });
  };
  const level = (index: number, count: number): Wish => {
    return (lines) => ({
      ...lines,
      deeper: lines.deeper.map((each, at) => (at === index ? count : each)),
    });
  };
  const laned = needs.deeper.flatMap((lanes, index) =>
    Array.from({ length: Math.max(Math.min(lanes, LANES_MAX) - 1, 0) }, (_, more) =>
      level(index, more + 2),
    ),
  );
  const l0Wishes = [l0(Math.min(needs.l0, 5)), l0(4)];
  const twice = needs.deeper.flatMap((lanes, index) => (lanes === 1 ? [level(index, 2)] : []));
  const manifest: Wish = (lines) => ({ ...lines, manifest: true });
  const deeperFloor: Wish = (lines) => ({ ...lines, deeperFloor: true });
  const l0Floor: Wish = (lines) => ({ ...lines, l0Floor: true });
  const caption: Wish = (lines) => ({ ...lines, caption: true });
  const even: Wish = (lines) => ({ ...lines, deeper: needs.deeper.map((lanes) => lanes + 1) });
  if (needs.stored) {
    return [deeperFloor, l0(Math.min(needs.l0, 5)), even, l0Floor, l0(Math.min(needs.l0, 7))];
  }
  if (needs.isMerging) return [manifest, l0(3), ...twice, ...laned, caption, ...l0Wishes, l0(5)];
  return [
    manifest,
    memory(2),
    memory(3),
    // Where runs need lanes, these come first.
    ...(laned.length > 0 ? [] : [deeperFloor, l0Floor]),
    l0(3),
    ...laned,
    caption,
    ...l0Wishes,
    ...twice,
    l0(5),
    memory(4),
    l0(6),
    memory(5),
  ];
}

function grown(least: Lines, needs: Needs, of: Measures, height: number): Lines {
  return wishes(needs).reduce((lines, wish) => {
    const more = wish(lines);
    return heightOf(more, of, needs) <= height ? more : lines;
  }, least);
}

/** Letters in the gutter of a picture; the levels of stored files have their size and target there. */
const GUTTER = 9;
const STORED_GUTTER = 14;

/** The rows from top to bottom; the height that is left over goes to memory and levels. */
function placed(width: number, height: number, needs: Needs, of: Measures, lines: Lines): Rows {
  const { unit, line, gap, durable, axis } = of;
  const { stored, isMerging = false } = needs;
  const { left, right } = axisOf(width, height, stored !== undefined);
  const more = moreOf(height, needs, of, lines);
  let y = gap;
  const row = (h: number, after = gap): Span => {
    const span = { y, h };
    y += h + after;
    return span;
  };
  const memoryMore = isMerging ? 0 : more;
  const memoryH = memoryHeight(lines.memory, of) + memoryMore;
  const memory = {
    ...(stored ? { y: 0, h: 0 } : row(memoryH, durable)),
    lines: lines.memory + Math.floor(memoryMore / line),
  };
  const durableY = stored ? 0 : y;
  if (!stored) y += durable;
  const wal = { ...row(walHeight(of), lines.caption ? line : 0), captionBelow: lines.caption };
  y += gap;
  const manifest = lines.manifest ? row(walHeight(of)) : null;
  const merge = isMerging ? row(wordsHeight(of)) : null;
  const levels = [row(lanesHeight(lines.l0, of, lines.l0Floor) + more)];
  for (const index of lines.deeper.keys()) {
    levels.push(
      row(deeperHeight(lines, index, of, needs) + (needs.deeper[index] === 0 ? 0 : more)),
    );
  }
  const below = stored?.hasBlobs ? walHeight(of) + gap : 0;
  const axisY = Math.max(y, Math.min(height - axis - below, y + gap)) + Math.round(unit * 0.25);
  const transactionsW = Math.round(clamp((right - left) * 0.2, unit * 9, unit * 18));
  return {
    ...{ unit, line, left, right, memory, durableY, wal, manifest, merge, levels, axisY },
    transactions: {
      x: right - transactionsW,
      y: memory.y,
      w: transactionsW,
      h: Math.max(memory.h * 0.6, line),
    },
    lane: line + (lines.l0Floor ? floorHeight(of) : 0),
    axisLabels: axis > line,
    blobs: below > 0 ? { y: axisY + axis, h: walHeight(of) } : null,
    height: Math.max(height, Math.ceil(y + axis + below)),
  };
}

/** What each row gets of the height that is left over. */
function moreOf(height: number, needs: Needs, of: Measures, lines: Lines): number {
  const { stored, isMerging, deeper } = needs;
  const spare = Math.max(height - heightOf(lines, of, needs), 0);
  const others = stored || isMerging ? 1 : 2;
  const shares = deeper.filter((lanes) => lanes > 0).length + others;
  // A merge has all of it.
  return Math.floor(Math.min(spare / shares, isMerging ? spare : of.line * (stored ? 2.5 : 1.5)));
}
