import type { OutputView, RangesView, ShownKey, TableInfo } from '../../../model/engine.generated';
import { keyText, rangeText } from '../../../model/keys';
import { counted, size } from '../../../model/words';
import { writtenRange } from '../../../model/writing';
import type { KeyAxis } from './axis';
import { type Bead, beadsIn } from './beads';
import type { Entry } from './contents';
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

/** A table of the picture, or several that share a few pixels. */
export interface TableShape {
  id: string;
  /** The table; `null` for several, or for one that is being written. */
  info: TableInfo | null;
  /** How many tables this stands for. */
  tables: number;
  box: Box;
  /** The range its tombstones delete, a strip along its lower edge; `null` without any. */
  deleted: Box | null;
  captions: Caption[];
  /** Its entries; none where they are not known, or have no room. */
  beads: readonly Bead[];
  /** Where its beads are, and without beads its range of colours. */
  floor: Box;
  /** `input`: of a running compaction. `output`: being written. */
  role: 'table' | 'input' | 'output';
  /** An output without a block yet: where in its box it will stand is not known. */
  empty: boolean;
  thin: boolean;
  /** One of so many side by side that they are drawn as one, see {@link barAt}. */
  bar: boolean;
  /** In words; made when asked for, because most of hundreds are never read. */
  label(): string;
}

/** Inputs of the layout of a level's tables. */
export interface Ground {
  axis: KeyAxis;
  rows: Rows;
  /** Numbers of the tables that running jobs merge. */
  inputs: ReadonlySet<number>;
  /** How many of its first entries a merge has read, by table. */
  read?: ReadonlyMap<number, number>;
  /** All entries of tables, where they are known. */
  known: ReadonlyMap<number, readonly Entry[]>;
}

/** More tables than these side by side have no captions. */
export const CAPTIONED_MAX = 24;
const NODES_MAX = 400;
export const WIDTH_MIN = 5;
/** A strip for range tombstones [px]. */
const STRIP_HEIGHT = 4;
const STRIP_WIDTH_MIN = 3;
/** Most distance of the pointer from a bar [px]. */
const BAR_REACH = 4;

interface Reach {
  smallest: ShownKey;
  largest: ShownKey;
}

/** The tables of one run, side by side. */
export function runShapes(tables: readonly TableInfo[], span: Span, ground: Ground): TableShape[] {
  if (tables.length > CAPTIONED_MAX) return denseShapes(tables, span, ground);
  const reaches = tables.map((table) => reachBox(table, span, ground.axis));
  const boxes = apart(reaches, ground.rows);
  // Without room to see each table, none is moved away from its keys.
  if (boxes.some((box, index) => isAway(box, reaches[index]))) {
    return denseShapes(tables, span, ground);
  }
  return boxes.flatMap((box, index) => {
    const info = tables[index];
    return info ? [tableShape(info, box, ground)] : [];
  });
}

function isAway(box: Box, keys: Box | undefined): boolean {
  if (!keys) return false;
  const from = Math.abs(box.x - keys.x);
  const to = Math.abs(box.x + box.w - keys.x - keys.w);
  return Math.max(from, to) > WIDTH_MIN;
}

function reachBox({ smallest, largest }: Reach, span: Span, axis: KeyAxis): Box {
  const x = axis.x(smallest);
  return { x, w: axis.x(largest) - x, ...span };
}

/** Neighbours, in order: none is too narrow to see, none reaches into the next. */
function apart(neighbours: readonly Box[], { left, right }: Rows): Box[] {
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

function tableShape(info: TableInfo, box: Box, ground: Ground): TableShape {
  const input = ground.inputs.has(info.table);
  return {
    ...bareShape(info, box, input),
    deleted: info.ranges ? deletedStrip(info.ranges, box, ground.axis) : null,
    captions: tableCaptions(info, above(box, ground.rows), ground),
    ...floorOf(info.table, box, ground),
    thin: box.w < 12,
    bar: false,
  };
}

/** The part of a table that its captions have: all but the floor, as long as that leaves them a line. */
function above(box: Box, rows: Rows): Box {
  return { ...box, h: Math.max(box.h - floorHeight(box, rows), Math.min(box.h, rows.line - 2)) };
}

/** Beads on the floor of a table: what a line of captions leaves, or a strip [px]. */
function floorHeight({ h }: Box, { line }: Rows): number {
  return clamp(h - line - 4, FLOOR_MIN, FLOOR_MAX);
}

const FLOOR_MIN = 6;
const FLOOR_MAX = 24;

function floorOf(table: number, box: Box, { axis, rows, known, read }: Ground) {
  const h = floorHeight(box, rows);
  const floor = { x: box.x + 2, w: Math.max(box.w - 4, 1), y: box.y + box.h - h, h: h - 3 };
  const isWide = box.w >= FLOORED_MIN;
  return {
    floor,
    beads: isWide
      ? beadsIn(`table:${table}`, known.get(table) ?? [], floor, axis, read?.get(table))
      : [],
  };
}

/** Narrower tables have no beads [px]. */
const FLOORED_MIN = 12;

function bareShape(info: TableInfo, box: Box, input: boolean): TableShape {
  return {
    id: `table:${info.table}`,
    info,
    tables: 1,
    box,
    deleted: null,
    captions: [],
    beads: [],
    floor: box,
    role: input ? 'input' : 'table',
    empty: false,
    thin: true,
    bar: !input,
    label: () => tableLabel(info, input),
  };
}

/** Where in the box of a table the keys are that its range tombstones delete. */
function deletedStrip({ over }: RangesView, box: Box, axis: KeyAxis): Box {
  const right = box.x + box.w;
  const x = clamp(axis.x(over.begin), box.x, right - STRIP_WIDTH_MIN);
  const end = over.end === null ? right : clamp(axis.x(over.end), x + STRIP_WIDTH_MIN, right);
  return { x, y: box.y + box.h - STRIP_HEIGHT, w: end - x, h: STRIP_HEIGHT };
}

function tableLabel(info: TableInfo, input: boolean): string {
  const range = `${keyText(info.smallest)} to ${keyText(info.largest)}`;
  const tombstones = info.tombstones > 0 ? `, ${counted(info.tombstones, 'tombstone')}` : '';
  const ranges = info.ranges
    ? `, ${counted(info.ranges.count, 'range tombstone')} over ${rangeText(info.ranges.over)}`
    : '';
  const role = input ? ', input of a running compaction' : '';
  return `table ${info.table}, ${range}, ${size(info.bytes)}, ${counted(info.entries, 'entry')}${tombstones}${ranges}${role}`;
}

/** Number and size above the first and the last key, or in one line, as far as they fit. */
function tableCaptions(info: TableInfo, box: Box, { axis, rows }: Ground): Caption[] {
  const { unit, line } = rows;
  const pad = unit * 0.5;
  const number = String(info.table);
  const tombstones = counted(info.tombstones, 'tombstone');
  const sizes = [
    ...(info.tombstones > 0 ? [`${size(info.bytes)} · ${tombstones}`, tombstones] : []),
    size(info.bytes),
  ];
  const first = axis.label(info.smallest);
  const last = axis.label(info.largest);
  const keys = keyWidth(first, unit) + keyWidth(last, unit) + unit;
  const numberW = boldWidth(number, unit);
  const inner = box.w - 2 * pad;
  if (box.h < line - 2 || box.w < numberW + 4) return [];
  const end = box.x + box.w - pad;
  const keyCaptions = (y: number): Caption[] => [
    { of: 'key', text: first, x: box.x + pad, y, anchor: 'start' },
    ...(first === last ? [] : [{ of: 'key', text: last, x: end, y, anchor: 'end' } as const]),
  ];
  if (box.h >= 2 * line) {
    const y = box.y + (box.h - 2 * line) / 2 + line * 0.78;
    const head = numbered(number, sizes, { x: box.x, w: box.w, y }, rows);
    if (keys <= inner) return [...head, ...keyCaptions(y + line)];
    const guide = guideWords(first, last);
    if (keyWidth(guide, unit) > inner) return head;
    return [...head, { of: 'key', text: guide, x: box.x + pad, y: y + line, anchor: 'start' }];
  }
  const y = box.y + box.h / 2 + unit * 0.36;
  const free = inner - keys - unit;
  if (free < numberW) return numbered(number, sizes, { x: box.x, w: box.w, y }, rows);
  const text = fitting(sizes, free - numberW - unit * 0.5, unit);
  const between = numberW + (text === '' ? 0 : unit * 0.5 + textWidth(text, unit));
  const x = box.x + pad + keyWidth(first, unit) + unit + (free - unit - between) / 2;
  return [...keyCaptions(y), ...numberAt(number, text, x, y, unit)];
}

/** How two keys begin, as the guide words of a dictionary. */
function guideWords(first: string, last: string): string {
  return `${first.slice(0, 4)} … ${last.slice(0, 4)}`;
}

/** The number, and beside it the longest wording that fits. */
function numbered(
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

/** A table being written, and between which keys its job reads, where that is known. */
export interface Output {
  output: OutputView;
  inputs: Reach | null;
  /** The progress of its job, 0 to 1. */
  done: number;
}

/** The tables that are written into one lane, one after the other. */
export function outputShapes(outputs: readonly Output[], span: Span, ground: Ground): TableShape[] {
  const placed = outputs.map((each) => ({ each, box: outputBox(each, span, ground) }));
  for (const one of placed) {
    if (reachOf(one.each.output, ground)) continue;
    // A table without blocks begins after the other outputs of its job.
    const others = placed.filter(
      ({ each }) => each.output.job === one.each.output.job && reachOf(each.output, ground),
    );
    const from = Math.max(one.box.x, ...others.map(({ box }) => box.x + box.w + 1));
    one.box = { ...one.box, x: from, w: Math.max(one.box.x + one.box.w - from, 0) };
  }
  placed.sort((a, b) => a.box.x - b.box.x);
  // Each ends where the next one begins.
  const boxes = placed.map(({ box }, index) => {
    const next = placed[index + 1]?.box.x ?? ground.rows.right;
    return { ...box, w: Math.min(box.w, Math.max(next - box.x, 0)) };
  });
  return apart(boxes, ground.rows).flatMap((box, index) => {
    const output = placed[index]?.each.output;
    return output ? [outputShape(output, box, ground)] : [];
  });
}

/** The keys that an output has, with those of the block at work where they are known. */
function reachOf(output: OutputView, { known }: Ground): Reach | null {
  const entries = known.get(output.table) ?? [];
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last ? { smallest: first.key, largest: last.key } : writtenRange(output);
}

/** An output's box at its keys; before its first block, at the range of its inputs. */
function outputBox({ output, inputs, done }: Output, span: Span, ground: Ground): Box {
  const { axis, rows } = ground;
  const whole = rows.right - rows.left;
  const range = reachOf(output, ground);
  // Without other tables there is no axis yet: the first table grows with its entries until it is installed.
  if (range && axis.size === 0) {
    return { x: rows.left, w: whole * done, ...span };
  }
  const reach = range ?? inputs;
  if (!reach || axis.size === 0) return { x: rows.left, w: whole, ...span };
  const box = reachBox(reach, span, axis);
  const w = Math.max(box.w, FLOORED_MIN);
  return { ...box, x: Math.min(box.x, rows.right - w), w };
}

function outputShape(output: OutputView, box: Box, ground: Ground): TableShape {
  const { rows } = ground;
  const { unit, line } = rows;
  const range = reachOf(output, ground);
  const bytes = size(output.blocks.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
  const blocks = counted(output.blocks.length, 'block');
  const wordings = output.synced
    ? ['written, not yet installed', 'not yet installed', 'written']
    : output.fileBytes !== null
      ? ['written, not yet synced', 'not yet synced', 'written']
      : output.blocks.length === 0
        ? ['created, nothing written', 'created', 'empty']
        : [`being written, ${blocks}, ${bytes}`, `${blocks}, ${bytes}`, blocks, bytes];
  const head = above(box, rows);
  const y = head.y + head.h / 2 + unit * 0.36;
  return {
    id: `table:${output.table}`,
    info: null,
    tables: 1,
    box,
    deleted: null,
    captions:
      box.h < line - 2 || box.w < boldWidth(String(output.table), unit) + 4
        ? []
        : numbered(String(output.table), wordings, { x: box.x, w: box.w, y }, { unit }),
    ...floorOf(output.table, box, ground),
    role: 'output',
    empty: range === null,
    thin: false,
    bar: false,
    label: () => `table ${output.table}, ${wordings[0]}`,
  };
}

/** At most [`NODES_MAX`] bars, whatever the number of tables. */
function denseShapes(tables: readonly TableInfo[], span: Span, ground: Ground): TableShape[] {
  const { axis, rows, inputs } = ground;
  const pixels = Math.max((rows.right - rows.left) / NODES_MAX, 1);
  const groups: TableInfo[][] = [];
  let column = -1;
  for (const info of tables) {
    const at = Math.floor((axis.x(info.smallest) - rows.left) / pixels);
    if (at === column) groups[groups.length - 1]?.push(info);
    else groups.push([info]);
    column = at;
  }
  return groups.flatMap((group) => {
    const first = group[0];
    const last = group[group.length - 1];
    if (!first || !last) return [];
    const x = axis.x(first.smallest);
    const box = { x, w: Math.max(axis.x(last.largest) - x - 1, 1), ...span };
    const bare = bareShape(
      first,
      box,
      group.some((info) => inputs.has(info.table)),
    );
    if (group.length === 1) return [bare];
    return [{ ...bare, tables: group.length, label: () => groupLabel(group, first, last) }];
  });
}

function groupLabel(group: readonly TableInfo[], first: TableInfo, last: TableInfo): string {
  const bytes = group.reduce((sum, info) => sum + info.bytes, 0);
  const range = `${keyText(first.smallest)} to ${keyText(last.largest)}`;
  return `${counted(group.length, 'table')} from table ${first.table} on, ${range}, ${size(bytes)}`;
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
