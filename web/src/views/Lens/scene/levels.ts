import { counted, joined, size } from '../../../model/words';
import { endsOf, LABEL_LETTERS, labelOf, sharedLetters, ticksOf } from '../../Stage/scene/axis';
import {
  type Box,
  clamp,
  layoutRows,
  type Needs,
  type Rows,
  type Span,
} from '../../Stage/scene/geometry';
import type { Inside } from '../../Stage/scene/inside';
import {
  findTable,
  type Level,
  type LevelRow,
  levelItems,
  placedLevel,
  reachBox,
  type StageItem,
} from '../../Stage/scene/levels';
import { insidePart, withOpened } from '../../Stage/scene/opened';
import type { Table } from '../../Stage/scene/tables';
import type { LevelLine, Levels, ShownKey, StepLine, TableLine } from './answers';
import { type FilesInput, fileRows } from './files';
import { type Extent, extentOf } from './history';
import { type Extremes, extremesOf, type Shade } from './shades';
import { ofTarget, percent, shortKey, tombstoneShare } from './words';

/** The levels of a family after a step, placed. */
export type LevelsScene = ReturnType<typeof levelsScene>;

/** The content of the picture, without places. */
export interface LevelsInput extends FilesInput {
  /** The levels before the step: removed tables are drawn at their former places. */
  before: Levels | null;
  /** Rows depend on the window and on the whole history, never on the step. */
  steps: readonly StepLine[];
  shade: Shade;
  /** The opened table: the others are strips. */
  inside?: Inside | null;
}

/** More lanes of level 0 share their height. */
const LANES_MAX = 7;
const NO_MEMORY = { memtables: [], wals: [] };
const NO_HUES = { hue: () => 0 };

/** Places everything; a function of its arguments alone. */
export function levelsScene(input: LevelsInput, width: number, height: number) {
  const { answer, steps } = input;
  const inside = input.inside && insidePart(input.inside);
  const extent = extentOf(steps, answer);
  const lanes = clamp(extent.most, 2, LANES_MAX);
  const runs = runsOfLevels(extent);
  const l0 = answer.levels[0]?.tables.length ?? 0;
  const at = runs.findIndex(({ from }) => from === inside?.row);
  const rows = inside
    ? inside.rows(
        width,
        height,
        [l0, ...runs.slice(1).map(() => 0)],
        at < 0 ? inside.row : at,
        true,
      )
    : layoutRows(width, height, needsOf(runs, lanes, answer));
  const { from, to } = endsOf(rows);
  const textOf = ([, key]: Tick) => shortKey(key, Number.POSITIVE_INFINITY);
  const shared = sharedLetters(answer.axis, textOf);
  const label = (key: ShownKey) =>
    labelOf(shortKey(key, Number.POSITIVE_INFINITY), shared, shortKey(key, LABEL_LETTERS));
  const x = (share: number) => from + share * (to - from);
  const ground = { rows, label, x, lanes, extremes: extremesOf(answer) };
  const levels = runs.map((run, index) => {
    const row = rowOf(run, input, ground, rows.levels[index] ?? { y: 0, h: 0 });
    return inside?.strip(row) ?? row;
  });
  const files = fileRows(input, rows);
  const wals = files.flatMap((row) => row.files);
  const opened =
    inside?.draw({ rows, levels, axis: NO_HUES, memory: { memtables: [], wals } }) ?? null;
  const of = (name: string) => files.find(({ className }) => className === name)?.files ?? [];
  const items: StageItem[][] = [of('wal'), ...levelItems(levels), of('blobs')];
  return {
    ...{ width, height: rows.height, rows, levels, opened, shared },
    files,
    ticks: ticksOf(
      answer.axis,
      ([at]) => x(at),
      ([, key]) => label(key),
      rows,
    ),
    items: withOpened(items, opened),
    ...{ memory: NO_MEMORY, sweep: null, plumb: null },
  };
}

type Tick = Levels['axis'][number];

interface Ground {
  rows: Rows;
  /** A key as a label. */
  label(key: ShownKey): string;
  /** Where a share of the axis is [px]. */
  x(share: number): number;
  /** Of level 0. */
  lanes: number;
  extremes: Extremes;
}

/** First and last level of a row; they differ where no step ever used them. */
interface LevelRun {
  from: number;
  to: number;
  isUnused: boolean;
}

/** A row for each used level, and one for all unused levels between two of them. */
function runsOfLevels({ levels }: Extent): LevelRun[] {
  const rows: LevelRun[] = [];
  let next = 0;
  for (const level of levels) {
    if (level > next) rows.push({ from: next, to: level - 1, isUnused: true });
    rows.push({ from: level, to: level, isUnused: false });
    next = level + 1;
  }
  return rows;
}

/** Level 0 has a row in every picture. */
function needsOf(
  [, ...deeper]: readonly LevelRun[],
  l0: number,
  { levels, blobFiles }: Levels,
): Needs {
  return {
    l0,
    deeper: deeper.map(({ from, isUnused }) => {
      const line = levels.find(({ level }) => level === from);
      return isUnused ? 0 : Math.max(runNumbers(line?.tables ?? []).length, 1);
    }),
    stored: { hasBlobs: blobFiles.length > 0 },
  };
}

function rowOf(run: LevelRun, input: LevelsInput, ground: Ground, span: Span): LevelRow {
  const room = { rows: ground.rows, beadsOn: () => [] };
  const placed = ({ levels }: Levels) => {
    const line = levels.find(({ level }) => level === run.from) ?? null;
    return placedLevel(levelOf(run, line, input, ground), room, span);
  };
  const row = placed(input.answer);
  const gone = goneOf(run, input, placed, row);
  return gone.length > 0 ? { ...row, gone, note: null } : row;
}

function levelOf(run: LevelRun, line: LevelLine | null, input: LevelsInput, ground: Ground): Level {
  const { from, to, isUnused } = run;
  const tables = (line?.tables ?? []).map((table) => tableOf(table, from, input, ground));
  const sublevels = line?.tables.flatMap(({ sublevel }) => sublevel ?? []) ?? [];
  const runs = runsOf(from, line?.tables ?? [], tables);
  const target = line?.targetBytes ?? 0;
  const filled = line === null || target === 0 ? null : line.bytes / target;
  const caption = captionOf(line);
  const title = from === to ? `L${from}` : `L${from}–L${to}`;
  return {
    ...{ level: from, title, filled, isMerging: false, written: [] },
    hint: tables.length === 0 ? '' : (line?.noTarget ?? ''),
    wordings: isUnused ? [] : [caption, caption.replace(/ of .*/, '')],
    due: filled !== null && filled > 1,
    order: from === 0 ? 'stack' : runs.length > 1 ? 'lanes' : 'one',
    lanes: from === 0 ? ground.lanes : runs.length,
    runs,
    sublevels: sublevels.length === tables.length ? sublevels : null,
    note: isUnused ? 'never used' : tables.length === 0 ? 'empty' : '',
    label: joined([title, counted(tables.length, 'table'), caption]),
  };
}

/** The runs of a level below L0, the newest first; of other engines than Levelscope there is one. */
function runNumbers(lines: readonly TableLine[]): number[] {
  return [...new Set(lines.map(({ sublevel }) => sublevel ?? 0))].sort((a, b) => b - a);
}

/** The tables of each run; of L0 each table is one. */
function runsOf(level: number, lines: readonly TableLine[], tables: readonly Table[]): Table[][] {
  if (level === 0) return tables.map((table) => [table]);
  return runNumbers(lines).map((run) =>
    tables
      .filter((_, index) => (lines[index]?.sublevel ?? 0) === run)
      .sort((a, b) => a.from - b.from),
  );
}

function captionOf(line: LevelLine | null): string {
  if (line === null) return '';
  if (line.targetBytes === null) return line.tables.length === 0 ? '' : size(line.bytes);
  return ofTarget(line.bytes, line.targetBytes);
}

function tableOf(
  table: TableLine,
  level: number,
  { shade, isPast }: LevelsInput,
  { x, label, extremes }: Ground,
): Table {
  const { isNew, isMissing } = table;
  const isDeleted = isMissing && isPast;
  return {
    ...{ number: table.number, run: 0, role: 'table', deleted: null, isNew, isDeleted },
    from: x(table.from),
    to: x(table.to),
    shade: shade.darkness(table, extremes),
    tombstones: tombstoneShare(table) ?? 0,
    words: () => ({
      first: label(table.smallest),
      last: label(table.largest),
      figures: wordings(table, shade, extremes),
    }),
    label: () => tableLabel(table, level, isDeleted),
  };
}

/** Words after the number, from the longest wording to the shortest: the shaded figure is never left out first. */
function wordings(table: TableLine, shade: Shade, extremes: Extremes): string[] {
  const share = tombstoneShare(table);
  const dead = share === null || share === 0 ? null : `× ${percent(share)}`;
  const bytes = size(table.bytes);
  const lead = shade.words(table, extremes);
  if (lead !== null) return lead === bytes ? [lead] : [`${lead} · ${bytes}`, lead];
  return dead === null ? [bytes] : [`${bytes} · ${dead}`, dead, bytes];
}

function tableLabel(table: TableLine, level: number, isDeleted: boolean): string {
  const share = tombstoneShare(table);
  return joined([
    `table ${table.number} in L${level}`,
    `${shortKey(table.smallest)} to ${shortKey(table.largest)}`,
    size(table.bytes),
    share === null || share === 0 ? '' : `${percent(share)} of its entries are tombstones`,
    table.isNew && 'new in this step',
    isDeleted && 'deleted since',
  ]);
}

/** Height of a removed table below a level [px]. */
const GONE_H = 4;

/**
 * Tables that the step took out of the level, where they were before; in a deeper level, where another table has
 * their keys now, as a strip below it.
 */
function goneOf(
  { from, isUnused }: LevelRun,
  { answer, before, steps }: LevelsInput,
  placed: (levels: Levels) => LevelRow,
  { tables, box: { y, h } }: LevelRow,
): LevelRow['gone'] {
  const step = steps[answer.step];
  if (isUnused || !step || before?.step !== answer.step - 1) return [];
  const numbers = new Set(
    step.removed.filter(([level]) => level === from).map(([, number]) => number),
  );
  if (numbers.size === 0) return [];
  const strip = { y: y + h, h: GONE_H };
  return placed(before).tables.flatMap(({ table, box }) => {
    if (!table || !numbers.has(table.number)) return [];
    const isTaken = tables.some(
      (now) => now.box.x < box.x + box.w && box.x < now.box.x + now.box.w,
    );
    return [{ number: table.number, box: from > 0 && isTaken ? { ...box, ...strip } : box }];
  });
}

/** Where the keys of a table are in the levels below it, and the tables there; `null` when `id` is no table. */
export function reachOf(
  { levels }: LevelsScene,
  id: string | null,
): { box: Box; ids: Set<string> } | null {
  const found = id === null ? null : findTable(levels, id);
  const own = found?.shape.table;
  const last = levels.at(-1);
  if (!found || !own || !last) return null;
  const below = levels
    .filter(({ level }) => level > found.row.level)
    .flatMap(({ tables }) => tables)
    .filter(({ table }) => table && table.from <= own.to && table.to >= own.from);
  return { box: reachBox(found.shape, last), ids: new Set(below.map((shape) => shape.id)) };
}

/** The files that are damaged or missing, in words. */
export function damagesOf({ answer, isPast }: LevelsInput): Map<string, string> {
  const files = [
    ...answer.levels.flatMap(({ tables }) =>
      tables.map((table) => ({ ...table, id: `table:${table.number}` })),
    ),
    ...answer.logs.map((log) => ({ ...log, isMissing: false, id: `@${log.file}` })),
    ...answer.blobFiles.map((blob) => ({ ...blob, id: `@${blob.file}` })),
  ];
  return new Map(
    files.flatMap(({ id, isMissing, isDamaged }): [string, string][] => {
      if (isMissing && !isPast) return [[id, 'missing']];
      return isDamaged ? [[id, 'damaged']] : [];
    }),
  );
}
