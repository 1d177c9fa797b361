import type {
  Among,
  BlockStop,
  ExplainResult,
  FilterAnswer,
  Hit,
  ReadStop,
  Search,
  TableVerdict,
} from './engine.generated';
import { rangeText } from './keys';
import { count, counted } from './words';

/** The result of a stop, as the sign of its mark. */
export type StopSign = 'outside' | 'no' | 'miss' | 'wrong' | 'found' | 'deleted';

/** A stop in words. */
interface StopWords {
  title: string;
  selection: string;
  /** `null`: memory. */
  level: number | null;
  sign: StopSign;
  /** The result in a sentence part. */
  verdict: string;
  cost: string;
  /** The result in a few words. */
  short: string;
}

/** A place that a lookup asked, with its result. */
export function stopWords(stop: ReadStop): StopWords {
  switch (stop.stop) {
    case 'memtable':
      return {
        title: `memtable ${stop.memtable}`,
        selection: `memtable:${stop.memtable}`,
        level: null,
        sign: signOf(stop.hit, 'absent'),
        verdict: verdictOf(stop.hit, 'absent'),
        cost: counted(stop.comparisons, 'comparison'),
        short: shortOf(stop.hit, 'absent'),
      };
    case 'rangeDelete':
      return {
        ...rangeHead(stop),
        sign: 'deleted',
        verdict: `range delete ${rangeText(stop.range, 16)} hides it`,
        cost: `sequence ${count(stop.sequence)}`,
        short: 'range delete hides it',
      };
    case 'outOfRange':
      return {
        title: `L${stop.level}`,
        selection: `level:${stop.level}`,
        level: stop.level,
        sign: 'outside',
        verdict: `${counted(stop.tables, 'table')} skipped`,
        cost: 'key out of range',
        short: `out of range: ${counted(stop.tables, 'table')}`,
      };
    case 'filtered':
    case 'noPrefix': {
      const by = stop.stop === 'filtered' ? 'filter' : 'prefix index';
      return {
        ...tableHead(stop),
        sign: 'no',
        verdict: `skipped by its ${by}`,
        cost: 'no block',
        short: `${by}: no`,
      };
    }
    case 'table':
      return {
        ...tableHead(stop),
        sign: signOf(stop.hit, stop.verdict),
        verdict: verdictOf(stop.hit, stop.verdict),
        cost: `${prefixText(stop)}${counted(stop.comparisons, 'comparison')}, ${blocksOf(stop.blocks)}`,
        short: [
          ...(stop.filter ? ['filter: maybe'] : []),
          ...(stop.blocks.length > 0 ? [blocksOf(stop.blocks)] : []),
          shortOf(stop.hit, stop.verdict),
        ].join(' · '),
      };
  }
}

/** A table without the entry has one of these instead. */
const MISSES: Readonly<Record<TableVerdict, string>> = {
  hit: '',
  absent: 'does not have it',
  onlyNewer: 'has only newer versions',
  falsePositive: 'false positive of the filter',
};

function verdictOf(hit: Hit | null, verdict: TableVerdict): string {
  if (!hit) return MISSES[verdict];
  return hit.entry === 'put'
    ? `has it: put, sequence ${count(hit.sequence)}`
    : `has a tombstone ×, sequence ${count(hit.sequence)}`;
}

const SHORT_MISSES: Readonly<Record<TableVerdict, string>> = {
  hit: '',
  absent: 'not here',
  onlyNewer: 'newer versions only',
  falsePositive: 'false positive',
};

function shortOf(hit: Hit | null, verdict: TableVerdict): string {
  if (!hit) return SHORT_MISSES[verdict];
  return hit.entry === 'put' ? 'found' : 'tombstone';
}

function signOf(hit: Hit | null, verdict: TableVerdict): StopSign {
  if (hit) return hit.entry === 'put' ? 'found' : 'deleted';
  return verdict === 'falsePositive' ? 'wrong' : 'miss';
}

function prefixText({ prefixIndex }: Extract<ReadStop, { stop: 'table' }>) {
  return prefixIndex === 'none' ? '' : `${prefixIndex} prefix index, `;
}

function tableHead({ level, table }: { level: number; table: number }) {
  return { title: `L${level} table ${table}`, selection: `table:${table}`, level };
}

/** Of the place that has a range tombstone: a memtable or a table. */
function rangeHead({ memtable, level, table }: Extract<ReadStop, { stop: 'rangeDelete' }>) {
  return level !== null && table !== null
    ? tableHead({ level, table })
    : { title: `memtable ${memtable}`, selection: `memtable:${memtable}`, level: null };
}

/** One stop of a lookup as a sentence, with its place in the order of all. */
export function stopSentence({ stops }: ExplainResult, at: number): string {
  const stop = stops[at];
  if (!stop) return '';
  const { title, verdict, cost } = stopWords(stop);
  return `Stop ${at + 1} of ${stops.length}: ${title}: ${verdict}; ${cost}.`;
}

/** The probes of a filter, and its answer. */
export function filterCaption(filter: FilterAnswer, verdict: TableVerdict): string {
  const isWrong = verdict === 'falsePositive';
  const answer = filter.maybe ? (isWrong ? 'maybe, a false positive' : 'maybe') : 'no';
  const probes = `${filter.asked.length} of ${filter.probes} probes`;
  return `Filter of ${counted(filter.bits, 'bit')}: ${probes}, ${answer}`;
}

const NOUNS: Readonly<Record<Among, { title: string; noun: string }>> = {
  tables: { title: 'Run: ', noun: 'table' },
  blocks: { title: 'Index: ', noun: 'block' },
  restarts: { title: '', noun: 'restart point' },
  entries: { title: '', noun: 'entry' },
};

/** A search: its number of comparisons, and where it ended; places count from 1, as in paths. */
export function searchCaption({ among, count: all, turns, found }: Search): string {
  const { title, noun } = NOUNS[among];
  const end = found < all ? `first not before: ${noun} ${count(found + 1)}` : 'all are before';
  return `${title}${counted(all, noun)}, ${counted(turns.length, 'comparison')}; ${end}`;
}

/** A block's place and its source: cache or file. */
export function blockCaption(block: BlockStop): string {
  const from = block.cached ? 'from the cache' : 'read from the file';
  return `Block at ${count(block.offset)}, ${count(block.bytes)} B, ${from}`;
}

/** The number of blocks searched, and their sources. */
export function blocksText(read: number, cached: number): string {
  if (read === 0) return cached === 0 ? 'no block' : `${counted(cached, 'block')} from the cache`;
  return `${counted(read, 'block')} read${cached === 0 ? '' : `, ${count(cached)} from the cache`}`;
}

/** As {@link blocksText}, of the blocks of one stop. */
function blocksOf(blocks: readonly BlockStop[]): string {
  const cached = blocks.filter((block) => block.cached).length;
  return blocksText(blocks.length - cached, cached);
}
