import type {
  JobView,
  LevelView,
  OutputView,
  ShownKey,
  TableInfo,
  View,
} from '../../../model/engine.generated';
import { compareKeys, keyText } from '../../../model/keys';
import { count, counted, ratio, size } from '../../../model/words';
import { type Writing, writtenRange } from '../../../model/writing';
import type { KeyAxis } from './axis';
import { type Box, fitText, LANE_GAP, LANES_MAX, textWidth } from './geometry';

/** A table of the picture, or several that share a few pixels. */
export interface TableShape {
  id: string;
  /** The table; `null` for several, or for one that is being written. */
  info: TableInfo | null;
  /** How many tables this stands for. */
  tables: number;
  box: Box;
  title: string;
  detail: string;
  /** `input`: of a running compaction. `output`: being written. */
  role: 'table' | 'input' | 'output';
  /** An output without a block yet: where in its box it will stand is not known. */
  empty: boolean;
  thin: boolean;
  /** One of so many side by side that they are drawn as one, see {@link barAt}. */
  bar: boolean;
  /** In words; made when asked for, because most of hundreds are never read. */
  label(): string;
}

/** The label of one run in the gutter. */
export interface Lane {
  title: string;
  y: number;
  h: number;
}

/** One level of the picture. */
export interface LevelRow {
  id: string;
  level: number;
  box: Box;
  title: string;
  /** Score, in words. */
  detail: string;
  /** Whether compaction would take it. */
  due: boolean;
  tables: TableShape[];
  /** Whether runs stand below each other, because they may overlap. */
  laned: boolean;
  /** Runs that are labelled, newest on top; none where a level is one run. */
  lanes: Lane[];
  /** The text at the right end: a running job, or the number of tables without room. */
  note: string;
  label: string;
}

const LABELLED_MAX = 24;
const NODES_MAX = 400;
const WIDTH_MIN = 5;
/** So far beside a bar it is still meant [px]. */
const BAR_REACH = 4;
/** Below this height, a table has no label [px]. */
const LABEL_MIN = 12;
/** From this height on, the size of a table stands below its number [px]. */
export const STACKED_MIN = 44;

/** Places the tables of one level. */
export function levelRow(
  view: View,
  writing: Writing,
  level: LevelView,
  axis: KeyAxis,
  row: Box,
): LevelRow {
  const number = level.score.level;
  const outputs = outputsOf(level, writing).map((output) => withInputs(output, view));
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const job = view.jobs.find((known) => known.outputLevel === number && known.what !== 'flush');
  const laned = hasLanes(level);
  const tables = laned
    ? lanedTables(level, outputs, inputs, axis, row)
    : deeperTables(level.tables, outputs, inputs, axis, row);
  const total = counted(level.tables.length, 'table');
  return {
    id: `level:${number}`,
    level: number,
    box: row,
    title: `L${number}`,
    detail: job && job.entriesTotal > 0 ? jobText(job) : scoreText(level),
    due: level.score.due,
    tables: tables.shapes,
    laned,
    lanes: tables.lanes,
    note: tables.note,
    label: `L${number}, ${level.tables.length === 0 ? 'empty' : total}, ${size(
      level.score.bytes,
    )}, ${scoreText(level)}`,
  };
}

function scoreText({ score, tables }: LevelView): string {
  if (score.level === 0 && score.limit > 0) {
    return `${count(tables.length)} of ${counted(score.limit, 'table')}`;
  }
  if (tables.length === 0) return 'empty';
  if (score.unit === 'runs') return `${count(score.runs)} of ${counted(score.limit, 'run')}`;
  return score.limit > 0 ? `score ${ratio(score.score)}` : size(score.bytes);
}

/** How far the compaction into a level has come. */
function jobText({ job, entriesDone, entriesTotal }: JobView): string {
  return `job ${job} ${Math.round((100 * entriesDone) / entriesTotal)} %`;
}

interface Placed {
  shapes: TableShape[];
  lanes: Lane[];
  note: string;
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

/** Lanes that a level needs: one for each run, and one for the tables being written. */
export function laneCount(level: LevelView, writing: Writing): number {
  if (!hasLanes(level)) return 1;
  const jobs = new Set(outputsOf(level, writing).map(({ job }) => job));
  return Math.max(runsOf(level).length + jobs.size, 1);
}

/** A table being written, and between which keys its job reads, where that is known. */
interface Output {
  output: OutputView;
  inputs: { smallest: ShownKey; largest: ShownKey } | null;
}

function withInputs(output: OutputView, view: View): Output {
  const numbers = new Set(view.jobs.find(({ job }) => job === output.job)?.inputs);
  const tables = view.levels.flatMap((level) => level.tables.filter((t) => numbers.has(t.table)));
  const [first] = tables;
  if (!first) return { output, inputs: null };
  const least = (a: ShownKey, b: ShownKey) => (compareKeys(a, b) <= 0 ? a : b);
  const most = (a: ShownKey, b: ShownKey) => (compareKeys(a, b) >= 0 ? a : b);
  const smallest = tables.map((table) => table.smallest).reduce(least, first.smallest);
  const largest = tables.map((table) => table.largest).reduce(most, first.largest);
  return { output, inputs: { smallest, largest } };
}

function outputsOf(level: LevelView, writing: Writing): OutputView[] {
  return [...writing.values()].filter((table) => table.level === level.score.level);
}

/** The tables being written, job by job: one job writes one run. */
function outputLanes(outputs: readonly Output[]): Output[][] {
  const lanes = new Map<number, Output[]>();
  for (const each of outputs) {
    const { job } = each.output;
    lanes.set(job, [...(lanes.get(job) ?? []), each]);
  }
  return [...lanes.values()];
}

/** A lane for each run, the newest on top, and the tables being written above them. */
function lanedTables(
  level: LevelView,
  outputs: readonly Output[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): Placed {
  const deeper = level.score.level > 0;
  const runs = runsOf(level);
  const written = outputLanes(outputs);
  const lanes = runs.length + written.length;
  const gap = deeper || lanes > 6 ? LANE_GAP : lanes > 3 ? 3 : 5;
  const fits = deeper ? LANES_MAX : Math.floor((row.h + gap) / (3 + gap));
  const shown = runs.slice(0, Math.max(fits - written.length, 0));
  const slots = Math.max(deeper ? 1 : 3, Math.min(lanes, fits));
  const h = Math.min((row.h - gap * (slots - 1)) / slots, 30);
  const lane = (index: number) => ({ y: row.y + index * (h + gap), h });
  const shapes = written.flatMap((tables, index) =>
    tables.map((output) => outputShape(output, axis, row, lane(index))),
  );
  const labels: Lane[] = [];
  for (const [index, run] of shown.entries()) {
    const { y } = lane(written.length + index);
    shapes.push(...rowOf(run, inputs, axis, { ...row, y, h }));
    if (deeper && h >= LABEL_MIN) labels.push({ title: String(run[0]?.run ?? ''), y, h });
  }
  const hidden = runs.length - shown.length;
  const what = deeper ? 'older run' : 'older table';
  return {
    shapes,
    lanes: labels,
    note: hidden > 0 ? `${counted(hidden, what)} not drawn` : '',
  };
}

/** The tables of one run, side by side. */
function rowOf(
  tables: readonly TableInfo[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): TableShape[] {
  return tables.length > LABELLED_MAX
    ? dense(tables, inputs, axis, row)
    : tables.map((info) => tableShape(info, inputs, place(info, axis, row, row.y, row.h)));
}

/** One row of disjoint tables; the outputs of a compaction cover its inputs only in part. */
function deeperTables(
  tables: readonly TableInfo[],
  outputs: readonly Output[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): Placed {
  const { h } = row;
  const covered = h >= STACKED_MIN ? h / 2 : h - 7;
  const bottom = { y: row.y + h - covered, h: covered };
  const shapes = rowOf(tables, inputs, axis, row);
  const written = outputs.map((output) => outputShape(output, axis, row, bottom));
  return {
    shapes: [...shapes, ...written],
    lanes: [],
    note: tables.length > LABELLED_MAX ? counted(tables.length, 'table') : '',
  };
}

function place(
  bounds: { smallest: ShownKey; largest: ShownKey },
  axis: KeyAxis,
  row: Box,
  y: number,
  h: number,
): Box {
  const from = axis.x(bounds.smallest);
  const w = Math.max(axis.x(bounds.largest) - from, WIDTH_MIN);
  return { x: Math.min(from, row.x + row.w - w), y, w, h };
}

function tableShape(info: TableInfo, inputs: ReadonlySet<number>, box: Box): TableShape {
  const input = inputs.has(info.table);
  const tombstones = info.tombstones > 0 ? ` · ${info.tombstones} ×` : '';
  return {
    id: `table:${info.table}`,
    info,
    tables: 1,
    box,
    ...captions(String(info.table), `${size(info.bytes)}${tombstones}`, box),
    role: input ? 'input' : 'table',
    empty: false,
    thin: box.w < 12,
    bar: false,
    label: () => tableLabel(info, input),
  };
}

function tableLabel(info: TableInfo, input: boolean): string {
  const range = `${keyText(info.smallest)} to ${keyText(info.largest)}`;
  const tombstones = info.tombstones > 0 ? `, ${counted(info.tombstones, 'tombstone')}` : '';
  const role = input ? ', input of a running compaction' : '';
  return `table ${info.table}, ${range}, ${size(info.bytes)}, ${counted(info.entries, 'entry')}${tombstones}${role}`;
}

/** Number and size: one below the other, side by side, or what fits. */
function captions(number: string, more: string, box: Box): { title: string; detail: string } {
  if (box.h < LABEL_MIN || box.w < textWidth(number.length) + 6) return { title: '', detail: '' };
  const room = box.h >= STACKED_MIN ? box.w - 14 : box.w - 26 - textWidth(number.length);
  return { title: number, detail: textWidth(more.length) <= room ? more : '' };
}

function outputShape(
  { output, inputs }: Output,
  axis: KeyAxis,
  row: Box,
  lane: { y: number; h: number },
): TableShape {
  const range = writtenRange(output);
  // Before its first block a table may come to stand wherever its inputs are.
  const within = range ?? inputs;
  const box = within ? place(within, axis, row, lane.y, lane.h) : { ...row, ...lane };
  const written = size(output.blocks.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
  const blocks = `${counted(output.blocks.length, 'block')}, ${written}`;
  const state = output.synced
    ? 'written, not yet installed'
    : output.fileBytes !== null
      ? 'written, not yet synced'
      : output.blocks.length === 0
        ? 'created, nothing written'
        : `being written, ${blocks}`;
  const title = String(output.table);
  const wide = box.w - 26 - textWidth(title.length);
  return {
    id: `table:${output.table}`,
    info: null,
    tables: 1,
    box,
    title: lane.h >= LABEL_MIN ? title : '',
    detail: lane.h >= LABEL_MIN ? fitText(state, wide) : '',
    role: 'output',
    empty: range === null,
    thin: false,
    bar: false,
    label: () => `table ${output.table}, ${state}`,
  };
}

/** At most [`NODES_MAX`] bars, whatever the number of tables. */
function dense(
  tables: readonly TableInfo[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): TableShape[] {
  const pixels = Math.max(row.w / NODES_MAX, 1);
  const groups: TableInfo[][] = [];
  let column = -1;
  for (const info of tables) {
    const at = Math.floor((axis.x(info.smallest) - row.x) / pixels);
    if (at === column) groups[groups.length - 1]?.push(info);
    else groups.push([info]);
    column = at;
  }
  return groups.flatMap((group) => {
    const first = group[0];
    const last = group[group.length - 1];
    if (!first || !last) return [];
    const from = axis.x(first.smallest);
    const w = Math.max(axis.x(last.largest) - from - 1, 1);
    const box = { x: from, y: row.y, w, h: row.h };
    const one = tableShape(first, inputs, box);
    const role: TableShape['role'] = group.some((info) => inputs.has(info.table))
      ? 'input'
      : 'table';
    const bare = { ...one, title: '', detail: '', thin: true, role, bar: role === 'table' };
    if (group.length === 1) return [bare];
    return [{ ...bare, tables: group.length, label: () => groupLabel(group, first, last) }];
  });
}

function groupLabel(group: readonly TableInfo[], first: TableInfo, last: TableInfo): string {
  const bytes = group.reduce((sum, info) => sum + info.bytes, 0);
  const range = `${keyText(first.smallest)} to ${keyText(last.largest)}`;
  return `${counted(group.length, 'table')} from table ${first.table} on, ${range}, ${size(bytes)}`;
}

/** The bar at a place of the picture, or the nearest one in its lane; `null` between two lanes. */
export function barAt(bars: readonly TableShape[], x: number, y: number): TableShape | null {
  let best: TableShape | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const bar of bars) {
    const { box } = bar;
    if (y < box.y || y > box.y + box.h) continue;
    const distance = Math.max(box.x - x, x - (box.x + box.w), 0);
    if (distance < least) [best, least] = [bar, distance];
  }
  return least <= BAR_REACH ? best : null;
}

/** Tables of the next level that share keys with `info`. */
export function overlapping(next: LevelView | undefined, info: TableInfo): TableInfo[] {
  return (next?.tables ?? []).filter(
    (table) =>
      compareKeys(table.largest, info.smallest) >= 0 &&
      compareKeys(table.smallest, info.largest) <= 0,
  );
}
