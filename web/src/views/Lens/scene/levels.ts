import { size } from '../../../model/words';
import type { AxisTick } from '../../Stage/scene/axis';
import type { Box, Span } from '../../Stage/scene/geometry';
import { boldWidth, fitting, keyWidth, textWidth } from '../../Stage/scene/text';
import type { LevelLine, Levels, ShownKey, StepLine, TableLine } from './answers';
import { axisTicks } from './axis';
import { GONE_H, type LevelPlace, type Places } from './geometry';
import { type Extremes, extremesOf, type Shade } from './shades';
import { ofTarget, percent, shortKey, tombstoneShare } from './words';

/** A table of the picture. */
export interface TableShape {
  id: string;
  level: number;
  table: TableLine;
  box: Box;
  captions: Caption[];
  /** How dark it is, 0 to 1; `null`: the figure is not known. */
  shade: number | null;
  /** Along its lower edge: how many of its entries are tombstones. */
  tombstones: Box | null;
}

export interface Caption {
  of: 'number' | 'more' | 'key';
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** A table that the step took out of the level. */
export interface GoneShape {
  number: number;
  box: Box;
}

export interface LevelShape {
  id: string;
  place: LevelPlace;
  title: string;
  /** Size and target. */
  caption: string;
  isOver: boolean;
  /** Its size as a part of its target; `null`: it has no target. */
  filled: number | null;
  /** Why it has no target; empty: it has one, or no table. */
  whyNone: string;
  tables: TableShape[];
  /** So many that they are drawn as one outline. */
  isDense: boolean;
  gone: GoneShape[];
  note: string;
}

/** The levels of a family after a step, placed. */
export interface LevelsScene {
  levels: LevelShape[];
  ticks: AxisTick[];
  /** All keys begin with these letters, which labels leave out; empty: labels are whole. */
  shared: string;
}

const WIDTH_MIN = 5;
const DENSE = 160;

/** The content of the picture, without places. */
export interface LevelsInput {
  answer: Levels;
  /** The levels before the step, and the step: removed tables are drawn at their former places. */
  before: Levels | null;
  step: StepLine | null;
  shade: Shade;
}

/** Places everything; a function of its arguments alone. */
export function levelsScene(input: LevelsInput, places: Places): LevelsScene {
  const { answer } = input;
  const shared = sharedLetters(answer);
  const extremes = extremesOf(answer);
  const lines = new Map(answer.levels.map((line) => [line.level, line]));
  return {
    shared,
    ticks: axisTicks(answer.axis, places, (key) => keyLabel(key, shared)),
    levels: places.levels.map((place) => {
      if (place.isUnused) return bare(place);
      return levelShape(place, lines.get(place.from) ?? null, input, { places, shared, extremes });
    }),
  };
}

interface Ground {
  places: Places;
  shared: string;
  extremes: Extremes;
}

/** A level without tables. */
function bare(place: LevelPlace): LevelShape {
  const { from, to } = place;
  return {
    id: `level:${from}`,
    place,
    title: from === to ? `L${from}` : `L${from} – L${to}`,
    caption: '',
    isOver: false,
    filled: null,
    whyNone: '',
    tables: [],
    isDense: false,
    gone: [],
    note: 'never used',
  };
}

function levelShape(
  place: LevelPlace,
  line: LevelLine | null,
  input: LevelsInput,
  ground: Ground,
): LevelShape {
  const { places, extremes } = ground;
  const tables = line?.tables ?? [];
  const isDense = tables.length > DENSE;
  const boxes = laneSpans(place, tables).map((span, index) => {
    const table = tables[index];
    return { ...(table ? reach(table, places) : { x: 0, w: 0 }), ...span };
  });
  if (place.from > 0) setApart(boxes, places.right);
  const shapes = tables.map((table, index): TableShape => {
    const box = boxes[index] ?? { x: 0, y: 0, w: 0, h: 0 };
    const share = tombstoneShare(table);
    return {
      id: `table:${table.number}`,
      level: place.from,
      table,
      box,
      captions: isDense ? [] : captionsOf(table, box, input.shade, ground),
      shade: input.shade.darkness(table, extremes),
      tombstones: share === null || share === 0 ? null : shareBox(box, share),
    };
  });
  const target = line?.targetBytes ?? 0;
  const filled = line === null || target === 0 ? null : line.bytes / target;
  return {
    ...bare(place),
    caption: captionOf(line),
    isOver: filled !== null && filled > 1,
    filled,
    whyNone: tables.length === 0 ? '' : (line?.noTarget ?? ''),
    tables: shapes,
    isDense,
    gone: goneOf(place, input, places),
    note: tables.length === 0 ? 'empty' : '',
  };
}

function captionOf(line: LevelLine | null): string {
  if (line === null) return '';
  if (line.targetBytes === null) return line.tables.length === 0 ? '' : size(line.bytes);
  return ofTarget(line.bytes, line.targetBytes);
}

/** The lane of each table as a place [px]; lane 0 is the oldest and lies at the bottom. */
function laneSpans(place: LevelPlace, tables: readonly TableLine[]): Span[] {
  const lanes = lanesOf(place.from, tables);
  const count = Math.max(place.lanes, ...lanes.map((lane) => lane + 1), 1);
  const room = place.h - GONE_H;
  const laneH = Math.max(Math.floor(room / count), 3);
  const gap = laneH > 8 ? 2 : 0.5;
  return lanes.map((lane) => ({ y: place.y + room - laneH * (lane + 1), h: laneH - gap }));
}

/** Where the keys of a table are on the axis [px]. */
function reach({ from, to }: TableLine, { left, right }: Places): { x: number; w: number } {
  const x = left + from * (right - left);
  const w = Math.max((to - from) * (right - left), WIDTH_MIN);
  return { x: Math.min(x, right - w), w };
}

/** Neighbours of one run: none reaches into the next. */
function setApart(boxes: Box[], right: number): void {
  const sorted = [...boxes].sort((a, b) => a.x - b.x);
  for (const [index, box] of sorted.entries()) {
    const next = sorted[index + 1]?.x ?? right + 1;
    if (next > box.x) box.w = Math.min(box.w, Math.max(next - box.x - 1, 1));
  }
}

/**
 * The lane of each table. In level 0 a newer table lies above every older one whose keys it overlaps, as in Pebble's
 * sublevels; a deeper level is one run, of Levelscope one or several.
 */
export function lanesOf(level: number, tables: readonly TableLine[]): number[] {
  if (level > 0 || tables.every(({ sublevel }) => sublevel !== null)) {
    return tables.map(({ sublevel }) => sublevel ?? 0);
  }
  const lanes = new Array<number>(tables.length).fill(0);
  const ends: { from: number; to: number; lane: number }[] = [];
  // The newest come first.
  for (let index = tables.length - 1; index >= 0; index -= 1) {
    const table = tables[index];
    if (!table) continue;
    const under = ends.filter(({ from, to }) => table.from <= to && table.to >= from);
    const lane = Math.max(-1, ...under.map((other) => other.lane)) + 1;
    lanes[index] = lane;
    ends.push({ from: table.from, to: table.to, lane });
  }
  return lanes;
}

function shareBox({ x, y, w, h }: Box, share: number): Box | null {
  if (h < 12 || w < 8) return null;
  return { x: x + 1, y: y + h - 4, w: Math.max((w - 2) * share, 2), h: 3 };
}

/**
 * Tables that the step took out of the level, where they were before: in level 0 in their lanes, in a deeper level on
 * a strip along its lower edge, because what took their place has the same keys.
 */
function goneOf(place: LevelPlace, { before, step }: LevelsInput, places: Places): GoneShape[] {
  if (before === null || step === null || before.step !== step.step - 1) return [];
  const numbers = new Set(
    step.removed.filter(([level]) => level === place.from).map(([, number]) => number),
  );
  const tables = before.levels.find(({ level }) => level === place.from)?.tables ?? [];
  const lanes = laneSpans(place, tables);
  const strip = { y: place.y + place.h - GONE_H + 1, h: GONE_H - 3 };
  return tables.flatMap((table, index) => {
    if (!numbers.has(table.number)) return [];
    const span = place.from === 0 ? (lanes[index] ?? strip) : strip;
    return [{ number: table.number, box: { ...reach(table, places), ...span } }];
  });
}

/** Letters that both ends of the axis begin with, when they are so many that they would hide the difference. */
function sharedLetters({ axis }: Levels): string {
  const first = axis[0]?.[1].text ?? '';
  const last = axis[axis.length - 1]?.[1].text ?? '';
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return axis.length > 1 && length > 5 ? first.slice(0, length) : '';
}

const LABEL_LETTERS = 14;

function keyLabel(key: ShownKey, shared: string): string {
  if (shared === '' || !key.text.startsWith(shared)) return shortKey(key, LABEL_LETTERS);
  const rest = key.text.slice(shared.length);
  return rest.length > LABEL_LETTERS - 1 ? `…${rest.slice(0, LABEL_LETTERS - 2)}…` : `…${rest}`;
}

/** Number, the shaded figure and the keys, as far as they fit. */
function captionsOf(
  table: TableLine,
  box: Box,
  shade: Shade,
  { places: { unit, line }, shared, extremes }: Ground,
): Caption[] {
  const number = String(table.number);
  const numberW = boldWidth(number, unit);
  if (box.h < line - 4 || box.w < numberW + 4) return [];
  const pad = Math.min(unit * 0.5, (box.w - numberW) / 2);
  const [first, last] = [keyLabel(table.smallest, shared), keyLabel(table.largest, shared)];
  const isTall = box.h >= 2 * line;
  const y = isTall ? box.y + (box.h - 2 * line) / 2 + line * 0.78 : box.y + box.h / 2 + unit * 0.36;
  const room = box.w - 2 * pad - numberW - unit * 0.5;
  const words = fitting(wordings(table, shade, extremes), room, unit);
  const captions: Caption[] = [{ of: 'number', text: number, x: box.x + pad, y, anchor: 'start' }];
  const more = box.x + pad + numberW + unit * 0.5;
  if (words !== '') captions.push({ of: 'more', text: words, x: more, y, anchor: 'start' });
  // A narrow table has its size below its number: the axis is one of keys, so its width does not show it.
  const below = isTall && words === '' ? fitting([size(table.bytes)], box.w - 2 * pad, unit) : '';
  if (below !== '') {
    captions.push({ of: 'more', text: below, x: box.x + pad, y: y + line, anchor: 'start' });
    return captions;
  }
  const keysW = keyWidth(first, unit) + keyWidth(last, unit) + unit;
  const end = box.x + box.w - pad;
  const free = isTall ? box.w - 2 * pad : room - textWidth(words, unit) - unit;
  const keysY = isTall ? y + line : y;
  if (keysW <= free) {
    const keysText = isTall ? first : `${first} … ${last}`;
    if (isTall) {
      captions.push({ of: 'key', text: keysText, x: box.x + pad, y: keysY, anchor: 'start' });
      if (first !== last) captions.push({ of: 'key', text: last, x: end, y: keysY, anchor: 'end' });
    } else if (keyWidth(keysText, unit) <= free) {
      captions.push({ of: 'key', text: keysText, x: end, y: keysY, anchor: 'end' });
    }
  }
  return captions;
}

/** Words after the number, from the longest wording to the shortest: the shaded figure is never left out first. */
function wordings(table: TableLine, shade: Shade, extremes: Extremes): string[] {
  const share = tombstoneShare(table);
  const dead = share === null || share === 0 ? null : `× ${percent(share)}`;
  const bytes = size(table.bytes);
  const lead = shade.words(table, extremes);
  if (lead !== null && shade.of !== 'level') return [`${lead} · ${bytes}`, lead];
  return dead === null ? [bytes] : [`${bytes} · ${dead}`, dead, bytes];
}

/** The table at a place of a dense level. */
export function tableAt(tables: readonly TableShape[], x: number, y: number): TableShape | null {
  let best: TableShape | null = null;
  let distance = 5;
  for (const shape of tables) {
    const { box } = shape;
    if (y < box.y || y > box.y + box.h) continue;
    const away = Math.max(box.x - x, x - box.x - box.w, 0);
    if (away < distance) [best, distance] = [shape, away];
  }
  return best;
}

/** Tables of deeper levels whose keys reach into those of `shape`. */
export function overlapped(scene: LevelsScene, shape: TableShape): TableShape[] {
  const { from, to } = shape.table;
  return scene.levels
    .filter(({ place }) => place.from > shape.level)
    .flatMap(({ tables }) => tables)
    .filter(({ table }) => table.from <= to && table.to >= from);
}
