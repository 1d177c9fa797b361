import type {
  Among,
  BlockStop,
  ExplainResult,
  FilterAnswer,
  Hit,
  ReadStop,
  Search,
  TableVerdict,
} from '../../model/engine.generated';
import { keyParts, keyText, rangeText } from '../../model/keys';
import { count, counted } from '../../model/words';
import { boldWidth, fitting, textWidth } from '../Stage/scene/text';

/** A filter: all of it to scale, and the bytes around the bits asked. */
export type FilterScene = ReturnType<typeof placeFilter>['scene'];

/** A binary search that narrows, turn by turn. */
export type SearchScene = ReturnType<typeof placeSearch>['scene'];

/** A scanned entry: the prefix that its key shares with the key before, and the rest. */
export type EntryScene = BlockScene['entries'][number];

/** A block that was looked into. */
export type BlockScene = ReturnType<typeof placeBlock>['scene'];

/** One stop of a lookup. */
export interface StopScene {
  order: number;
  y: number;
  /** Where the line to the next stop ends. */
  end: number;
  title: string;
  selection: string;
  level: number | null;
  outcome: 'hit' | 'filtered' | 'miss' | 'outside';
  verdict: string;
  cost: string;
  /** Beside the title there is no room for it. */
  costBelow: boolean;
  filter: FilterScene | null;
  searches: SearchScene[];
  blocks: BlockScene[];
}

/** The whole path. */
export type ReadPathScene = ReturnType<typeof readPathScene>;

/** Where a stop begins, right of the line that joins them. */
export const STOP_X = 34;
export const ROW_H = 21;
const TITLE_H = 46;
/** Between the lines of a stop's head [px]. */
export const LINE_H = 19;
const GAP = 16;
const BIT_W = 9;
const BYTE_GAP = 10;
const BYTE_W = 8 * BIT_W;
const BYTE_H = 38;
const BAR_SHARE = 0.24;
const ENTRIES_MAX = 16;
/** Width of a character of the keys [px]. */
const CHARACTER_W = 7.9;

/** What a table without the entry has instead. */
const MISSES: Readonly<Record<TableVerdict, string>> = {
  hit: '',
  absent: 'does not have it',
  onlyNewer: 'has only newer versions',
  falsePositive: 'false positive of the filter',
};

/** The result of a stop, in words. */
export function verdictOf(hit: Hit | null, verdict: TableVerdict = 'absent'): string {
  if (!hit) return MISSES[verdict];
  return hit.entry === 'put'
    ? `has it: put, sequence ${count(hit.sequence)}`
    : `has a tombstone ×, sequence ${count(hit.sequence)}`;
}

/** Size of a caption [px], and how much wider bold letters are. */
const CAPTION_UNIT = 15;
const COST_UNIT = 13;
const BOLD = 1.12;

/** The probes of a filter, and its answer. */
export function filterCaption(filter: FilterAnswer, verdict: TableVerdict): string {
  return filterCaptions(filter, verdict)[0];
}

/** The same, from the longest wording to the shortest. */
function filterCaptions(
  filter: FilterAnswer,
  verdict: TableVerdict,
): readonly [string, ...string[]] {
  const isWrong = verdict === 'falsePositive';
  const said = filter.maybe ? (isWrong ? 'maybe, a false positive' : 'maybe') : 'no';
  const short = isWrong ? 'false positive' : said;
  const probes = `${filter.asked.length} of ${filter.probes} probes`;
  const whole = `Filter of ${counted(filter.bits, 'bit')}: ${probes}, ${said}`;
  return [whole, `Filter: ${probes}, ${short}`, `Filter: ${short}`];
}

const NOUNS: Readonly<Record<Among, { title: string; noun: string }>> = {
  tables: { title: 'Run: ', noun: 'table' },
  blocks: { title: 'Index: ', noun: 'block' },
  restarts: { title: '', noun: 'restart point' },
  entries: { title: '', noun: 'entry' },
};

/** A search, and its number of comparisons. */
export function searchCaption(search: Search): string {
  const { title, noun } = NOUNS[search.among];
  const turns = counted(search.turns.length, 'comparison');
  return `${title}${counted(search.count, noun)}, ${turns}`;
}

/** Where a search ended; places count from 1, as in paths. */
export function foundText(search: Search): string {
  const { noun } = NOUNS[search.among];
  return search.found < search.count
    ? `first not before: ${noun} ${count(search.found + 1)}`
    : 'all are before';
}

/** Where a block is, and where it came from. */
export function blockCaption(block: BlockStop): string {
  const from = block.cached ? 'from the cache' : 'read from the file';
  return `Block at ${count(block.offset)}, ${count(block.bytes)} B, ${from}`;
}

/** How many blocks were looked into, and where they came from. */
export function blocksText(read: number, cached: number): string {
  if (read === 0) return cached === 0 ? 'no block' : `${counted(cached, 'block')} from the cache`;
  return `${counted(read, 'block')} read${cached === 0 ? '' : `, ${count(cached)} from the cache`}`;
}

/** As {@link blocksText}, of the blocks of one stop. */
export function blocksOf(blocks: readonly BlockStop[]): string {
  const cached = blocks.filter((block) => block.cached).length;
  return blocksText(blocks.length - cached, cached);
}

/** A lookup, placed from top to bottom in `width` pixels. */
export function readPathScene(read: ExplainResult, width: number) {
  const stops: StopScene[] = [];
  let y = 4;
  for (const [index, stop] of read.stops.entries()) {
    const placed = placeStop(stop, index + 1, y, width);
    stops.push(placed);
    y = placed.end;
  }
  return { width, height: y, stops };
}

function placeStop(stop: ReadStop, order: number, top: number, width: number): StopScene {
  const head = headOf(stop);
  const titleEnd = STOP_X + boldWidth(head.title, CAPTION_UNIT) + CHARACTER_W;
  const costBelow = titleEnd + textWidth(head.cost, COST_UNIT) > width;
  const scene: StopScene = {
    order,
    y: top,
    end: top,
    ...head,
    costBelow,
    filter: null,
    searches: [],
    blocks: [],
  };
  let y = top + TITLE_H + (costBelow ? LINE_H : 0);
  if ((stop.stop === 'table' || stop.stop === 'filtered') && stop.filter) {
    const placed = placeFilter(stop.filter, verdictOn(stop), y, width);
    scene.filter = placed.scene;
    y = placed.end;
  }
  if (stop.stop === 'table') {
    for (const search of stop.searches) {
      const placed = placeSearch(search, y, width);
      scene.searches.push(placed.scene);
      y = placed.end;
    }
    for (const block of stop.blocks) {
      const placed = placeBlock(block, y, width);
      scene.blocks.push(placed.scene);
      y = placed.end;
    }
  }
  scene.end = y + GAP;
  return scene;
}

/** The verdict on a table that was searched or skipped. */
export function verdictOn(stop: ReadStop): TableVerdict {
  return stop.stop === 'table' ? stop.verdict : 'absent';
}

type Head = Pick<StopScene, 'title' | 'selection' | 'level' | 'outcome' | 'verdict' | 'cost'>;

/** What the picture and the table say of a place that was asked. */
export function headOf(stop: ReadStop): Head {
  switch (stop.stop) {
    case 'memtable':
      return {
        title: `memtable ${stop.memtable}`,
        selection: `memtable:${stop.memtable}`,
        level: null,
        outcome: stop.hit ? 'hit' : 'miss',
        verdict: verdictOf(stop.hit),
        cost: counted(stop.comparisons, 'comparison'),
      };
    case 'rangeDelete':
      return {
        ...rangeHead(stop),
        outcome: 'hit',
        verdict: `range delete ${rangeText(stop.range, 16)} hides it`,
        cost: `sequence ${count(stop.sequence)}`,
      };
    case 'outOfRange':
      return {
        title: `L${stop.level}`,
        selection: `level:${stop.level}`,
        level: stop.level,
        outcome: 'outside',
        verdict: `${counted(stop.tables, 'table')} skipped`,
        cost: 'key out of range',
      };
    case 'filtered':
    case 'noPrefix':
      return {
        ...tableHead(stop),
        outcome: 'filtered',
        verdict: `skipped by its ${skippedBy(stop)}`,
        cost: 'no block',
      };
    case 'table':
      return {
        ...tableHead(stop),
        outcome: stop.hit ? 'hit' : 'miss',
        verdict: verdictOf(stop.hit, stop.verdict),
        cost: `${prefixText(stop)}${counted(stop.comparisons, 'comparison')}, ${blocksOf(stop.blocks)}`,
      };
  }
}

function prefixText({ prefixIndex }: Extract<ReadStop, { stop: 'table' }>) {
  return prefixIndex === 'none' ? '' : `${prefixIndex} prefix index, `;
}

/** What said that a table does not have the key. */
function skippedBy({ stop }: Pick<ReadStop, 'stop'>): string {
  return stop === 'filtered' ? 'filter' : 'prefix index';
}

function tableHead(stop: { level: number; table: number }) {
  const { level, table } = stop;
  return { title: `L${level} table ${table}`, selection: `table:${table}`, level };
}

/** Of the place that has a range tombstone: a memtable or a table. */
function rangeHead({ memtable, level, table }: Extract<ReadStop, { stop: 'rangeDelete' }>) {
  return level !== null && table !== null
    ? tableHead({ level, table })
    : { title: `memtable ${memtable}`, selection: `memtable:${memtable}`, level: null };
}

function placeFilter(filter: FilterAnswer, verdict: TableVerdict, y: number, width: number) {
  const bar = { x: STOP_X, y: y + 20, width: width - STOP_X - 8 };
  const xOf = (bit: number) => bar.x + (bar.width * bit) / Math.max(filter.bits, 1);
  const inRow = Math.max(1, Math.floor((bar.width + BYTE_GAP) / (BYTE_W + BYTE_GAP)));
  const bytes = filter.asked.map((asked, index) => {
    const x = STOP_X + (index % inRow) * (BYTE_W + BYTE_GAP);
    // From the least significant on.
    const bits = Array.from({ length: 8 }, (_, place) => ({
      x: x + place * BIT_W,
      on: ((asked.byte >> place) & 1) === 1,
      asked: place === asked.bit % 8,
    }));
    const rowY = y + 46 + Math.floor(index / inRow) * BYTE_H;
    return { x, y: rowY, label: `bit ${count(asked.bit)}`, set: asked.set, bits };
  });
  const ticks = filter.asked.map(({ bit, set }) => ({ x: xOf(bit), set }));
  const rows = Math.ceil(bytes.length / inRow);
  const wordings = filterCaptions(filter, verdict);
  const caption = fitting(wordings, (width - STOP_X) / BOLD, CAPTION_UNIT) || wordings[2] || '';
  return { scene: { y, caption, bar, ticks, bytes }, end: y + 46 + rows * BYTE_H + 4 };
}

function placeSearch(search: Search, y: number, width: number) {
  const bar = { x: STOP_X, width: Math.round((width - STOP_X) * BAR_SHARE) };
  // As wide as the heading "high", at least.
  const digits = Math.max(4, String(search.count).length);
  const column = digits * CHARACTER_W + 7;
  const ends = [1, 2, 3].map((place) => bar.x + bar.width + 4 + place * column);
  const keyX = bar.x + bar.width + 14 + 3 * column;
  const xOf = (place: number) => bar.x + (bar.width * place) / Math.max(search.count, 1);
  const span = (from: number, to: number) => ({ x: xOf(from), width: xOf(to) - xOf(from) });
  const letters = Math.max(5, Math.floor((width - keyX - 44) / CHARACTER_W));
  const turns = search.turns.map((turn, index) => ({
    y: y + 2 * ROW_H + index * ROW_H,
    open: span(turn.low, turn.high),
    middle: span(turn.middle, turn.middle + 1),
    numbers: [turn.low + 1, turn.middle + 1, turn.high].map((number, place) => ({
      x: ends[place] ?? 0,
      text: String(number),
    })),
    key: keyText(turn.key, letters),
    verdict: turn.again ? 'again' : turn.before ? '→' : '←',
    again: turn.again,
  }));
  const foundY = y + (2 + turns.length) * ROW_H;
  const headings = ['low', 'mid', 'high'].map((text, place) => ({ x: ends[place] ?? 0, text }));
  const { found: place } = search;
  const mark = place < search.count ? span(place, place + 1) : { x: xOf(place), width: 0 };
  const found = { y: foundY, text: foundText(search), ...mark };
  const caption = searchCaption(search);
  const scene = { y, caption, bar, headings, keyX, turns, found };
  return { scene, end: foundY + ROW_H + 8 };
}

function placeBlock(block: BlockStop, top: number, width: number) {
  let y = top + ROW_H;
  let search: SearchScene | null = null;
  if (block.restarts) {
    const placed = placeSearch(block.restarts, y, width);
    search = placed.scene;
    y = placed.end;
  }
  // The entries scanned last decided the search.
  const hidden = Math.max(0, block.entries.length - ENTRIES_MAX);
  const note = hidden > 0 ? { y, text: `${counted(hidden, 'entry')} before these` } : null;
  if (note) y += ROW_H;
  const letters = Math.max(6, Math.floor((width - STOP_X - 170) / CHARACTER_W));
  const entries = block.entries.slice(hidden).map((entry, index) => ({
    y: y + index * ROW_H,
    offset: count(entry.offset),
    ...keyParts(entry, letters),
    sequence: `#${count(entry.sequence)}`,
    order: entry.order,
  }));
  const scene = { y: top, caption: blockCaption(block), search, note, entries };
  return { scene, end: y + entries.length * ROW_H + 6 };
}
