import type { TableInfo } from '../../../model/engine.generated';
import { rangeText } from '../../../model/keys';
import { counted } from '../../../model/words';
import type { Bead } from './beads';
import { type Box, clamp, type Rows, type Span } from './geometry';
import { boldWidth, fitting, keyWidth, textWidth } from './text';

/** A piece of text in a table. */
export interface Caption {
  /** Number of the table, its size or state, its version of the followed key, or another key. */
  of: 'number' | 'more' | 'version' | 'key';
  text: string;
  /** The baseline, and where on it the text begins, has its middle or ends [px]. */
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** The ends of a range of keys on the axis [px]. */
interface Reach {
  from: number;
  to: number;
}

/** A table to be placed, of whatever program. */
export interface Table extends Reach {
  number: number;
  /** The run of its level that it belongs to. */
  run: number;
  /** `input`: of a running compaction. */
  role: 'table' | 'input';
  /** Whether the step on show has added it. */
  isNew: boolean;
  /** Whether its file was deleted since. */
  isDeleted: boolean;
  /** How dark it is, 0 to 1; `null`: no figure darkens it, or the figure is not known. */
  shade: number | null;
  /** The part of its entries that are tombstones. */
  tombstones: number;
  /** The range that its range tombstones delete. */
  deleted: Reach | null;
  /** The keys at its ends, and its figures from the longest wording to the shortest. */
  words(): { first: string; last: string; figures: readonly string[] };
  /** In words; made when asked for, because most of hundreds are never read. */
  label(): string;
}

/** A table of the picture. */
export interface TableShape {
  id: string;
  /** `null`: it is being written. */
  table: Table | null;
  box: Box;
  /** The range its tombstones delete, a strip along its lower edge; `null` without any. */
  deleted: Box | null;
  /** Along its lower edge: how many of its entries are tombstones. */
  tombstones: Box | null;
  captions: Caption[];
  /** Its entries; none where they are not known, or have no room. */
  beads: readonly Bead[];
  /** Where its beads are, and without beads its range of colours. */
  floor: Box;
  role: Table['role'] | 'output';
  /** An output without a block yet: where in its box it will stand is not known. */
  empty: boolean;
  thin: boolean;
  /** One of so many side by side that they are drawn as one, see {@link barAt}. */
  bar: boolean;
  label(): string;
}

/** The rows of a picture, and the entries of its tables. */
export interface Room {
  rows: Rows;
  /** The entries of a table, on its floor. */
  beadsOn(table: number, floor: Box): Bead[];
}

/** More tables than these side by side have no captions. */
export const CAPTIONED_MAX = 64;
export const WIDTH_MIN = 5;
/** A strip for range tombstones [px]. */
const STRIP_HEIGHT = 4;
const STRIP_WIDTH_MIN = 3;
/** Most distance of the pointer from a bar [px]. */
const BAR_REACH = 4;

/** The tables of one run, side by side. */
export function runShapes(tables: readonly Table[], span: Span, room: Room): TableShape[] {
  const reaches = tables.map((table) => ({ ...reachOf(table), ...span }));
  const boxes = apart(reaches, room.rows);
  // Without room to see each table, none is moved away from its keys.
  const isDense =
    tables.length > CAPTIONED_MAX || boxes.some((box, index) => isAway(box, reaches[index]));
  return tables.map((table, index) => {
    const [box = NO_BOX, keys = NO_BOX] = [boxes[index], reaches[index]];
    if (!isDense) return tableShape(table, box, room);
    return bareShape(table, { ...keys, w: Math.max(keys.w - 1, 1) });
  });
}

const NO_BOX = { x: 0, y: 0, w: 0, h: 0 };

function reachOf({ from, to }: Reach) {
  return { x: from, w: to - from };
}

function isAway(box: Box, keys: Box | undefined): boolean {
  if (!keys) return false;
  const from = Math.abs(box.x - keys.x);
  const to = Math.abs(box.x + box.w - keys.x - keys.w);
  return Math.max(from, to) > WIDTH_MIN;
}

/** Neighbours, in order: none is too narrow to see, none reaches into the next. */
export function apart(neighbours: readonly Box[], { left, right }: Rows): Box[] {
  const boxes: Box[] = [];
  let free = left;
  for (const { x, w, ...rest } of neighbours) {
    const from = Math.max(x, free);
    const box = { x: from, w: Math.max(x + w - from, WIDTH_MIN), ...rest };
    boxes.push(box);
    free = box.x + box.w + 1;
  }
  let end = right;
  for (const box of [...boxes].reverse()) {
    box.x = Math.min(box.x, end - WIDTH_MIN);
    box.w = Math.min(box.w, end - box.x);
    end = box.x - 1;
  }
  return boxes;
}

function tableShape(table: Table, box: Box, room: Room): TableShape {
  const { tombstones, deleted } = table;
  const floored = floorOf(table.number, box, room);
  // A shaded table has nothing on its floor but its share of tombstones.
  const captioned = above(box, room.rows, table.shade === null ? undefined : STRIP_HEIGHT);
  return {
    ...bareShape(table, box),
    ...floored,
    deleted: deleted && deletedStrip(deleted, box),
    tombstones: tombstones > 0 && floored.beads.length === 0 ? shareStrip(tombstones, box) : null,
    captions: tableCaptions(table, captioned, room.rows),
    thin: box.w < FLOORED_MIN,
    bar: false,
  };
}

/** The part of a table that its captions have: all but the floor, as long as that leaves them a line. */
export function above(box: Box, rows: Rows, floor = floorHeight(box, rows)): Box {
  return { ...box, h: Math.max(box.h - floor, Math.min(box.h, rows.line - 2)) };
}

/** Beads on the floor of a table: what a line of captions leaves, or a strip; all of a table without captions [px]. */
function floorHeight({ h }: Box, { line }: Rows): number {
  if (h < line - 4) return Math.max(h - 1, FLOOR_MIN);
  return clamp(h - line - 4, FLOOR_MIN, FLOOR_MAX);
}

const FLOOR_MIN = 6;
const FLOOR_MAX = 24;

export function floorOf(table: number, box: Box, { rows, beadsOn }: Room) {
  const h = Math.min(floorHeight(box, rows), box.h);
  const [w, y] = [Math.max(box.w - 4, 1), box.y + box.h - h];
  const floor = { x: box.x + 2, w, y, h: Math.max(h - 3, 1) };
  return { floor, beads: box.w >= FLOORED_MIN ? beadsOn(table, floor) : [] };
}

/** Narrower tables have no beads [px]. */
export const FLOORED_MIN = 12;

function bareShape(table: Table, box: Box): TableShape {
  return {
    id: `table:${table.number}`,
    table,
    box,
    deleted: null,
    tombstones: null,
    captions: [],
    beads: [],
    floor: box,
    role: table.role,
    empty: false,
    thin: true,
    bar: table.role === 'table' && !table.isNew,
    label: table.label,
  };
}

/** Where in the box of a table the keys are that its range tombstones delete. */
function deletedStrip({ from, to }: Reach, box: Box): Box {
  const right = box.x + box.w;
  const x = clamp(from, box.x, right - STRIP_WIDTH_MIN);
  const end = clamp(to, x + STRIP_WIDTH_MIN, right);
  return { x, y: box.y + box.h - STRIP_HEIGHT, w: end - x, h: STRIP_HEIGHT };
}

function shareStrip(share: number, { x, y, w, h }: Box): Box | null {
  if (h < 12 || w < 8) return null;
  return { x: x + 1, y: y + h - STRIP_HEIGHT, w: Math.max((w - 2) * share, 2), h: 3 };
}

/** Number and figures above the first and the last key, or in one line, as far as they fit. */
function tableCaptions(table: Table, box: Box, rows: Rows): Caption[] {
  const { unit, line } = rows;
  const pad = unit * 0.5;
  const number = String(table.number);
  const numberW = boldWidth(number, unit);
  if (box.h < line - 2 || box.w < numberW + 4) return [];
  const { first, last, figures } = table.words();
  const keys = keyWidth(first, unit) + keyWidth(last, unit) + unit;
  const inner = box.w - 2 * pad;
  const end = box.x + box.w - pad;
  const keyCaptions = (y: number): Caption[] => [
    { of: 'key', text: first, x: box.x + pad, y, anchor: 'start' },
    ...(first === last ? [] : [{ of: 'key', text: last, x: end, y, anchor: 'end' } as const]),
  ];
  if (box.h >= 2 * line) {
    const y = box.y + (box.h - 2 * line) / 2 + line * 0.78;
    const head = numbered(number, figures, { x: box.x, w: box.w, y }, rows);
    if (keys <= inner) return [...head, ...keyCaptions(y + line)];
    const guide = guideWords(first, last);
    if (keyWidth(guide, unit) <= inner) {
      return [...head, { of: 'key', text: guide, x: box.x + pad, y: y + line, anchor: 'start' }];
    }
    // A narrow table has its figure below its number.
    const text = head.length > 1 ? '' : fitting(figures, box.w - 4, unit);
    if (text === '') return head;
    return [...head, { of: 'more', text, x: box.x + box.w / 2, y: y + line, anchor: 'middle' }];
  }
  const y = box.y + box.h / 2 + unit * 0.36;
  const free = inner - keys - unit;
  const text = fitting(figures, free - numberW - unit * 0.5, unit);
  // The figure that darkens a table is not left out for its keys.
  if (free < numberW || (text === '' && table.shade !== null)) {
    return numbered(number, figures, { x: box.x, w: box.w, y }, rows);
  }
  const between = numberW + (text === '' ? 0 : unit * 0.5 + textWidth(text, unit));
  const x = box.x + pad + keyWidth(first, unit) + unit + (free - unit - between) / 2;
  return [...keyCaptions(y), ...numberAt(number, text, x, y, unit)];
}

/** How two keys begin, as the guide words of a dictionary. */
function guideWords(first: string, last: string): string {
  return `${first.slice(0, 4)} … ${last.slice(0, 4)}`;
}

/** The number, and beside it the longest wording that fits. */
export function numbered(
  number: string,
  wordings: readonly string[],
  { x, y, w }: { x: number; y: number; w: number },
  { unit }: Pick<Rows, 'unit'>,
): Caption[] {
  const room = w - boldWidth(number, unit) - unit * 1.5;
  const text = fitting(wordings, room, unit);
  if (text === '') return [{ of: 'number', text: number, x: x + w / 2, y, anchor: 'middle' }];
  return numberAt(number, text, x + unit * 0.5, y, unit);
}

function numberAt(number: string, text: string, x: number, y: number, unit: number): Caption[] {
  const captions: Caption[] = [{ of: 'number', text: number, x, y, anchor: 'start' }];
  if (text !== '') {
    const after = x + boldWidth(number, unit) + unit * 0.5;
    captions.push({ of: 'more', text, x: after, y, anchor: 'start' });
  }
  return captions;
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

/** The tombstones of a table or a memtable in its label. */
export function deletionsText({ tombstones, ranges }: Pick<TableInfo, 'tombstones' | 'ranges'>) {
  const own = tombstones > 0 ? `, ${counted(tombstones, 'tombstone')}` : '';
  if (!ranges) return own;
  return `${own}, ${counted(ranges.count, 'range tombstone')} over ${rangeText(ranges.over)}`;
}
