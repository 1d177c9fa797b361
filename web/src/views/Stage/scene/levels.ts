import type {
  JobView,
  LevelView,
  OutputView,
  TableInfo,
  View,
} from '../../../model/engine.generated';
import { compareKeys } from '../../../model/keys';
import { count, counted, ratio, size } from '../../../model/words';
import type { Writing } from '../../../model/writing';
import { LANE_GAP, LANES_MAX, type Rows, type Span } from './geometry';
import { withWordsBeside } from './narrow';
import {
  CAPTIONED_MAX,
  type Ground,
  type Output,
  outputShapes,
  runShapes,
  type TableShape,
  WIDTH_MIN,
} from './tables';
import { boldWidth, fitting } from './text';

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

/** One level of the picture. */
export type LevelRow = ReturnType<typeof levelRow>;

/** Places the tables of one level. */
export function levelRow(
  view: View,
  writing: Writing,
  level: LevelView,
  ground: Ground & { through: number },
  span: Span,
) {
  const { left, right } = ground.rows;
  const number = level.score.level;
  const outputs = outputsOf(level, writing).map((output) => withInputs(output, view));
  const job = view.jobs.find((known) => known.outputLevel === number && known.what !== 'flush');
  const laned = hasLanes(level);
  const placed =
    number === 0
      ? stackedTables(level, outputs, ground, span)
      : laned
        ? lanedTables(level, outputs, ground, span)
        : oneRun(level.tables, outputs, ground, span);
  const total = counted(level.tables.length, 'table');
  // While nothing is in them, levels share a row.
  const isShared = ground.through > number && level.tables.length === 0 && outputs.length === 0;
  const title = isShared ? `L${number}–L${ground.through}` : `L${number}`;
  const wordings = job && job.entriesTotal > 0 ? jobTexts(job) : scoreTexts(level);
  return {
    id: `level:${number}`,
    level: number,
    box: { x: left, w: right - left, ...span },
    ...headOf(
      { title, wordings, due: level.score.due, numbered: laned && number > 0 },
      ground,
      span,
    ),
    title,
    // Score, in words.
    detail: wordings[0] ?? '',
    // Whether a compaction would pick it.
    due: level.score.due,
    // Whether runs stand below each other, because they may overlap.
    laned,
    ...placed,
    tables: withWordsBeside(placed.tables, ground),
    label: `${title}, ${level.tables.length === 0 ? 'empty' : total}, ${size(
      level.score.bytes,
    )}, ${scoreTexts(level)[0]}`,
  };
}

interface Head {
  title: string;
  /** From the longest to the shortest. */
  wordings: readonly string[];
  due: boolean;
  /** Whether the numbers of runs stand at the right end of the gutter. */
  numbered: boolean;
}

/** Title and score: one below the other, or side by side. */
function headOf({ title, wordings, due, numbered }: Head, { rows }: Ground, { y, h }: Span) {
  const { unit, line, left } = rows;
  const tall = h >= 2 * line;
  const x = tall ? unit : unit * 1.4 + boldWidth(title, unit);
  const signed = due ? wordings.map((wording) => `▲ ${wording}`) : wordings;
  const text = fitting(signed, left - x - unit * (numbered ? 2.4 : 0.5), unit);
  const titleY = tall ? y + (h - 2 * line) / 2 + line * 0.78 : y + h / 2 + unit * 0.36;
  return { titleY, caption: { text, x, y: tall ? titleY + line : titleY } };
}

/** How full a level is, from the longest wording to the shortest. */
function scoreTexts({ score, tables }: LevelView): string[] {
  const of = (have: number, what: string) => {
    const [has, limit] = [count(have), count(score.limit)];
    return [`${has} of ${counted(score.limit, what)}`, `${has} of ${limit}`, `${has}/${limit}`];
  };
  if (score.level === 0 && score.limit > 0) return of(tables.length, 'table');
  if (tables.length === 0) return ['empty'];
  if (score.unit === 'runs') return of(score.runs, 'run');
  if (score.limit === 0) return [size(score.bytes)];
  return [`score ${ratio(score.score)}`, ratio(score.score)];
}

/** The progress of the compaction into a level. */
function jobTexts({ job, entriesDone, entriesTotal }: JobView): string[] {
  const percent = `${Math.round((100 * entriesDone) / entriesTotal)} %`;
  return [`job ${job}: ${percent}`, `job ${percent}`];
}

interface Placed {
  tables: TableShape[];
  lanes: Lane[];
  note: Note | null;
}

/** The runs of a level, newest first: its tables stand run by run. */
export function runsOf(level: LevelView): TableInfo[][] {
  const runs: TableInfo[][] = [];
  for (const table of level.tables) {
    const last = runs[runs.length - 1];
    if (last?.[0]?.run === table.run) last.push(table);
    else runs.push([table]);
  }
  return runs;
}

/** Whether each run has a lane of its own: they may overlap. */
function hasLanes(level: LevelView): boolean {
  return level.score.level === 0 || level.score.unit === 'runs' || runsOf(level).length > 1;
}

/**
 * Lanes that a level should have: below L0 one for each run and one for the table that comes next; in L0 those of
 * the tables that start a compaction, whatever it holds now.
 */
export function laneCount(level: LevelView): number {
  if (level.score.level === 0) return Math.max(level.score.limit + 1, 3);
  if (!hasLanes(level)) return 1;
  return Math.min(runsOf(level).length + 1, LANES_MAX);
}

function withInputs(output: OutputView, view: View): Output {
  const job = view.jobs.find((known) => known.job === output.job);
  const done = job ? job.entriesDone / Math.max(job.entriesTotal, 1) : 1;
  const numbers = new Set(job?.inputs);
  const tables = view.levels.flatMap((level) => level.tables.filter((t) => numbers.has(t.table)));
  const smallest = tables.map((table) => table.smallest).sort(compareKeys)[0];
  const largest = tables
    .map((table) => table.largest)
    .sort(compareKeys)
    .at(-1);
  return { output, inputs: smallest && largest ? { smallest, largest } : null, done };
}

function outputsOf(level: LevelView, writing: Writing): OutputView[] {
  return [...writing.values()].filter((table) => table.level === level.score.level);
}

/** The tables being written, job by job: one job writes one run. */
function byJob(outputs: readonly Output[]): Output[][] {
  const jobs = new Map<number, Output[]>();
  for (const each of outputs) {
    const { job } = each.output;
    jobs.set(job, [...(jobs.get(job) ?? []), each]);
  }
  return [...jobs.values()];
}

/** Height of a strip, the least that can be pointed at [px]. */
const STRIP_MIN = 5;

/**
 * L0: tables are stacked in their order, the newest on top; a table being written already has its final place. Without
 * room for a lane each, tables without common keys share a lane, and if that is not enough, lanes get lower. A table is
 * always at its keys.
 */
function stackedTables(
  level: LevelView,
  outputs: readonly Output[],
  ground: Ground,
  span: Span,
): Placed {
  const { line, lane: whole } = ground.rows;
  const written = byJob(outputs);
  const above = Math.max(written.length, 1);
  const oldestFirst = level.tables.toReversed();
  const [high = 1, low = 1] = [whole, line].map((each) =>
    Math.max(Math.floor((span.h + LANE_GAP) / (each + LANE_GAP)), 1),
  );
  // Room for entries, as long as all tables have it.
  const fits = oldestFirst.length + above <= high ? high : low;
  const isRoomy = oldestFirst.length + above <= fits;
  const most = Math.max(Math.floor((span.h - line) / (STRIP_MIN + 1)) - written.length, 1);
  const { shown, places } = isRoomy
    ? { shown: oldestFirst, places: oldestFirst.map((_, index) => index) }
    : piled(oldestFirst, most, ground);
  const depth = Math.max(0, ...places.map((place) => place + 1));
  const hidden = oldestFirst.length - shown.length;
  const wanted = Math.max(Math.min(laneCount(level), fits), Math.min(depth + above, fits));
  const lanes = Math.max(wanted, depth + written.length);
  // Those that are not drawn are counted below the others.
  const room = hidden > 0 ? span.h - line : span.h;
  const pitch = Math.min((room + LANE_GAP) / lanes, 2.2 * line + LANE_GAP);
  const h = Math.max(pitch - Math.min(LANE_GAP, pitch * 0.2), 1);
  const lane = (fromBelow: number): Span => ({ y: span.y + room - h - fromBelow * pitch, h });
  const tables = written.flatMap((each, index) => outputShapes(each, lane(depth + index), ground));
  // The newest first, as in the level.
  for (const [index, info] of [...shown.entries()].reverse()) {
    tables.push(...runShapes([info], lane(places[index] ?? 0), ground));
  }
  return { tables, lanes: [], note: hidden > 0 ? olderNote(hidden, span, ground.rows) : null };
}

/** Stacks each table on the older ones that it overlaps in the picture; of more than `most`, only the newest are drawn. */
function piled(
  oldestFirst: readonly TableInfo[],
  most: number,
  { axis }: Ground,
): { shown: readonly TableInfo[]; places: number[] } {
  const ends = oldestFirst.map(({ smallest, largest }) => [axis.x(smallest), axis.x(largest)]);
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

/** Least height of so many runs, one below the other, each with its number [px]. */
export function lanesHeight(runs: number, unit: number): number {
  return runs * (unit * LOW_LANE + LANE_GAP) - LANE_GAP;
}

/** Height of the digits of a number, with the space around them [sizes of the text]. */
const LOW_LANE = 0.75;

/** Older runs without a lane of their own are strips in the last lane, as long as there are few. */
const STRIPS_MAX = 6;

/** A lane for each run, the newest on top, and the tables being written above them. */
function lanedTables(
  level: LevelView,
  outputs: readonly Output[],
  ground: Ground,
  span: Span,
): Placed {
  const { unit, line, left } = ground.rows;
  const runs = runsOf(level);
  const written = byJob(outputs);
  const fits = Math.max(Math.floor((span.h + LANE_GAP) / (line + LANE_GAP)), 1);
  const roomy = Math.max(written.length, fits > 1 ? 1 : 0);
  // Low lanes for all runs rather than none for some.
  const all = runs.length + Math.max(written.length, 1);
  const isLow = runs.length + roomy > fits && lanesHeight(all, unit) <= span.h;
  const above = isLow ? all - runs.length : roomy;
  const most = isLow ? all : Math.max(fits, above + 1);
  const slots = Math.max(Math.min(runs.length + above, most), 1);
  const h = (span.h - LANE_GAP * (slots - 1)) / slots;
  const lane = (index: number): Span => ({ y: span.y + index * (h + LANE_GAP), h });
  const tables = written.flatMap((each, index) => outputShapes(each, lane(index), ground));
  const lanes: Lane[] = [];
  const own = runs.length + above <= slots ? runs.length : Math.max(slots - above - 1, 0);
  for (const [index, run] of runs.slice(0, own).entries()) {
    const place = lane(above + index);
    tables.push(...runShapes(run, place, ground));
    const title = String(run[0]?.run ?? '');
    lanes.push({ title, label: `run ${title} of L${level.score.level}`, ...place });
  }
  const older = runs.slice(own);
  if (older.length === 0) return { tables, lanes, note: null };
  const last = lane(slots - 1);
  const label = counted(older.length, 'older run');
  if (older.length > STRIPS_MAX) {
    const text = `${label} not drawn`;
    const y = last.y + h / 2 + unit * 0.36;
    return { tables, lanes, note: { text, x: left, y, anchor: 'start' } };
  }
  const strip = h / older.length;
  for (const [index, run] of older.entries()) {
    const place = { y: last.y + index * strip, h: strip - 1 };
    tables.push(...runShapes(run, place, ground));
  }
  lanes.push({ title: `+${older.length}`, label: `${label} of L${level.score.level}`, ...last });
  return { tables, lanes, note: null };
}

/** One row of disjoint tables; while tables are written into it, they have its lower part. */
function oneRun(
  tables: readonly TableInfo[],
  outputs: readonly Output[],
  ground: Ground,
  span: Span,
): Placed {
  const { unit, line, right } = ground.rows;
  const { y, h } = span;
  const half = (h - LANE_GAP) / 2;
  // A merge has no captions that need a line.
  const isEven = half >= line - 2 || (ground.read?.size ?? 0) > 0;
  const shared = isEven ? half : Math.max(h - line - 1, 5);
  const lower = outputs.length === 0 ? 0 : tables.length === 0 ? h : shared;
  const upper = lower === 0 ? h : Math.max(h - lower - LANE_GAP, 0);
  const below = { y: y + h - lower, h: lower };
  const shapes = runShapes(tables, { y, h: upper }, ground);
  const isDense = tables.length > CAPTIONED_MAX;
  return {
    tables: [...shapes, ...outputShapes(outputs, below, ground)],
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

/** Tables of the next level that share keys with `info`. */
export function overlapping(next: LevelView | undefined, info: TableInfo): TableInfo[] {
  return (next?.tables ?? []).filter(
    (table) =>
      compareKeys(table.largest, info.smallest) >= 0 &&
      compareKeys(table.smallest, info.largest) <= 0,
  );
}

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
