import { wordOfKey } from '../../../model/commandWords';
import { cutEnd, cutInside, keyId, keyText } from '../../../model/keys';
import { count, counted } from '../../../model/words';
import { type KeyAxis, sharedLetters } from './axis';
import { isOlder } from './contents';
import { type Box, clamp } from './geometry';
import { type BlockOf, type Inside, kindText, type StoredEntry, windowOf } from './inside';
import { boldWidth, fitting, keyWidth, textWidth } from './text';

/** A piece of text in an opened table. */
export interface Word {
  text: string;
  /** The baseline, and where on it the text begins or ends [px]. */
  x: number;
  y: number;
  anchor: 'start' | 'end';
  of: 'name' | 'key' | 'value' | 'more';
  /** Reads from top to bottom. */
  isTurned?: boolean;
}

/** An entry in an opened table. */
export interface Cell {
  /** As a bead, so that it is the same object in every picture. */
  id: string;
  /** Its selection; `null` where its place in the file is not known. */
  path: string | null;
  box: Box;
  /** Angle of the colour of its key. */
  hue: number;
  isHollow: boolean;
  isPale: boolean;
  /** Has room for words: a bar has the colour of its key, the rest a tint of it. */
  isWorded: boolean;
  label: string;
  /** Its key as a word of the command language; `null`: it has none. */
  word: string | null;
}

export interface Cells {
  cells: Cell[];
  words: Word[];
}

/** Inputs of the places of entries. */
export interface CellGround extends Letters {
  axis: Pick<KeyAxis, 'hue'>;
}

/** The size of letters, and of a line of them [px]. */
export interface Letters {
  unit: number;
  line: number;
}

const GAP = 2;
/** Cells of a closed block, with and without words, and of an opened one [px]. */
const WORDED = { w: 60, h: 16, most: 27 };
const BARE = { w: 6, h: 4, most: 22 };
const OPENED = { w: 230, h: 18, most: 38 };
/** Where the picture is low. */
const LOW = { ...OPENED, w: 150 };
/** Side by side, the parts of a log have lines of about one height [px]. */
const RECORD_MOST = 24;
/** Between the first and the last key of a closed block, and the least width for them [px]. */
const GUIDED = { w: 40, h: 24 };
/** A band that stands for several entries [px]. */
const BAND_H = 3;
/** Of a key, for a screen reader. */
const LABEL_LETTERS = 40;
/** Before the first letter of a cell [px]. */
const INDENT = 9;

interface Grid {
  rows: number;
  w: number;
  h: number;
}

/** The fewest columns in which so many cells have their least size; `null`: there is no room. */
function gridOf(cells: number, area: Box, least: typeof WORDED): Grid | null {
  for (let columns = 1; columns <= cells; columns += 1) {
    const w = (area.w - (columns - 1) * GAP) / columns;
    const rows = Math.ceil(cells / columns);
    const h = (area.h - (rows - 1) * GAP) / rows;
    if (w < least.w) return null;
    if (h >= least.h) return { rows, w, h: Math.min(h, least.most) };
  }
  return null;
}

function placeIn({ rows, w, h }: Grid, { x, y }: Box, at: number): Box {
  const column = Math.floor(at / rows);
  return { x: x + column * (w + GAP), y: y + (at % rows) * (h + GAP), w, h };
}

/**
 * The entries of a closed block: as keys, or as colours between the first and the last key; of too many some
 * stand for all. All blocks have cells of one size, with room for those of the fullest.
 */
export function closedCells(
  { entries }: BlockOf,
  area: Box,
  of: Inside,
  ground: CellGround & { fullest: number },
): Cells {
  const { axis, unit, line, fullest } = ground;
  const shared = sharedBy(entries, of);
  const cellsOn = (grid: Grid, place: Box, isWorded: boolean) =>
    entries.map((_, at) => ({
      ...cellOf(entries, at, placeIn(grid, place, at), of, axis),
      isWorded,
    }));
  const worded = gridOf(fullest, area, WORDED);
  if (worded) {
    const cells = cellsOn(worded, area, true);
    const words = cells.map(({ box }, at) =>
      keyWord(entries[at], { ...box, x: box.x + INDENT, w: box.w - INDENT }, middle(box, unit), {
        unit,
        shared,
      }),
    );
    return { cells, words };
  }
  const isGuided = area.w >= GUIDED.w && area.h >= 2 * line + GUIDED.h;
  const place = isGuided ? { ...area, y: area.y + line, h: area.h - 2 * line } : area;
  const ends = [area.y + line * 0.65, area.y + area.h - line * 0.2];
  const words = isGuided
    ? ends.map((y, at) => keyWord(entries.at(-at), area, y, { unit, shared }))
    : [];
  const bare = gridOf(fullest, place, BARE);
  if (bare) return { cells: cellsOn(bare, place, false), words };
  const bands = Math.min(entries.length, Math.max(Math.floor(place.h / BAND_H), 0));
  const h = place.h / Math.max(bands, 1);
  const cells = Array.from({ length: bands }, (_, at) => {
    const box = { ...place, y: place.y + at * h, h: h - 1 };
    return cellOf(entries, Math.floor((at * entries.length) / bands), box, of, axis);
  });
  return { cells, words };
}

function keyWord(
  entry: StoredEntry | undefined,
  { x, w }: Box,
  y: number,
  { unit, shared }: { unit: number; shared: string },
): Word {
  const text = entry ? nameText(entry, lettersIn(w, unit), shared) : '';
  return { text, x, y, anchor: 'start', of: 'key' };
}

/** The key of an entry, or the keys of a record; without room for all of it, without the beginning of all. */
function nameText({ name, key }: StoredEntry, letters = Number.POSITIVE_INFINITY, shared = '') {
  const whole = name ?? keyText(key, Number.POSITIVE_INFINITY);
  const isShort = [...whole].length <= letters || !whole.startsWith(shared) || shared === '';
  return isShort ? cutInside(whole, letters) : cutEnd(`…${whole.slice(shared.length)}`, letters);
}
/** How the keys of a block begin; records of a log have no order. */
const sharedBy = (entries: readonly StoredEntry[], { block }: Inside) =>
  block === 'all' ? '' : sharedLetters(entries, nameText);
const lettersIn = (w: number, unit: number) =>
  Math.max(Math.floor((w - 2) / keyWidth('m', unit)), 1);
const middle = ({ y, h }: Box, unit: number) => y + h / 2 + unit * 0.36;

/** The entries of the opened block, each with its value, number and kind; the rest is counted. */
export function openedCells(block: BlockOf, box: Box, of: Inside, ground: CellGround): Cells {
  const { unit, line, axis } = ground;
  const { entries: all } = block;
  const area = { ...box, y: box.y + line + 2, h: box.h - line - 2 };
  // Below them the number of those that are not known has a line.
  const rest = (block.count ?? 0) > all.length ? line : 0;
  const most = of.block === 'all' ? RECORD_MOST : OPENED.most;
  const whole = [OPENED, LOW].map((least) =>
    gridOf(all.length, { ...area, h: area.h - rest }, { ...least, most }),
  );
  const fits = whole.find((each) => each !== null) ?? null;
  const room = Math.min(fits ? all.length : roomFor(area, line), all.length);
  const grid = fits ?? gridOf(room, { ...area, h: area.h - line }, LOW);
  const { from, to } = grid ? shownEntries(all, of, room) : { from: 1, to: 0 };
  const entries = all.slice(from - 1, to);
  const rows = grid?.rows ?? 1;
  const placesAt = (column: number) =>
    placesIn(grid?.w ?? area.w, unit, of, entries.slice(column * rows, (column + 1) * rows));
  const columns = Array.from({ length: Math.ceil(entries.length / rows) || 1 }, (_, at) =>
    placesAt(at),
  );
  const words = titles(block, of, grid, area, columns, ground);
  const shared = sharedBy(all, of);
  const cells = entries.map((_, at) => ({
    ...cellOf(all, from - 1 + at, placeIn(grid as Grid, area, at), of, axis),
    isWorded: true,
  }));
  for (const [at, cell] of cells.entries()) {
    const entry = entries[at];
    const places = columns[Math.floor(at / rows)];
    if (entry && places) words.push(...wordsOf(entry, cell, places, { unit, shared }));
  }
  const isLog = of.block === 'all';
  const more = all.length > 0 || isLog ? (block.count ?? 0) - entries.length : 0;
  // The known entries of a log are its newest.
  const before = isLog ? more - (all.length - to) : Math.min(from - 1, more);
  if (more > 0) {
    const text = fitting(moreTexts(before, more - before, of), area.w - INDENT, unit);
    const y = area.y + area.h - unit * 0.3;
    words.push({ text, x: area.x + INDENT, y, anchor: 'start', of: 'more' });
  }
  return { cells, words };
}

/** The entries that have room: around the selected one, otherwise the first, of a log the newest. */
function shownEntries(all: readonly StoredEntry[], { block, selected }: Inside, room: number) {
  const at = selected ? all.findIndex(({ path }) => path === selected) + 1 : 0;
  return windowOf(all.length, at > 0 ? at : block === 'all' ? all.length : 1, room);
}

/** The number of entries without room, from the longest wording to the shortest. */
function moreTexts(before: number, after: number, of: Inside): string[] {
  const rest = counted(before + after, `more ${itemOf(of)}`);
  return [
    ...(before > 0 && after > 0
      ? [`${counted(before, itemOf(of))} before, ${count(after)} after`]
      : []),
    ...(of.tree ? [] : [`${rest}, in the bytes`]),
    rest,
    `+${count(before + after)}`,
  ];
}

export const itemOf = ({ block }: Inside) => (block === 'all' ? 'record' : 'entry');

function roomFor(area: Box, line: number): number {
  const columns = Math.max(Math.floor((area.w + GAP) / (LOW.w + GAP)), 1);
  const rows = Math.floor((area.h - line + GAP) / (LOW.h + GAP));
  return Math.max(columns * rows, 0);
}

/** Where value, number and kind of an entry stand in its cell; `null`: there is no room. */
interface Places {
  value: number;
  valueEnd: number;
  number: number | null;
  kind: number | null;
}

/** In a column of entries: keys have half of the room for them and their values, or up to two thirds to be whole. */
function placesIn(
  w: number,
  unit: number,
  { row }: Inside,
  entries: readonly StoredEntry[],
): Places {
  const end = w - AFTER;
  const numberW = textWidth(WIDEST_NUMBER, unit) + AFTER;
  const kindW = textWidth(kindText({ entry: 'delete' }), unit) + AFTER;
  const letters = (count: number) => 2 * count * keyWidth('m', unit) + INDENT;
  const kind = end - numberW - kindW >= letters(KEY_ROOMY) ? end : null;
  const afterNumber = kind === null ? end : end - kindW;
  const hasNumber = row !== 'blobs' && afterNumber - numberW >= letters(KEY_MIN);
  const number = hasNumber ? afterNumber : null;
  const valueEnd = number === null ? end : number - numberW;
  const room = valueEnd - INDENT;
  const longest = Math.max(0, ...entries.map((entry) => [...nameText(entry)].length));
  const keys = clamp(longest * keyWidth('m', unit) + KEY_AFTER + 2, room / 2, (room * 2) / 3);
  // A tombstone keeps the room for its name.
  const names = entries.filter(({ entry }) => kind === null && entry !== 'put').map(kindText);
  const kept = names.map((name) => textWidth(name, unit)).filter((each) => each <= room / 2);
  const keyW = Math.min(keys, room - Math.max(0, ...kept));
  return { value: INDENT + keyW, valueEnd, number, kind };
}

/** Between the parts of an entry [px]. */
const AFTER = 10;
const KEY_AFTER = 8;
const WIDEST_NUMBER = '9,999,999';
/** Letters for its key and for its value, so that there is room for its number, and for its kind. */
const KEY_MIN = 8;
const KEY_ROOMY = 14;

function wordsOf(
  entry: StoredEntry,
  { box }: Cell,
  { value: at, valueEnd, number, kind }: Places,
  { unit, shared }: { unit: number; shared: string },
): Word[] {
  const y = middle(box, unit);
  const { value } = entry;
  const isPut = entry.entry === 'put';
  const word = (of: Word['of'], text: string, x: number | null, anchor: Word['anchor']): Word[] =>
    text === '' || x === null ? [] : [{ of, text, x: box.x + x, y, anchor }];
  // Keys often begin alike; values are known by their beginnings.
  const shown = isPut && value != null ? cutEnd(value, lettersIn(valueEnd - at, unit)) : '';
  // A tombstone has no value: its kind stands there where it has no column.
  const instead = isPut || kind !== null ? '' : fitting([kindText(entry)], valueEnd - at, unit);
  return [
    ...word(
      'key',
      nameText(entry, lettersIn(at - INDENT - KEY_AFTER, unit), shared),
      INDENT,
      'start',
    ),
    ...word('value', shown, at, 'start'),
    ...word('more', instead, at, 'start'),
    ...word(
      'more',
      // A record without a key has no number, either.
      entry.name !== undefined && entry.sequence === 0
        ? ''
        : fitting([count(entry.sequence)], textWidth(WIDEST_NUMBER, unit), unit),
      number,
      'end',
    ),
    ...word('more', kindText(entry), kind, 'end'),
  ];
}

/** The name of the opened block, and the names of its columns. */
function titles(
  { names, count: entries, entries: known }: BlockOf,
  of: Inside,
  grid: Grid | null,
  area: Box,
  places: readonly Places[],
  { unit, line }: CellGround,
): Word[] {
  const y = area.y - line * 0.35;
  const room = (grid ? (places[0]?.value ?? 0) : area.w) - 8;
  const nameIn = (w: number) => names.find((each) => boldWidth(each, unit) <= w);
  // A name without room beside the names of the first column stands in their place.
  const isAlone = nameIn(room) === undefined;
  const name = nameIn(isAlone ? (grid?.w ?? area.w) - 8 : room) ?? '';
  const nameEnd = area.x + boldWidth(name, unit) + unit * 0.5;
  const free = area.x + room - nameEnd;
  const counts = entries === null ? '' : fitting([counted(entries, itemOf(of))], free, unit);
  const words: Word[] = [{ of: 'name', text: name, x: area.x, y, anchor: 'start' }];
  const title = (text: string, x: number | null, anchor: Word['anchor']) => {
    if (text !== '' && x !== null) words.push({ of: 'more', text, x, y, anchor });
  };
  title(counts, nameEnd, 'start');
  const hasValues = known.some(({ value }) => value != null);
  for (const [column, { value, valueEnd, number, kind }] of places.entries()) {
    if (!grid || !entries) break;
    if (isAlone && column === 0) continue;
    const x = area.x + column * (grid.w + GAP);
    if (x + grid.w > area.x + area.w + 1) break;
    if (column > 0) title('key', x + INDENT, 'start');
    if (hasValues) title(fitting(['value'], valueEnd - value, unit), x + value, 'start');
    title('sequence', number === null ? null : x + number, 'end');
    title('kind', kind === null ? null : x + kind, 'end');
  }
  return words;
}

function cellOf(
  entries: readonly StoredEntry[],
  at: number,
  box: Box,
  { object, block, row }: Inside,
  axis: CellGround['axis'],
): Cell {
  const entry = entries[at] as StoredEntry;
  const { key, sequence, path = null } = entry;
  const { isForeign = false } = entry;
  const isOld = block !== 'all' && isOlder(entries, at);
  return {
    id: `${object}/${keyId(key)}@${sequence}`,
    path,
    box,
    hue: axis.hue(key),
    isHollow: entry.entry !== 'put',
    isPale: isOld || isForeign,
    isWorded: false,
    word: entry.name === undefined ? wordOfKey(key) : null,
    label: [
      ...[nameText(entry, LABEL_LETTERS), kindText(entry)],
      ...(row === 'blobs' ? [] : [`sequence number ${count(sequence)}`]),
      ...(isOld ? ['an older version'] : []),
      ...(isForeign ? ['of another column family'] : []),
    ].join(', '),
  };
}
