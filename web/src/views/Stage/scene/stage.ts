import type { ShownKey, View } from '../../../model/engine.generated';
import { type Writing, writtenRange } from '../../../model/writing';
import { type AxisTick, keyAxis } from './axis';
import { type Box, layoutRows, type Rows } from './geometry';
import { type LevelRow, laneCount, levelRow, overlapping, type TableShape } from './levels';
import { type MemoryScene, memoryScene } from './memory';
import { type TransactionScene, transactionScene } from './transactions';

/** Something on the stage that can be selected. */
export interface StageItem {
  /** Its selection. */
  id: string;
  box: Box;
}

/** The whole picture as boxes and labels; a pure function of the view and the window. */
export interface Scene {
  width: number;
  height: number;
  rows: Rows;
  transactions: TransactionScene;
  memory: MemoryScene;
  levels: LevelRow[];
  ticks: AxisTick[];
  /** From a memtable being flushed to the table being written. */
  flows: Flow[];
  /** The order of the arrow keys: rows from top to bottom, each from left to right. */
  items: StageItem[][];
}

/** The way of entries from one box to another. */
export interface Flow {
  id: string;
  path: string;
}

/** Builds the picture of `view` for a stage of `width` × `height` pixels. */
export function stageScene(view: View, writing: Writing, width: number, height: number): Scene {
  const rows = layoutRows(
    width,
    height,
    view.levels.map((level) => laneCount(level, writing)),
    view.transactions.length > 0,
  );
  const axis = keyAxis(bounds(view, writing), rows.left, rows.right);
  const memory = memoryScene(view, rows);
  const levels = view.levels.map((level, index) => {
    const { y, h } = rows.levels[index] ?? { y: 0, h: 22 };
    const box = { x: rows.left, y, w: rows.right - rows.left, h };
    return levelRow(view, writing, level, axis, box);
  });
  return {
    width,
    height: rows.height,
    rows,
    transactions: transactionScene(view, rows),
    memory,
    levels,
    ticks: axis.ticks,
    flows: flows(view, memory, levels),
    items: items(memory, levels),
  };
}

function bounds(view: View, writing: Writing): ShownKey[] {
  const keys: ShownKey[] = [];
  for (const level of view.levels) {
    for (const table of level.tables) keys.push(table.smallest, table.largest);
  }
  for (const table of writing.values()) {
    const range = writtenRange(table);
    if (range) keys.push(range.smallest, range.largest);
  }
  return keys;
}

function flows(view: View, memory: MemoryScene, levels: readonly LevelRow[]): Flow[] {
  return view.jobs.flatMap((job) => {
    if (job.what !== 'flush') return [];
    const from = memory.memtables.find((shape) => shape.memtable.memtable === job.memtable);
    const outputs = new Set(job.outputs.map((table) => `table:${table}`));
    const to = levels[0]?.tables.find((shape) => outputs.has(shape.id) && shape.role === 'output');
    if (!from || !to) return [];
    return [{ id: `flow:${job.job}`, path: flowPath(from.box, to.box) }];
  });
}

function flowPath(from: Box, to: Box): string {
  const x0 = from.x + from.w - 12;
  const y0 = from.y + from.h + 3;
  const x1 = Math.min(Math.max(x0 - 40, to.x + 16), to.x + Math.max(to.w - 16, 8));
  const y1 = to.y - 3;
  const middle = (y0 + y1) / 2 + 14;
  return `M${x0} ${y0} C${x0} ${middle} ${x1} ${middle - 10} ${x1} ${y1}`;
}

function items(memory: MemoryScene, levels: readonly LevelRow[]): StageItem[][] {
  const byX = (a: StageItem, b: StageItem) => a.box.x - b.box.x || a.box.y - b.box.y;
  const rows: StageItem[][] = [
    memory.memtables.map(({ id, box }) => ({ id, box })),
    memory.wals.map(({ id, box }) => ({ id, box })).sort(byX),
  ];
  for (const row of levels) {
    const { id, box } = row;
    const head = { id, box: { ...box, x: 0, w: box.x - 10 } };
    const tables = row.tables.map((shape) => ({ id: shape.id, box: shape.box }));
    rows.push([head, ...(row.laned ? tables : tables.sort(byX))]);
  }
  return rows.filter((row) => row.length > 0);
}

/** The overlap of one table with the next level, for showing. */
export interface Overlap {
  box: Box;
  /** Selections of the tables that overlap. */
  ids: ReadonlySet<string>;
}

/** The tables that `id` overlaps in the next level; `null` when it is no table of a level. */
export function overlapOf(view: View, scene: Scene, id: string | null): Overlap | null {
  const from = id === null ? null : findTable(scene, id);
  if (!from?.shape.info) return null;
  const below = scene.levels[from.row.level + 1];
  if (!below) return null;
  const tables = overlapping(view.levels[below.level], from.shape.info);
  const { x, y, w } = from.shape.box;
  const bottom = below.box.y + below.box.h;
  return {
    box: { x: x - 1, y: y - 5, w: w + 2, h: bottom - y + 10 },
    ids: new Set(tables.map((table) => `table:${table.table}`)),
  };
}

function findTable(scene: Scene, id: string): { row: LevelRow; shape: TableShape } | null {
  for (const row of scene.levels) {
    const shape = row.tables.find((table) => table.id === id);
    if (shape) return { row, shape };
  }
  return null;
}
