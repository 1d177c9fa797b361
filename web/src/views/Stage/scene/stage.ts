import type { LevelView, RecentWrites, ShownKey, View } from '../../../model/engine.generated';
import type { Writing } from '../../../model/writing';
import { type KeyScale, keyAxis } from './axis';
import { type Contents, crowdKeys, knownEntries, knownKeys, NO_CONTENTS } from './contents';
import { type Box, layoutRows, type Needs } from './geometry';
import { findTable, type LevelRow, laneCount, levelRow, overlapping } from './levels';
import { type ManifestScene, manifestScene } from './manifest';
import { type MemoryScene, memoryScene } from './memory';
import type { Plumb } from './plumb';
import type { MergePart } from './sweep';
import type { Tree } from './tags';
import { transactionScene } from './transactions';

/** Something on the stage that can be selected. */
export interface StageItem {
  /** Its selection. */
  id: string;
  box: Box;
}

/** The whole picture as boxes and labels; a pure function of the view and the window. */
export type Scene = ReturnType<typeof stageScene>;

/** Inputs of a picture beside the view. */
export interface SceneInput {
  scale?: KeyScale;
  /** The newest entries of the memtables, as far as they are known. */
  recent?: readonly RecentWrites[] | undefined;
  /** The entries of the tables, as far as they are known. */
  contents?: Contents | undefined;
  /** Draws the lookup on show into the tree. */
  lookup?: ((tree: Tree) => Plumb | null) | null;
  /** The merge on show. */
  merge?: MergePart | null;
}

const NOTHING_READ: ReadonlyMap<number, number> = new Map();

/** Builds the picture of `view` for a stage of `width` × `height` pixels. */
export function stageScene(
  view: View,
  writing: Writing,
  width: number,
  height: number,
  {
    scale = 'rank',
    recent = [],
    contents = NO_CONTENTS,
    lookup = null,
    merge = null,
  }: SceneInput = {},
) {
  const drawn = drawnLevels(view, writing);
  const [, ...deeper] = drawn;
  const needs: Needs = {
    l0: view.levels[0] ? laneCount(view.levels[0]) : 2,
    deeper: deeper.map(laneCount),
    lastEmpty: deeper.at(-1)?.tables.length === 0,
    isMerging: merge?.isSwept ?? false,
  };
  const rows = layoutRows(width, height, needs);
  const { left, right, unit } = rows;
  const known = knownEntries(view, writing, recent, contents, merge?.kept);
  const read = merge?.read(known.tables) ?? NOTHING_READ;
  const keys = [...bounds(view), ...knownKeys(known), ...crowdKeys(view, recent)];
  const axis = keyAxis(keys, { left, right, unit, scale });
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const memory = memoryScene(view, { axis, rows, recent, known: known.memtables });
  const manifest = manifestScene(view, rows);
  const ground = { axis, rows, inputs, read, known: known.tables };
  const levels = drawn.map((level, index) => {
    const span = rows.levels[index] ?? { y: 0, h: 0 };
    const through = index === drawn.length - 1 ? view.levels.length - 1 : index;
    const row = levelRow(view, writing, level, { ...ground, through }, span);
    return merge?.tables(row, ground) ?? row;
  });
  const tree = { rows, axis, memory, levels };
  return {
    width,
    height: rows.height,
    rows,
    axis,
    transactions: transactionScene(view, rows),
    memory,
    manifest,
    levels,
    sweep: merge?.line(tree) ?? null,
    plumb: lookup?.(tree) ?? null,
    ticks: rows.axisLabels ? axis.ticks : [],
    // The order of the arrow keys: rows from top to bottom, each from left to right.
    items: items(memory, manifest, levels),
  };
}

/** The levels down to the first empty one below all data and all running jobs. */
function drawnLevels(view: View, writing: Writing): LevelView[] {
  let deepest = 0;
  for (const [level, { tables }] of view.levels.entries()) if (tables.length > 0) deepest = level;
  for (const { level } of writing.values()) deepest = Math.max(deepest, level - 1);
  return view.levels.slice(0, deepest + 2);
}

/**
 * The bounds of all tables older than the outputs of running jobs. So the axis is still while jobs run, and moves once,
 * when the tables of the last job are installed.
 */
export function bounds(view: View): ShownKey[] {
  const tables = view.levels.flatMap((level) => level.tables);
  const installed = new Set(tables.map(({ table }) => table));
  const pending = view.jobs.flatMap((job) => job.outputs.filter((table) => !installed.has(table)));
  const since = Math.min(...pending);
  const known = tables.filter(({ table }) => table < since);
  return known.flatMap(({ smallest, largest }) => [smallest, largest]);
}

function items(
  memory: MemoryScene,
  manifest: ManifestScene | null,
  levels: readonly LevelRow[],
): StageItem[][] {
  const byX = (a: StageItem, b: StageItem) => a.box.x - b.box.x || a.box.y - b.box.y;
  const rows: StageItem[][] = [
    ...memory.memtables.map(({ id, box }) => [{ id, box }]),
    memory.wals.map(({ id, box }) => ({ id, box })).sort(byX),
    manifest ? [manifest.current, manifest.manifest].map(({ id, box }) => ({ id, box })) : [],
  ];
  for (const row of levels) {
    const { id, box } = row;
    const head = { id, box: { ...box, x: 0, w: box.x - 10 } };
    const tables = row.tables.map((shape) => ({ id: shape.id, box: shape.box }));
    rows.push([head, ...(row.laned ? tables : tables.sort(byX))]);
  }
  return rows.filter((row) => row.length > 0);
}

/** The tables that `id` overlaps in the next level; `null` when it is no table of a level. */
export function overlapOf(view: View, scene: Scene, id: string | null) {
  const from = id === null ? null : findTable(scene.levels, id);
  if (!from?.shape.info) return null;
  const below = scene.levels[from.row.level + 1];
  if (!below) return null;
  const tables = overlapping(view.levels[below.level], from.shape.info);
  const { x, y, w } = from.shape.box;
  const bottom = below.box.y + below.box.h;
  const box = { x: x - 1, y: y - 5, w: w + 2, h: bottom - y + 10 };
  return { box, ids: new Set(tables.map((table) => `table:${table.table}`)) };
}
