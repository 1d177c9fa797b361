import type { Stretch, TableInfo, ValueKind } from '../../../model/engine.generated';
import type { Entry } from './contents';

/** An entry of a table with the number of its block, from 1. */
export interface StoredEntry extends Entry {
  block: number;
}

/** An opened table as the engine has returned it; parts that are not known yet, or too much, are missing. */
export interface Inside {
  info: TableInfo;
  level: number;
  /** What is opened: `table:12`, `table:12/block:2`. */
  path: string;
  /** The opened block, from 1; `null`: the table. */
  block: number | null;
  /** Around this block, if not all have room. */
  near: number;
  /** The first entries of the table, or all. */
  entries: readonly StoredEntry[];
  /** The parts of the file; `null`: not known. */
  stretches: readonly Stretch[] | null;
  /** The entries of the opened block in its file: their path, and their values in words. */
  read: { path: string; values: readonly string[] } | null;
  /** The bits of its filter, as bytes, and how many are set, from the longest wording to the shortest. */
  filter: { bits: Uint8Array; wordings: readonly string[] } | null;
  /** A line for each block, and for each offset in the footer. */
  index: readonly Line[];
  footer: readonly Line[];
}

/** A line of a part: its name may be cut, what stands after it may not. */
export interface Line {
  name: string;
  tail: string;
}

/** A block of an opened table, or several that have no room of their own. */
export interface BlockOf {
  /** The first one, and how many they are. */
  number: number;
  blocks: number;
  /** All of its entries; none where they are not known. */
  entries: readonly StoredEntry[];
  /** Their number; `null`: not known. */
  count: number | null;
}

/** The blocks `from` to `to` one by one, and those before and after them together. */
export function blocksIn({ info, entries }: Inside, from: number, to: number): BlockOf[] {
  const before = prefixes(info, entries);
  const counted = (first: number, last: number) => {
    const [low, high] = [before(first), before(last + 1)];
    return low === null || high === null ? null : high - low;
  };
  const together = (first: number, last: number): BlockOf[] =>
    last < first
      ? []
      : [{ number: first, blocks: last - first + 1, entries: [], count: counted(first, last) }];
  const each = Array.from({ length: to - from + 1 }, (_, at): BlockOf => {
    const number = from + at;
    const count = counted(number, number);
    const own = count === null ? [] : entries.filter(({ block }) => block === number);
    return { number, blocks: 1, entries: own, count };
  });
  return [...together(1, from - 1), ...each, ...together(to + 1, info.blocks)];
}

/** How many entries lie before a block, from 1 to one after the last; `null`: that is not known. */
function prefixes(info: TableInfo, entries: readonly StoredEntry[]) {
  const isAll = entries.length === info.entries;
  const lastKnown = entries.at(-1)?.block ?? 0;
  const firsts = new Map<number, number>();
  for (const [at, { block }] of entries.entries()) if (!firsts.has(block)) firsts.set(block, at);
  return (block: number): number | null => {
    if (block === 1) return 0;
    if (block > info.blocks) return info.entries;
    return isAll || block <= lastKnown ? (firsts.get(block) ?? null) : null;
  };
}

/** So many of the numbers 1 to `count`, around `near`. */
export function windowOf(count: number, near: number, most: number): { from: number; to: number } {
  if (count <= most) return { from: 1, to: count };
  const length = Math.max(most, 1);
  const from = Math.min(Math.max(near - Math.floor(length / 2), 1), count - length + 1);
  return { from, to: from + length - 1 };
}

const KINDS: Readonly<Record<ValueKind, string>> = {
  put: 'put',
  delete: 'tombstone',
  rangeDelete: 'range tombstone',
};

/** The kind of an entry in words. */
export const kindText = ({ entry }: Pick<Entry, 'entry'>) => KINDS[entry];
