import type { BlockStop, ExplainResult, ReadStop, ShownKey } from '../../../model/engine.generated';
import { compareKeys, keyOfText, keyText } from '../../../model/keys';
import { type StopSign, stopWords } from '../../../model/readStops';
import type { KeyAxis } from './axis';
import { beadsOf } from './beads';
import { type Box, clamp, type Rows, type Span } from './geometry';
import { findTable } from './levels';
import type { TableShape } from './tables';
import { meets, type Tag, type Tree, tagBeside, wordsBox } from './tags';
import { keyWidth } from './text';

/** A lookup in the tree: a line at its key, with a mark at every stop. */
export type Plumb = NonNullable<ReturnType<typeof plumbScene>>;

/** The lookup, and the stop up to which it is shown. */
export interface Reading {
  read: ExplainResult;
  /** The stop on show; their number when all have been shown. */
  at: number;
  /** The result at this stop is a question. */
  isHidden: boolean;
}

/** Radius of a mark [px]. */
const R_MIN = 4;
const R_MAX = 9;

/** A lookup as a picture uses it. */
export const lookupPart = (reading: Reading) => (tree: Tree) => plumbScene(tree, reading);

/** Places a lookup in the picture; `null` where it has no stop. */
function plumbScene(scene: Tree, { read, at, isHidden }: Reading) {
  const isWalked = at < read.stops.length;
  const stops = read.stops.slice(0, at + 1).map((stop) => ({ stop, ...stopWords(stop) }));
  const band = bandOf(read, scene.axis);
  const places = stops.map((stop): Place => {
    const isAsked = isHidden && stop.stop === read.stops[at];
    return {
      ...placeOf(stop, scene, band.x),
      ...(isAsked ? { sign: 'hidden', text: QUESTION } : { sign: stop.sign, text: stop.short }),
    };
  });
  const foot = places.at(-1);
  if (!foot) return null;
  const known = isHidden ? stops.slice(0, -1) : stops;
  const isOver = known.length === read.stops.length;
  const answer = isOver ? answerOf(read, known) : '';
  // The stop that finds the value shows it.
  const isFound = isOver && read.value !== null && foot.sign === 'found';
  const value = isFound ? answer.trim() : '';
  // After the walk the value alone is left of its words.
  const wordings = !isFound ? [] : isWalked ? [`${value} · ${foot.text}`, value] : [value];
  const text = wordings.find((each) => isRoomy({ ...foot, text: each }, band, scene)) ?? foot.text;
  const last = { ...foot, text };
  const tags = tagsOf(isWalked ? places.with(-1, last) : isFound ? [last] : [], band, scene);
  const isTagged = text !== foot.text;
  const head = headOf(read, isTagged ? '' : answer, band, scene.rows);
  const top = head.box.y + head.box.h;
  return {
    line: { ...band, y: top, h: Math.max(foot.y - top, 0) },
    // The line is broken where it would run through the words of logs and manifest.
    parts: partsOf(scene),
    head,
    marks: places.map(({ sign, y, r }, index) => ({
      id: `plumb-${index + 1}`,
      ...{ sign, y, r },
      x: band.x + band.w / 2,
      // `null`: no room for it.
      tag: tags[index - places.length + tags.length] ?? null,
    })),
    frames: known.flatMap(({ stop }) => (stop.stop === 'table' ? blockFrame(stop, scene) : [])),
    // Objects that the lookup skipped.
    passed: isWalked ? passedBy(known, read.stops[known.length], scene) : NOTHING,
    // The results by selection, for screen readers.
    words: new Map(
      known.map(({ selection, short }, index) => [
        selection,
        `asked as number ${index + 1}: ${short}`,
      ]),
    ),
  };
}

/** The parts of the picture where a lookup has its line: memory and levels. */
function partsOf({ rows: { durableY, levels, height } }: Tree): Span[] {
  const top = (levels[0]?.y ?? durableY) - LEAD;
  return [
    { y: 0, h: durableY },
    { y: top, h: height - top },
  ];
}

/** Length of the line above the first level [px]. */
const LEAD = 6;

const NOTHING: ReadonlySet<string> = new Set();

type Stop = ReturnType<typeof stopWords> & { stop: ReadStop };

/** The place and the words of a mark. */
interface Place {
  y: number;
  r: number;
  sign: StopSign | 'hidden';
  text: string;
}

/** The line of a key has no width, the band of a prefix reaches to the last key that may begin with it. */
function bandOf({ lookup, key }: ExplainResult, axis: KeyAxis) {
  const first = keyOfText(key);
  const x = axis.x(first);
  if (lookup === 'get') return { x, w: 0 };
  const head = first.head + '\u00ff'.repeat(8);
  return { x, w: Math.max(axis.x({ head, bytes: head.length }) - x, 4) };
}

/** The key above its line, with the answer once it is known. */
function headOf(
  { key, found, lookup }: ExplainResult,
  answer: string,
  { x, w }: { x: number; w: number },
  rows: Rows,
) {
  const text = lookup === 'get' ? short(key) : `${short(key)}…`;
  const box = wordsBox(keyWidth(text + answer, rows.unit), x + w / 2, rows.memory.y + 2, rows);
  return { text, answer, isFound: answer !== '' && found, box };
}

function answerOf({ lookup, value }: ExplainResult, stops: readonly Stop[]): string {
  if (value !== null) return ` = ${short(value)}`;
  if (lookup === 'prefix') return '';
  return stops.at(-1)?.sign === 'deleted' ? ' deleted' : ' not found';
}

const LETTERS = 24;
const short = (text: string) => keyText(keyOfText(text), LETTERS);

/** Where a stop has its mark: at the entries of its object; of tables that were passed over, beside them. */
function placeOf({ selection, level, sign }: Stop, scene: Tree, x: number) {
  const row = scene.levels.find((each) => each.level === level);
  const memtable = scene.memory.memtables.find(({ id }) => id === selection);
  const table =
    row && sign === 'outside' ? beside(row.tables, x) : findTable(scene.levels, selection)?.shape;
  const box = memtable?.box ?? table?.box ?? row?.box ?? scene.rows.memory;
  const floor = memtable?.beads[0]?.box ?? table?.floor ?? box;
  const r = clamp(box.h * 0.4, R_MIN, R_MAX);
  return { y: Math.min(floor.y + floor.h / 2, box.y + box.h - r), r };
}

/** The highest table of a row that the line passes without touching any. */
function beside(tables: readonly TableShape[], x: number): TableShape | undefined {
  const touches = ({ box }: TableShape) => box.x <= x && x <= box.x + box.w;
  const lanes = new Set(tables.filter(touches).map(({ box }) => box.y));
  return tables.filter(({ box }) => !lanes.has(box.y)).toSorted((a, b) => a.box.y - b.box.y)[0];
}

function isRoomy({ y, r, text }: Place, band: { x: number; w: number }, { rows }: Tree): boolean {
  return tagBeside(text, { ...band, y, r }, rows, []) !== null;
}

/** The words at the marks, the last stop first: those of an earlier stop only where they cover no others. */
function tagsOf(places: readonly Place[], band: { x: number; w: number }, scene: Tree) {
  const beads = beadsOf(scene);
  const taken: Tag[] = [];
  const tags = places.toReversed().map(({ y, r, text }, index): Tag | null => {
    const tag = tagBeside(text, { ...band, y, r }, scene.rows, beads);
    if (!tag || (index > 0 && taken.some(({ box }) => meets(box, tag.box)))) return null;
    taken.push(tag);
    return tag;
  });
  return tags.toReversed();
}

/** In place of a result that is to be predicted. */
export const QUESTION = 'Is it here?';

/** The entries of the block that was read, as far as the index and the compared entries show its bounds. */
function blockFrame(stop: Extract<ReadStop, { stop: 'table' }>, scene: Tree): Box[] {
  const table = findTable(scene.levels, `table:${stop.table}`)?.shape;
  const [block] = stop.blocks;
  if (!table || !block) return [];
  const within = rangeOf(stop, block);
  const boxes = table.beads
    .filter(({ key }) => within(key))
    .map(({ box }) => ({ from: box.x, to: box.x + box.w }));
  const walked = block.entries.map(({ key }) => scene.axis.x(key));
  const from = Math.min(...boxes.map((each) => each.from), ...walked);
  const to = Math.max(...boxes.map((each) => each.to), ...walked);
  if (!Number.isFinite(from)) return [];
  const { x, y, w, h } = table.floor;
  const [start, end] = [Math.max(from - 3, x), Math.min(to + 3, x + w)];
  return [{ x: start, y: y - 2, w: Math.max(end - start, 2), h: h + 4 }];
}

/** Whether a key is in the block: after the last index entry before it, up to its own. */
function rangeOf({ searches }: Extract<ReadStop, { stop: 'table' }>, block: BlockStop) {
  const index = searches.find(({ among }) => among === 'blocks');
  if (!index) {
    const walked = block.entries.map(({ key }) => key);
    return (key: ShownKey) => walked.some((known) => compareKeys(known, key) === 0);
  }
  const turn = (at: number) => index.turns.find(({ middle }) => middle === at)?.key;
  const [before, own] = [turn(index.found - 1), turn(index.found)];
  return (key: ShownKey) =>
    (!before || compareKeys(key, before) > 0) && (!own || compareKeys(key, own) <= 0);
}

/** The objects skipped above the next stop; after the last stop, all skipped objects. */
function passedBy(known: readonly Stop[], next: ReadStop | undefined, scene: Tree) {
  const asked = new Set(known.map(({ selection }) => selection));
  const end = next ? (stopWords(next).level ?? -1) : Number.POSITIVE_INFINITY;
  const levels = scene.levels.filter(({ level }) => level < end);
  const objects = [
    ...(end > -1 ? scene.memory.memtables : []),
    ...levels.flatMap(({ tables }) => tables),
  ].filter(({ id }) => !asked.has(id));
  return new Set(objects.map(({ id }) => id));
}
