import { keyText } from '../../../model/keys';
import { count, counted } from '../../../model/words';
import {
  type Cell,
  type CellGround,
  type Cells,
  closedCells,
  openedCells,
  type Word,
} from './cells';
import type { Box } from './geometry';
import { type BlockOf, blocksIn, type Inside, windowOf } from './inside';
import { boldWidth } from './text';

/** A column of an opened table: a data block, or several without room of their own. */
export interface Column {
  id: string;
  box: Box;
  isOpen: boolean;
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
/** The least part of the width that an opened block has. */
const OPENED_SHARE = 0.6;

/** The blocks from left to right, in the order of their keys: as many as have room, the others together. */
export function columnsOf(
  of: Inside,
  area: Box,
  ground: CellGround,
): { shapes: Column[]; words: Word[] } {
  const { from, to } = shownBlocks(of, area.w);
  const blocks = blocksIn(of, from, to);
  const widthOf = widthsOf(of, blocks, area.w);
  const closed = blocks.filter(({ number }) => number !== of.block);
  const fullest = Math.max(0, ...closed.map(({ entries }) => entries.length));
  const words: Word[] = [];
  let x = area.x;
  const shapes = blocks.map((each): Column => {
    const box = { ...area, x, w: widthOf(each) };
    x += box.w + GAP;
    const isOpen = isOpened(each, of);
    const inner = insetOf(box, of.block === null || isOpen ? INSET : NARROW_INSET);
    const inside = isOpen
      ? openedCells(each, inner, of, ground)
      : closedBlock(each, inner, of, { ...ground, fullest, last: to });
    words.push(...inside.words);
    return {
      id: `table:${of.info.table}/block:${each.number}`,
      ...{ box, isOpen, cells: inside.cells, count: each.count },
      isStrip: each.blocks > 1 || (each.entries.length === 0 && each.count !== 0),
      label: labelOf(each, isOpen),
    };
  });
  return { shapes, words };
}

const isOpened = ({ number, blocks }: BlockOf, of: Inside) => number === of.block && blocks === 1;

function shownBlocks({ info, block, near }: Inside, width: number) {
  const opened = Number(block !== null);
  const others = opened ? width * (1 - OPENED_SHARE) : width;
  const least = (opened ? BESIDE : BLOCK_MIN) + GAP;
  const fits = (room: number) => Math.max(Math.floor((room + GAP) / least), 1) + opened;
  const isAll = info.blocks <= fits(others);
  return windowOf(info.blocks, near, isAll ? info.blocks : fits(others - 2 * (SEVERAL + GAP)));
}

function widthsOf(of: Inside, blocks: readonly BlockOf[], width: number) {
  const several = blocks.filter((each) => each.blocks > 1).length;
  const singles = blocks.length - several;
  const free = width - (blocks.length - 1) * GAP - several * SEVERAL;
  return (each: BlockOf): number => {
    if (each.blocks > 1) return SEVERAL;
    if (of.block === null) return free / singles;
    return isOpened(each, of) ? free - (singles - 1) * BESIDE : BESIDE;
  };
}

/** The name of a block above its entries; all blocks have the wording for which the last one has room. */
function closedBlock(
  each: BlockOf,
  inner: Box,
  of: Inside,
  ground: CellGround & { fullest: number; last: number },
): Cells {
  const { unit, line, last } = ground;
  const fits = (text: string) => boldWidth(text, unit) <= inner.w;
  const before = ['block ', ''].find((word) => fits(`${word}${last}`));
  const name = before === undefined ? '' : `${before}${each.number}`;
  const more = `+${count(each.blocks)}`;
  const text = each.blocks === 1 ? name : fits(more) ? more : '';
  const top = text === '' ? 0 : line;
  const area = { ...inner, y: inner.y + top, h: inner.h - top };
  const { cells, words } = closedCells(each, area, of, ground);
  const y = inner.y + line * 0.72;
  return { cells, words: [{ of: 'name', text, x: inner.x, y, anchor: 'start' }, ...words] };
}

export function insetOf({ x, y, w, h }: Box, by: number): Box {
  return { x: x + by, y: y + by, w: Math.max(w - 2 * by, 0), h: Math.max(h - 2 * by, 0) };
}

function labelOf({ number, blocks, entries, count: held }: BlockOf, isOpen: boolean): string {
  const last = number + blocks - 1;
  const [first, end] = [entries[0], entries.at(-1)];
  return [
    blocks > 1 ? `blocks ${count(number)} to ${count(last)}` : `block ${number}`,
    ...(held === null ? [] : [counted(held, 'entry')]),
    ...(first && end ? [`${keyText(first.key)} to ${keyText(end.key)}`] : []),
    ...(isOpen ? ['opened'] : []),
  ].join(', ');
}
