import type { LevelView, RecentWrites, ShownKey, View } from '../../../model/engine.generated';
import type { Writing } from '../../../model/writing';
import { type KeyScale, keyAxis } from './axis';
import { type Contents, crowdKeys, knownEntries, knownKeys, NO_CONTENTS } from './contents';
import { layoutRows, type Needs, wholeHeight } from './geometry';
import { byX, findTable, type LevelRow, levelItems, reachBox, type StageItem } from './levels';
import { type ManifestScene, manifestScene } from './manifest';
import { type MemoryScene, memoryScene } from './memory';
import { type InsidePart, type Opened, withOpened } from './opened';
import type { Plumb } from './plumb';
import type { MergePart } from './sweep';
import type { Tree } from './tags';
import { transactionScene } from './transactions';
import { groundOf, laneCount, levelRow, overlapping } from './tree';

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
  /** The opened table: the others are strips, without the lines of a lookup and a merge. */
  inside?: InsidePart | null;
  /** The runs that each level has room for; then all of the picture is whole, however low. */
  lanes?: readonly number[] | undefined;
  /** How much larger than usual the page is: a picture without room is drawn smaller instead of cut. */
  pageScale?: number;
}

const NO_TABLES: View['levels'][number]['tables'] = [];
const NOTHING_READ: ReadonlyMap<number, number> = new Map();

/** Builds the picture of `view` for a stage of `wide` × `high` pixels. */
export function stageScene(
  view: View,
  writing: Writing,
  wide: number,
  high: number,
  {
    scale = 'rank',
    recent = [],
    contents = NO_CONTENTS,
    lookup = null,
    merge = null,
    inside = null,
    lanes,
    pageScale = 1,
  }: SceneInput = {},
) {
  const drawn = lanes ? view.levels.slice(0, lanes.length) : drawnLevels(view, writing);
  const [l0 = NO_TABLES, ...deeper] = drawn.map(({ tables }) => tables);
  const isMerging = merge?.isSwept ?? false;
  const needs: Needs = lanes
    ? { l0: l0Lanes(view), deeper: lanes.slice(1), isWhole: true }
    : { l0: l0Lanes(view), deeper: deeperLanes(drawn), isMerging };
  const height = lanes ? high : wholeHeight(high, needs, pageScale);
  // One pixel less: browsers round the heights of the room and of what is in it.
  const shrink = height > high ? (high - 1) / height : 1;
  const width = Math.floor(wide / shrink);
  const rows = inside
    ? inside.rows(width, height, [l0.length, ...deeper.map(() => 0)], inside.row)
    : layoutRows(width, height, needs);
  const { left, right, unit } = rows;
  const known = knownEntries(view, writing, recent, contents, merge?.kept);
  const read = merge?.read(known.tables) ?? NOTHING_READ;
  const keys = [...bounds(view), ...knownKeys(known), ...crowdKeys(view, recent)];
  const axis = keyAxis(keys, { left, right, unit, scale });
  const inputs = new Set(view.jobs.flatMap((job) => job.inputs));
  const whole = memoryOf(view, { axis, rows, recent, known: known.memtables });
  const memory = inside?.memory(whole) ?? whole;
  const manifest = manifestScene(view, rows);
  const ground = groundOf({ axis, rows, inputs, read, known: known.tables });
  const levels = drawn.map((level, index) => {
    const span = rows.levels[index] ?? { y: 0, h: 0 };
    const through = !lanes && index === drawn.length - 1 ? view.levels.length - 1 : index;
    const row = levelRow(view, writing, level, { ...ground, through }, span);
    return inside?.strip(row) ?? merge?.tables(row, ground) ?? row;
  });
  const tree = { rows, axis, memory, levels };
  const opened = inside?.draw(tree) ?? null;
  return {
    width,
    height: rows.height,
    shrink,
    rows,
    axis,
    transactions: transactionScene(view, rows),
    memory,
    manifest,
    levels,
    opened,
    sweep: (!opened && merge?.line(tree)) || null,
    plumb: (!opened && lookup?.(tree)) || null,
    ticks: rows.axisLabels ? axis.ticks : [],
    // The order of the arrow keys: rows from top to bottom, each from left to right.
    items: items(memory, manifest, levels, opened),
  };
}

const l0Lanes = (view: View) => (view.levels[0] ? laneCount(view.levels[0]) : 2);

/** One line is enough for the row of empty levels. */
function deeperLanes([, ...deeper]: readonly LevelView[]): number[] {
  return deeper.map((level, index) =>
    index === deeper.length - 1 && level.tables.length === 0 ? 0 : laneCount(level),
  );
}

/** Low rows have no place for logs, and perhaps none for memtables. */
function memoryOf(view: View, ground: Parameters<typeof memoryScene>[1]): MemoryScene {
  const scene = memoryScene(view, ground);
  const { memory, wal } = ground.rows;
  if (wal.h > 0) return scene;
  const memtables = memory.h > 0 ? scene.memtables : [];
  return { ...scene, memtables, wals: [], moreWals: null };
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
  opened: Opened | null,
): StageItem[][] {
  const rows: StageItem[][] = [
    ...memory.memtables.map(({ id, box }) => [{ id, box }]),
    memory.wals.map(({ id, box }) => ({ id, box })).sort(byX),
    manifest ? [manifest.current, manifest.manifest].map(({ id, box }) => ({ id, box })) : [],
    ...levelItems(levels),
  ];
  return withOpened(rows, opened);
}

/** The tables that `id` overlaps in the next level; `null` when it is no table of a level. */
export function overlapOf(view: View, scene: Scene, id: string | null) {
  const from = id === null ? null : findTable(scene.levels, id);
  const number = from?.shape.table?.number;
  const [level, next] = view.levels.slice(from?.row.level);
  const info = level?.tables.find(({ table }) => table === number);
  const below = from && scene.levels[from.row.level + 1];
  if (!info || !below) return null;
  const ids = new Set(overlapping(next, info).map(({ table }) => `table:${table}`));
  return { box: reachBox(from.shape, below), ids };
}
