import type { KeyAxis } from './axis';
import type { Letters, Word } from './cells';
import { type Column, columnsOf, GAP } from './columns';
import type { Box, Rows } from './geometry';
import type { Inside } from './inside';
import { findTable, type LevelRow, type StageItem } from './levels';
import type { MemoryScene } from './memory';
import { nodesHeight, nodesOf } from './nodes';
import { type OpenedRow, openedRows } from './openedRows';
import { partsOf } from './parts';
import { boldWidth, fitting } from './text';

/** What is opened, under its own strip: its columns side by side, then filter, index and footer of a table. */
export type Opened = ReturnType<typeof openedScene>;

/** What is opened in a picture. */
export interface InsidePart {
  row: OpenedRow;
  /** The rows around it. */
  rows: typeof openedRows;
  /** The tree around it, in which it is a strip: its entries are in what is opened. */
  memory(scene: MemoryScene): MemoryScene;
  strip(row: LevelRow): LevelRow;
  draw(tree: Tree): Opened;
}

/** The tree around it. */
interface Tree {
  rows: Rows;
  axis: Pick<KeyAxis, 'hue'>;
  memory: Record<'memtables' | 'wals', readonly StageItem[]>;
  levels: readonly LevelRow[];
}

export function insidePart(of: Inside): InsidePart {
  const emptied = <Shape extends { id: string }>(shapes: Shape[]) =>
    shapes.map((shape) => (shape.id === of.object ? { ...shape, beads: [], labels: [] } : shape));
  return {
    row: of.row,
    rows: openedRows,
    memory: (scene) => ({ ...scene, memtables: emptied(scene.memtables) }),
    strip: (row) => ({ ...row, tables: emptied(row.tables) }),
    draw: (tree) => openedScene(of, tree),
  };
}

/** Around the columns [px]. */
const PAD = 8;

/** Places what is opened. */
export function openedScene(of: Inside, { rows, axis, memory, levels }: Tree) {
  const { line, left, right } = rows;
  const { object, path, crumbs } = of;
  const box = { x: left, w: right - left, ...(rows.opened ?? { y: 0, h: 0 }) };
  const head = line + 8;
  const body = { x: box.x + PAD, w: box.w - 2 * PAD, y: box.y + head, h: box.h - head - PAD };
  const letters = smallerThan(rows);
  const parts = partsOf(of, body, letters);
  const partsW = parts.shapes.reduce((sum, part) => sum + part.box.w + GAP, 0);
  const top = nodesHeight(of, body.h, letters);
  const area = { ...body, y: body.y + top, w: body.w - partsW, h: body.h - top };
  const { hue = axis.hue } = of;
  const blocks = columnsOf(of, area, { ...letters, axis: { hue } });
  const nodes = top > 0 ? nodesOf(of, blocks.shapes, body.y, letters) : NO_NODES;
  const found = [...memory.memtables, ...memory.wals].find(({ id }) => id === object);
  const strip = found?.box ?? findTable(levels, object)?.shape.box ?? null;
  const y = box.y + line * 0.95;
  const text = fitting(of.figures, box.w - crumbsWidth(of, rows.unit) - 3 * PAD, letters.unit);
  const figures: Word = { of: 'more', text, x: right - PAD, y, anchor: 'end' };
  const words = [...nodes.words, ...blocks.words, ...parts.words, figures];
  return {
    ...{ object, path, crumbs, box, strip, isKeyed: typeof of.row === 'number' },
    wedge: wedgeOf(strip ?? { ...box, y: box.y - PAD, h: 0 }, box),
    nodes: nodes.shapes,
    blocks: blocks.shapes,
    parts: parts.shapes,
    words: words.filter((word) => word.text !== ''),
    // Size of the words [px].
    unit: letters.unit,
    // In the order of the arrow keys: the columns, then the entries of the opened block.
    items: itemsOf([...blocks.shapes, ...parts.shapes], blocks.shapes),
  };
}

const NO_NODES = { shapes: [], words: [] };

/** The words in a table are smaller than those of the tree around it. */
function smallerThan({ unit }: Rows): Letters {
  const smaller = Math.max(Math.round(unit * 0.86), UNIT_MIN);
  return { unit: smaller, line: Math.round(smaller * 1.4) };
}

const UNIT_MIN = 14;

/** Around the text of a button, and the sign between two of them [sizes of the text]. */
const CRUMB = 1.5;

function crumbsWidth(of: Inside, unit: number): number {
  const widths = of.crumbs.map(({ text }) => boldWidth(text, unit) + unit * CRUMB);
  return widths.reduce((sum, w) => sum + w, 0);
}

/** From the lower edge of the strip, or of the row without one, to the upper edge of what is opened. */
function wedgeOf(strip: Box, { x, y, w }: Box): string {
  const top = strip.y + strip.h;
  return `M${strip.x} ${top}H${strip.x + strip.w}L${x + w - PAD} ${y}H${x + PAD}Z`;
}

/** The rows of the arrow keys with those of what is opened, after that of its strip. */
export function withOpened(rows: readonly StageItem[][], opened: Opened | null): StageItem[][] {
  const at = rows.findLastIndex((row) => row.some(({ id }) => id === opened?.object)) + 1;
  return rows.toSpliced(at, 0, ...(opened?.items ?? [])).filter((row) => row.length > 0);
}

function itemsOf(columns: readonly StageItem[], blocks: readonly Column[]): StageItem[][] {
  const entries = blocks
    .filter(({ isOpen }) => isOpen)
    .flatMap(({ cells }) => cells.flatMap(({ path, box }) => (path ? [[{ id: path, box }]] : [])));
  return [columns.map(({ id, box }) => ({ id, box })), ...entries];
}
