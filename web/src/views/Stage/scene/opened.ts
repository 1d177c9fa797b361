import { keyText } from '../../../model/keys';
import { counted, size } from '../../../model/words';
import type { KeyAxis } from './axis';
import type { Letters } from './cells';
import { type Column, columnsOf, GAP } from './columns';
import type { Box, Rows } from './geometry';
import type { Inside } from './inside';
import { findTable, type LevelRow, type StageItem } from './levels';
import { partsOf } from './parts';
import { boldWidth, fitting } from './text';

/** A table from inside, under its own strip: its blocks side by side, then filter, index and footer. */
export type Opened = ReturnType<typeof openedScene>;

/** The opened table of a picture. */
export interface InsidePart {
  level: number;
  /** Its level, in which it is a strip: its entries are in what is opened. */
  strip(row: LevelRow): LevelRow;
  draw(tree: Tree): Opened;
}

/** The tree around it. */
interface Tree {
  rows: Rows;
  axis: KeyAxis;
  levels: readonly LevelRow[];
}

export function insidePart(of: Inside): InsidePart {
  const own = `table:${of.info.table}`;
  return {
    level: of.level,
    strip: (row) => ({
      ...row,
      tables: row.tables.map((table) => (table.id === own ? { ...table, beads: [] } : table)),
    }),
    draw: (tree) => openedScene(of, tree),
  };
}

/** Around the columns [px]. */
const PAD = 8;

/** Places what is in a table. */
export function openedScene(of: Inside, { rows, axis, levels }: Tree) {
  const { line, left, right } = rows;
  const table = `table:${of.info.table}`;
  const box = { x: left, w: right - left, ...(rows.opened ?? { y: 0, h: 0 }) };
  const head = line + 8;
  const body = { x: box.x + PAD, w: box.w - 2 * PAD, y: box.y + head, h: box.h - head - PAD };
  const letters = smallerThan(rows);
  const parts = partsOf(of, body, letters);
  const partsW = parts.shapes.reduce((sum, part) => sum + part.box.w + GAP, 0);
  const blocks = columnsOf(of, { ...body, w: body.w - partsW }, { ...letters, axis });
  const strip = findTable(levels, table)?.shape.box ?? null;
  const y = box.y + line * 0.95;
  const text = figuresOf(of, box.w - crumbsWidth(of, rows.unit) - 3 * PAD, letters.unit);
  const figures = { of: 'more', text, x: right - PAD, y, anchor: 'end' } as const;
  return {
    path: of.path,
    ...{ table, box, strip },
    wedge: wedgeOf(strip ?? reachOf(of, axis, box), box),
    blocks: blocks.shapes,
    parts: parts.shapes,
    crumbs: crumbsOf(of),
    words: [...blocks.words, ...parts.words, figures].filter((word) => word.text !== ''),
    // Size of the words [px].
    unit: letters.unit,
    // In the order of the arrow keys: the columns, then the entries of the opened block.
    items: itemsOf([...blocks.shapes, ...parts.shapes], blocks.shapes),
  };
}

/** The words in a table are smaller than those of the tree around it. */
function smallerThan({ unit }: Rows): Letters {
  const smaller = Math.max(Math.round(unit * 0.86), UNIT_MIN);
  return { unit: smaller, line: Math.round(smaller * 1.4) };
}

const UNIT_MIN = 14;

/** The way from the tree to what is opened, step by step: what each opens, `null` the tree, and selects. */
function crumbsOf({ info, level, block }: Inside) {
  const table = `table:${info.table}`;
  const inner = { text: `block ${block}`, opened: `${table}/block:${block}`, selected: null };
  return [
    { text: 'tree', opened: null, selected: null },
    { text: `L${level}`, opened: null, selected: `level:${level}` },
    { text: `table ${info.table}`, opened: table, selected: null },
    ...(block === null ? [] : [inner]),
  ];
}

/** Around the text of a button, and the sign between two of them [sizes of the text]. */
const CRUMB = 1.5;

function crumbsWidth(of: Inside, unit: number): number {
  const widths = crumbsOf(of).map(({ text }) => boldWidth(text, unit) + unit * CRUMB);
  return widths.reduce((sum, w) => sum + w, 0);
}

function figuresOf({ info }: Inside, width: number, unit: number): string {
  const keys = `${keyText(info.smallest, 16)} … ${keyText(info.largest, 16)}`;
  const entries = counted(info.entries, 'entry');
  const ranges = info.ranges ? ` · ${counted(info.ranges.count, 'range tombstone')}` : '';
  const bytes = size(info.bytes);
  const all = `${entries}${ranges} · ${counted(info.blocks, 'block')} · ${bytes}`;
  return fitting([`${keys} · ${all}`, all, `${entries} · ${bytes}`, entries], width, unit);
}

function reachOf({ info }: Inside, axis: KeyAxis, { y }: Box): Box {
  const x = axis.x(info.smallest);
  return { x, w: axis.x(info.largest) - x, y: y - PAD, h: 0 };
}

/** From the lower edge of the strip to the upper edge of what is opened. */
function wedgeOf(strip: Box, { x, y, w }: Box): string {
  const top = strip.y + strip.h;
  return `M${strip.x} ${top}H${strip.x + strip.w}L${x + w - PAD} ${y}H${x + PAD}Z`;
}

function itemsOf(columns: readonly StageItem[], blocks: readonly Column[]): StageItem[][] {
  const entries = blocks
    .filter(({ isOpen }) => isOpen)
    .flatMap(({ cells }) => cells.flatMap(({ path, box }) => (path ? [[{ id: path, box }]] : [])));
  return [columns.map(({ id, box }) => ({ id, box })), ...entries];
}
