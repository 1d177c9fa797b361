import { keyText } from '../../../model/keys';
import { count, counted } from '../../../model/words';
import {
  type Cell,
  type CellGround,
  type Cells,
  closedCells,
  itemOf,
  openedCells,
  type Word,
} from './cells';
import type { Box } from './geometry';
import { type BlockOf, blocksIn, type Inside, nameOf, windowOf } from './inside';
import { boldWidth } from './text';

/** A column of what is opened: a data block, a leaf node or a part of a log, or several without room of their own. */
export interface Column {
  id: string;
  box: Box;
  isOpen: boolean;
  /** Of a log: would be lost in a crash. */
  isLoose: boolean;
  /** Stands for several, or its entries are not known. */
  isStrip: boolean;
  cells: Cell[];
  /** Its entries; `null`: not known. */
  count: number | null;
  label: string;
}

/** Between two columns, and around what is in one [px]. */
export const GAP = 6;
export const INSET = 5;
const NARROW_INSET = 3;
/** A block, a narrow column beside an opened block, and one for several blocks [px]. */
const BLOCK_MIN = 34;
export const BESIDE = 24;
const SEVERAL = 56;
/** The least width of a part of a log [px]. */
const OPENED_MIN = 165;
/** The least part of the width that an opened block has. */
const OPENED_SHARE = 0.6;

/** The columns from left to right, in the order of their keys: as many as have room, the others together. */
export function columnsOf(
  of: Inside,
  area: Box,
  ground: CellGround,
): { shapes: Column[]; words: Word[] } {
  const { from, to } = shownColumns(of, area.w);
  const blocks = [...besideOf(of, true), ...blocksIn(of, from, to), ...besideOf(of, false)];
  const widthOf = widthsOf(of, blocks, area.w);
  const closed = blocks.filter((each) => !isOpened(each, of));
  const fullest = Math.max(0, ...closed.map(({ entries }) => entries.length));
  const insetBy = of.block === null ? INSET : NARROW_INSET;
  // All have the wording for which each of them has room.
  const fits = (text: string, box: number) => boldWidth(text, ground.unit) <= box - 2 * insetBy;
  const singles = closed.filter(({ band }) => band === null);
  const wording = [0, 1].find((at) =>
    singles.every((each) => fits(each.names[at] ?? '', widthOf(each))),
  );
  const words: Word[] = [];
  let x = area.x;
  const shapes = blocks.map((each): Column => {
    const box = { ...area, x, w: widthOf(each) };
    x += box.w + GAP;
    const isOpen = isOpened(each, of);
    const inner = insetOf(box, isOpen ? INSET : insetBy);
    const name = each.names[wording ?? each.names.length] ?? '';
    const more = `+${count(each.band?.blocks ?? 0)}`;
    const title = each.band === null ? name : fits(more, box.w) ? more : '';
    const inside = isOpen
      ? openedCells(each, inner, of, ground)
      : closedBlock(each, title, inner, of, { ...ground, fullest });
    words.push(...inside.words);
    return {
      ...{ id: each.id, box, isOpen, cells: inside.cells, count: each.count },
      isLoose: each.isLoose === true,
      isStrip: each.band !== null || (!isOpen && each.entries.length === 0 && each.count !== 0),
      label: labelOf(each, of),
    };
  });
  return { shapes, words };
}

const isOpened = ({ number, band }: BlockOf, { block }: Inside) =>
  block === 'all' || (number === block && band === null);

/** The nodes of a memtable beside the inner nodes on the way to its leaves, from the left or from the right end. */
function besideOf({ tree, object }: Inside, isBefore: boolean): BlockOf[] {
  let path = object;
  const bands = (tree?.levels.slice(1, -1) ?? []).map((nodes): BlockOf[] => {
    const at = nodes.findIndex(({ onPath }) => onPath);
    const others = isBefore ? nodes.slice(0, at).toReversed() : nodes.slice(at + 1);
    const [next, last] = [others[0], others.at(-1)];
    const around = path;
    path = `${path}/inner:${nodes[at]?.node}`;
    if (!next || !last) return [];
    const band = { last: `inner ${last.node}`, blocks: others.length };
    const names = [`inner ${next.node}`];
    return [
      { id: `${around}/inner:${next.node}`, names, number: 0, band, entries: [], count: null },
    ];
  });
  return (isBefore ? bands : bands.toReversed()).flat();
}

function shownColumns({ columns, block, near, tree }: Inside, width: number) {
  if (block === 'all') return { from: 1, to: columns };
  const opened = Number(block !== null);
  const bands = 2 * Math.max((tree?.levels.length ?? 0) - 2, 0);
  const free = width - bands * (SEVERAL + GAP);
  const others = opened ? free * (1 - OPENED_SHARE) : free;
  const least = (opened ? BESIDE : BLOCK_MIN) + GAP;
  const fits = (room: number) => Math.max(Math.floor((room + GAP) / least), 1) + opened;
  const isAll = columns <= fits(others);
  return windowOf(columns, near, isAll ? columns : fits(others - 2 * (SEVERAL + GAP)));
}

function widthsOf(of: Inside, blocks: readonly BlockOf[], width: number) {
  const several = blocks.filter(({ band }) => band !== null).length;
  const singles = blocks.length - several;
  const free = width - (blocks.length - 1) * GAP - several * SEVERAL;
  const all = blocks.reduce((sum, each) => sum + (each.count ?? 0), 0);
  const least = Math.min(OPENED_MIN, free / singles);
  return (each: BlockOf): number => {
    if (each.band) return SEVERAL;
    if (of.block === null) return free / singles;
    // Parts of a log are as wide as they have records.
    if (of.block === 'all')
      return least + (free - singles * least) * (all > 0 ? (each.count ?? 0) / all : 1 / singles);
    return isOpened(each, of) ? free - (singles - 1) * BESIDE : BESIDE;
  };
}

/** The name of a column above its entries. */
function closedBlock(
  each: BlockOf,
  text: string,
  inner: Box,
  of: Inside,
  ground: CellGround & { fullest: number },
): Cells {
  const { line } = ground;
  const top = text === '' ? 0 : line;
  const area = { ...inner, y: inner.y + top, h: inner.h - top };
  const { cells, words } = closedCells(each, area, of, ground);
  const y = inner.y + line * 0.72;
  return { cells, words: [{ of: 'name', text, x: inner.x, y, anchor: 'start' }, ...words] };
}

export function insetOf({ x, y, w, h }: Box, by: number): Box {
  return { x: x + by, y: y + by, w: Math.max(w - 2 * by, 0), h: Math.max(h - 2 * by, 0) };
}

function labelOf(each: BlockOf, of: Inside): string {
  const { band, entries, count: held } = each;
  const [first, end] = [entries[0], entries.at(-1)];
  return [
    `${nameOf(each)}${band && band.blocks > 1 ? ` to ${band.last}` : ''}`,
    ...(held === null ? [] : [counted(held, itemOf(of))]),
    ...(first && end && of.block !== 'all' ? [`${keyText(first.key)} to ${keyText(end.key)}`] : []),
    ...(isOpened(each, of) ? ['opened'] : []),
  ].join(', ');
}
