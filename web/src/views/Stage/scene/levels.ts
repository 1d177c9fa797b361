import { counted } from '../../../model/words';
import { type Box, LANE_GAP, type Rows, type Span } from './geometry';
import { lowLanesHeight } from './low';
import { withWordsBeside } from './narrow';
import {
  CAPTIONED_MAX,
  type Room,
  runShapes,
  type Table,
  type TableShape,
  WIDTH_MIN,
} from './tables';
import { boldWidth, fitting } from './text';

/** A level to be placed, of whatever program. */
export interface Level {
  level: number;
  /** `L3–L6` where a row stands for several. */
  title: string;
  /** Explains its name. */
  hint: string;
  /** How full it is, from the longest wording to the shortest. */
  wordings: readonly string[];
  /** Whether a compaction would pick it. */
  due: boolean;
  /** Its size as a part of its target; `null`: it has none. */
  filled: number | null;
  /** Newest first; the tables of each by key. */
  runs: readonly (readonly Table[])[];
  /** Of the runs: on each other, each a table, a lane for each, or side by side. */
  order: 'stack' | 'lanes' | 'one';
  /** Lanes that it should have. */
  lanes: number;
  /** In a stack, the place of each table from below, where that is recorded. */
  sublevels?: readonly number[] | null;
  /** The tables that each job writes. */
  written: readonly ((lane: Span) => TableShape[])[];
  /** A merge reads or writes it. */
  isMerging: boolean;
  /** In place of tables. */
  note: string;
  /** In words. */
  label: string;
}

/** The label of one run in the gutter. */
interface Lane {
  title: string;
  /** In words. */
  label: string;
  y: number;
  h: number;
}

/** A remark in a level: the number of its tables, or of those without room. */
interface Note {
  text: string;
  x: number;
  /** Baseline [px]. */
  y: number;
  anchor: 'start' | 'end';
}

/** The former place of a table. */
interface FormerPlace {
  number: number;
  box: Box;
}

/** One level of the picture. */
export type LevelRow = ReturnType<typeof placedLevel>;

/** Places the tables of one level. */
export function placedLevel(level: Level, room: Room, span: Span) {
  const { left, right } = room.rows;
  const { level: number, title, hint, wordings, due, order, label } = level;
  const placed = PLACES[order](level, room, span);
  return {
    id: `level:${number}`,
    level: number,
    box: { x: left, w: right - left, ...span },
    ...headOf(level, room, span),
    ...{ title, hint, due, label },
    // In words: its score, or the progress of a job.
    detail: wordings[0] ?? '',
    // Whether runs stand below each other, because they may overlap.
    laned: order !== 'one',
    // Whether it can be selected.
    isPlain: wordings.length === 0,
    ...placed,
    note: placed.note ?? remark(level.note, span, room.rows),
    tables: withWordsBeside(placed.tables, room.rows),
    gone: NOTHING_GONE,
  };
}

const NOTHING_GONE: readonly FormerPlace[] = [];

function remark(text: string, { y, h }: Span, { left, unit }: Rows): Note | null {
  return text === '' ? null : { text, x: left, y: y + h / 2 + unit * 0.36, anchor: 'start' };
}

/** How full a level is: 1 at its target. */
export interface Gauge {
  share: number;
  box: Box;
}

const GAUGE_H = 4;

/** Title and score, one below the other or side by side, and the gauge below them. */
function headOf({ title, wordings, due, filled, order }: Level, { rows }: Room, { y, h }: Span) {
  const { unit, line, left } = rows;
  // A strip has no room for it.
  const isStrip = h < line - 4;
  const below = filled === null || isStrip ? 0 : GAUGE_H + 1;
  const tall = h >= 2 * line + below && wordings.some((wording) => wording !== '');
  const textH = (tall ? 2 : 1) * line;
  // Where the row is too low for all of it, the gauge stands at its lower edge.
  const top = y + Math.max((h - textH - below) / 2, (h - line) / 2 - below, 0);
  const titleY = isStrip ? y + h / 2 + unit * 0.36 : top + line * (tall ? 0.78 : 0.76);
  const x = tall ? unit : unit * 1.4 + boldWidth(title, unit);
  const signed = [...(due ? wordings.map((wording) => `▲ ${wording}`) : []), ...wordings];
  const text = fitting(signed, left - x - unit * (order === 'lanes' ? 2.4 : 0.5), unit);
  const gauge = {
    x: unit,
    y: Math.min(top + textH + 1, y + h - 1),
    w: left - 2.5 * unit,
    h: GAUGE_H,
  };
  return {
    titleY,
    caption: { text, x, y: tall ? titleY + line : titleY },
    gauge: filled === null || isStrip ? null : ({ share: filled, box: gauge } satisfies Gauge),
  };
}

interface Placed {
  tables: TableShape[];
  lanes: Lane[];
  note: Note | null;
}

/** Height of a strip, the least that can be pointed at [px]. */
const STRIP_MIN = 5;

/**
 * L0: tables are stacked in their order, the newest on top; a table being written already has its final place. Without
 * room for a lane each, tables without common keys share a lane, and if that is not enough, lanes get lower. A table is
 * always at its keys.
 */
function stackedTables(level: Level, room: Room, span: Span): Placed {
  const { line, lane: whole } = room.rows;
  const { written, sublevels } = level;
  const above = Math.max(written.length, 1);
  const oldestFirst = level.runs.flat().toReversed();
  const [high = 1, low = 1] = [whole, line].map((each) =>
    Math.max(Math.floor((span.h + LANE_GAP) / (each + LANE_GAP)), 1),
  );
  // Room for entries, as long as all tables have it.
  const fits = oldestFirst.length + above <= high ? high : low;
  const isRoomy = oldestFirst.length + above <= fits;
  const recorded = sublevels?.toReversed() ?? null;
  // In a low row, such as around an opened table, all are as low as they must.
  const isStrip = span.h < line * 2;
  const roomy = Math.floor((span.h - line) / (STRIP_MIN + 1)) - written.length;
  const most = isStrip ? PILED_MAX : Math.max(roomy, 1);
  const inOrder = oldestFirst.map((_, index) => recorded?.[index] ?? index);
  const { shown, places } =
    isRoomy || recorded ? { shown: oldestFirst, places: inOrder } : piled(oldestFirst, most);
  const depth = Math.max(0, ...places.map((place) => place + 1));
  const hidden = oldestFirst.length - shown.length;
  const wanted = Math.max(Math.min(level.lanes, fits), Math.min(depth + above, fits));
  const lanes = Math.max(wanted, depth + written.length);
  // Those that are not drawn are counted below the others.
  const free = hidden > 0 && !isStrip ? span.h - line : span.h;
  // Low lanes stand closer together.
  const least = Math.min((free + LANE_GAP) / lanes, free / (lanes - CLOSE));
  const pitch = Math.min(least, 2.2 * line + LANE_GAP);
  const h = Math.max(pitch - Math.min(LANE_GAP, pitch * CLOSE), 1);
  const lane = (fromBelow: number): Span => ({ y: span.y + free - h - fromBelow * pitch, h });
  const tables = written.flatMap((shapes, index) => shapes(lane(depth + index)));
  // The newest first, as in the level.
  for (const [index, table] of [...shown.entries()].reverse()) {
    tables.push(...runShapes([table], lane(places[index] ?? 0), room));
  }
  return {
    tables,
    lanes: [],
    note: hidden > 0 && !isStrip ? olderNote(hidden, span, room.rows) : null,
  };
}

/** Between two low lanes [shares of both together]. */
const CLOSE = 0.2;

/** Stacks each table on the older ones that it overlaps in the picture; of more than `most`, only the newest are drawn. */
function piled(
  oldestFirst: readonly Table[],
  most: number,
): { shown: readonly Table[]; places: number[] } {
  const ends = oldestFirst.map(({ from, to }) => [from, to]);
  const pile = (first: number): number[] => {
    const places: number[] = [];
    for (let at = first; at < ends.length; at += 1) {
      const [from = 0, to = 0] = ends[at] ?? [];
      let place = 0;
      for (let below = first; below < at; below += 1) {
        const [start = 0, end = 0] = ends[below] ?? [];
        if (start <= to + WIDTH_MIN && from <= end + WIDTH_MIN)
          place = Math.max(place, (places[below - first] ?? 0) + 1);
      }
      places.push(place);
    }
    return places;
  };
  let first = Math.max(ends.length - PILED_MAX, 0);
  let places = pile(first);
  while (Math.max(0, ...places) >= most) {
    first += 1;
    places = pile(first);
  }
  return { shown: oldestFirst.slice(first), places };
}

/** More tables of L0 are not drawn. */
const PILED_MAX = 100;

function olderNote(hidden: number, { y, h }: Span, { left, right, unit }: Rows): Note {
  const words = [`${counted(hidden, 'older table')} not drawn`, counted(hidden, 'older table')];
  const text = fitting([...words, `+${hidden}`], right - left, unit);
  return { text, x: left, y: y + h - unit * 0.36, anchor: 'start' };
}

/** Older runs without a lane of their own are strips in the last lane, as long as there are few. */
const STRIPS_MAX = 6;

/** A lane for each run, the newest on top, and the tables being written above them. */
function lanedTables({ level, runs, written }: Level, room: Room, span: Span): Placed {
  const { unit, line } = room.rows;
  const fits = Math.max(Math.floor((span.h + LANE_GAP) / (line + LANE_GAP)), 1);
  const roomy = Math.max(written.length, fits > 1 ? 1 : 0);
  // Low lanes for all runs rather than none for some.
  const all = runs.length + Math.max(written.length, 1);
  const isLow = runs.length + roomy > fits && lowLanesHeight(all, unit) <= span.h;
  const above = isLow ? all - runs.length : roomy;
  const most = isLow ? all : Math.max(fits, above + 1);
  const slots = Math.max(Math.min(runs.length + above, most), 1);
  const h = (span.h - LANE_GAP * (slots - 1)) / slots;
  const lane = (index: number): Span => ({ y: span.y + index * (h + LANE_GAP), h });
  const tables = written.flatMap((shapes, index) => shapes(lane(index)));
  const lanes: Lane[] = [];
  const own = runs.length + above <= slots ? runs.length : Math.max(slots - above - 1, 0);
  for (const [index, run] of runs.slice(0, own).entries()) {
    const place = lane(above + index);
    tables.push(...runShapes(run, place, room));
    const title = String(run[0]?.run ?? '');
    lanes.push({ title, label: `run ${title} of L${level}`, ...place });
  }
  const older = runs.slice(own);
  if (older.length === 0) return { tables, lanes, note: null };
  const last = lane(slots - 1);
  const label = counted(older.length, 'older run');
  if (older.length > STRIPS_MAX) {
    return { tables, lanes, note: remark(`${label} not drawn`, last, room.rows) };
  }
  const strip = h / older.length;
  for (const [index, run] of older.entries()) {
    const place = { y: last.y + index * strip, h: strip - 1 };
    tables.push(...runShapes(run, place, room));
  }
  lanes.push({ title: `+${older.length}`, label: `${label} of L${level}`, ...last });
  return { tables, lanes, note: null };
}

/** One row of disjoint tables; while tables are written into it, they have its lower part. */
function oneRun({ runs, written, isMerging }: Level, room: Room, span: Span): Placed {
  const { unit, line, right } = room.rows;
  const tables = runs.flat();
  const { y, h } = span;
  const half = (h - LANE_GAP) / 2;
  const isEven = half >= line - 2 || isMerging;
  const shared = isEven ? half : Math.max(h - line - 1, 5);
  const lower = written.length === 0 ? 0 : tables.length === 0 ? h : shared;
  const upper = lower === 0 ? h : Math.max(h - lower - LANE_GAP, 0);
  const below = { y: y + h - lower, h: lower };
  const shapes = runShapes(tables, { y, h: upper }, room);
  const isDense = tables.length > CAPTIONED_MAX;
  return {
    tables: [...shapes, ...written.flatMap((each) => each(below))],
    lanes: [],
    note: isDense
      ? {
          text: counted(tables.length, 'table'),
          x: right - 4,
          y: y + upper / 2 + unit * 0.36,
          anchor: 'end',
        }
      : null,
  };
}

const PLACES = { stack: stackedTables, lanes: lanedTables, one: oneRun };

/** The table `id` with its row. */
export function findTable(
  levels: readonly LevelRow[],
  id: string,
): { row: LevelRow; shape: TableShape } | null {
  for (const row of levels) {
    const shape = row.tables.find((table) => table.id === id);
    if (shape) return { row, shape };
  }
  return null;
}

/** Something in the picture that can be selected. */
export interface StageItem {
  /** Its selection. */
  id: string;
  box: Box;
}

/** In the order of the arrow keys. */
export const byX = (a: StageItem, b: StageItem) => a.box.x - b.box.x || a.box.y - b.box.y;

/** Each level with its tables. */
export function levelItems(levels: readonly LevelRow[]): StageItem[][] {
  return levels.flatMap(({ id, box, isPlain, tables }) => {
    if (isPlain) return [];
    const lanes = new Map<number, StageItem[]>();
    for (const shape of tables.toSorted(byX)) {
      const { y } = shape.box;
      lanes.set(y, [...(lanes.get(y) ?? []), { id: shape.id, box: shape.box }]);
    }
    const [first = [], ...others] = [...lanes].sort(([a], [b]) => a - b).map(([, lane]) => lane);
    return [[{ id, box: { ...box, x: 0, w: box.x - 10 } }, ...first], ...others];
  });
}

/** The keys of a table, down to a level below it. */
export function reachBox({ box: { x, y, w } }: TableShape, { box }: LevelRow): Box {
  return { x: x - 1, y: y - 5, w: w + 2, h: box.y + box.h - y + 10 };
}
