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
import { count, counted, joined } from './words';

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
        cost: counted(stop.comparisons, 'comparison'),
        ...resultOf(stop.hit, 'absent'),
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
    case 'table': {
      const blocks = blocksOf(stop.blocks);
      const result = resultOf(stop.hit, stop.verdict);
      const filter = stop.filter && 'filter: maybe';
      return {
        ...tableHead(stop),
        ...result,
        cost: `${prefixText(stop)}${counted(stop.comparisons, 'comparison')}, ${blocks}`,
        short: joined([filter, stop.blocks.length > 0 && blocks, result.short], ' · '),
      };
    }
  }
}

type StopResult = Pick<StopWords, 'sign' | 'verdict' | 'short'>;

/** A place without the entry has one of these results. */
const MISSES: Readonly<Record<TableVerdict, StopResult>> = {
  hit: { sign: 'miss', verdict: '', short: '' },
  absent: { sign: 'miss', verdict: 'does not have it', short: 'not here' },
  onlyNewer: { sign: 'miss', verdict: 'has only newer versions', short: 'newer versions only' },
  falsePositive: {
    sign: 'wrong',
    verdict: 'false positive of the filter',
    short: 'false positive',
  },
};

function resultOf(hit: Hit | null, miss: TableVerdict): StopResult {
  if (!hit) return MISSES[miss];
  const sequence = `sequence ${count(hit.sequence)}`;
  return hit.entry === 'put'
    ? { sign: 'found', verdict: `has it: put, ${sequence}`, short: 'found' }
    : { sign: 'deleted', verdict: `has a tombstone ×, ${sequence}`, short: 'tombstone' };
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
