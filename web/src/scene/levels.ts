import type { JobView, LevelView, ShownKey, TableInfo, View } from '../model/engine.generated';
import { compareKeys, keyText } from '../model/keys';
import { count, counted, ratio, size } from '../model/words';
import { type Writing, type WritingTable, writtenRange } from '../model/writing';
import type { KeyAxis } from './axis';
import { type Box, fitText, textWidth } from './geometry';

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
  /** Part of an output that is written, 0 to 1. */
  fill: number;
  thin: boolean;
  label: string;
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
  /** Told at the right end: a running job, or tables without room. */
  note: string;
  label: string;
}

const LABELLED_MAX = 24;
const NODES_MAX = 400;
const WIDTH_MIN = 5;
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
  const outputs = [...writing.values()].filter((table) => table.level === number);
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const job = view.jobs.find((known) => known.outputLevel === number && known.what !== 'flush');
  const tables =
    number === 0
      ? l0Tables(level.tables, outputs, inputs, axis, row)
      : deeperTables(level.tables, outputs, inputs, axis, row);
  const total = counted(level.tables.length, 'table');
  return {
    id: `level:${number}`,
    level: number,
    box: row,
    title: `L${number}`,
    detail: job && job.entriesTotal > 0 ? jobText(job) : scoreText(level),
    due: level.score.score >= 1,
    tables: tables.shapes,
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
  return score.limit > 0 ? `score ${ratio(score.score)}` : size(score.bytes);
}

/** How far the compaction into a level has come. */
function jobText({ job, entriesDone, entriesTotal }: JobView): string {
  return `job ${job} ${Math.round((100 * entriesDone) / entriesTotal)} %`;
}

interface Placed {
  shapes: TableShape[];
  note: string;
}

/** A lane for each table, the newest on top: L0 tables may overlap. */
function l0Tables(
  tables: readonly TableInfo[],
  outputs: readonly WritingTable[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): Placed {
  const lanes = tables.length + outputs.length;
  const gap = lanes > 6 ? 2 : lanes > 3 ? 3 : 5;
  const fits = Math.floor((row.h + gap) / (3 + gap));
  const shown = tables.slice(0, Math.max(fits - outputs.length, 0));
  const slots = Math.max(3, Math.min(lanes, fits));
  const h = Math.min((row.h - gap * (slots - 1)) / slots, 30);
  const lane = (index: number) => row.y + index * (h + gap);
  const written = outputs.map((output, index) =>
    outputShape(output, axis, row, { y: lane(index), h }),
  );
  const rest = shown.map((info, index) =>
    tableShape(info, inputs, place(info, axis, row, lane(outputs.length + index), h)),
  );
  const hidden = tables.length - shown.length;
  return {
    shapes: [...written, ...rest],
    note: hidden > 0 ? `${counted(hidden, 'older table')} not drawn` : '',
  };
}

/** One row of disjoint tables; what a compaction writes covers what it replaces, but not all of it. */
function deeperTables(
  tables: readonly TableInfo[],
  outputs: readonly WritingTable[],
  inputs: ReadonlySet<number>,
  axis: KeyAxis,
  row: Box,
): Placed {
  const { h } = row;
  const covered = h >= STACKED_MIN ? h / 2 : h - 7;
  const bottom = { y: row.y + h - covered, h: covered };
  const shapes =
    tables.length > LABELLED_MAX
      ? dense(tables, inputs, axis, row)
      : tables.map((info) => tableShape(info, inputs, place(info, axis, row, row.y, h)));
  const written = outputs.map((output) => outputShape(output, axis, row, bottom));
  return {
    shapes: [...shapes, ...written],
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
  const range = `${keyText(info.smallest)} to ${keyText(info.largest)}`;
  return {
    id: `table:${info.table}`,
    info,
    tables: 1,
    box,
    ...captions(String(info.table), `${size(info.bytes)}${tombstones}`, box),
    role: input ? 'input' : 'table',
    fill: 1,
    thin: box.w < 12,
    label: `table ${info.table}, ${range}, ${size(info.bytes)}, ${counted(info.entries, 'entry')}${
      info.tombstones > 0 ? `, ${counted(info.tombstones, 'tombstone')}` : ''
    }${input ? ', input of a running compaction' : ''}`,
  };
}

/** Number and size: one below the other, side by side, or what fits. */
function captions(number: string, more: string, box: Box): { title: string; detail: string } {
  if (box.h < LABEL_MIN || box.w < textWidth(number.length) + 6) return { title: '', detail: '' };
  const room = box.h >= STACKED_MIN ? box.w - 14 : box.w - 26 - textWidth(number.length);
  return { title: number, detail: textWidth(more.length) <= room ? more : '' };
}

function outputShape(
  output: WritingTable,
  axis: KeyAxis,
  row: Box,
  lane: { y: number; h: number },
): TableShape {
  const range = writtenRange(output);
  const box = range
    ? place(range, axis, row, lane.y, lane.h)
    : { x: row.x, y: lane.y, w: Math.min(row.w, 240), h: lane.h };
  const blocks = counted(output.blocks.length, 'block');
  const state = output.synced
    ? 'written, not yet installed'
    : output.fileBytes !== null
      ? 'written, not yet synced'
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
    fill: output.synced ? 1 : output.fileBytes !== null ? 0.9 : 0.6,
    thin: false,
    label: `table ${output.table}, ${state}`,
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
    const bare = { ...one, title: '', detail: '', thin: true };
    if (group.length === 1) return [bare];
    const bytes = group.reduce((sum, info) => sum + info.bytes, 0);
    const range = `${keyText(first.smallest)} to ${keyText(last.largest)}`;
    const role = group.some((info) => inputs.has(info.table)) ? ('input' as const) : 'table';
    const label = `${counted(group.length, 'table')} from table ${first.table} on, ${range}, ${size(bytes)}`;
    return [{ ...bare, tables: group.length, role, label }];
  });
}

/** Tables of the next level that share keys with `info`. */
export function overlapping(next: LevelView | undefined, info: TableInfo): TableInfo[] {
  return (next?.tables ?? []).filter(
    (table) =>
      compareKeys(table.largest, info.smallest) >= 0 &&
      compareKeys(table.smallest, info.largest) <= 0,
  );
}
