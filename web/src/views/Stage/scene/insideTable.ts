import type { TableInfo } from '../../../model/engine.generated';
import { keyText } from '../../../model/keys';
import { count, counted, size } from '../../../model/words';
import { crumbsOf, type Inside, type StoredEntry } from './inside';

/** What is known of an opened table. */
interface Reading extends Pick<Inside, 'path' | 'near' | 'parts'> {
  /** The opened block, from 1; `null`: the table. */
  block: number | null;
  /** Its first entries, or all. */
  entries: readonly StoredEntry[];
  /** The entries of the opened block in its file: their path, and their values in words. */
  read: { path: string; values: readonly string[] } | null;
}

/** A table from inside: its data blocks, then filter, index and footer. */
export function tableInside(info: TableInfo, level: number, known: Reading): Inside {
  const { path, block, near, entries, read, parts } = known;
  const object = `table:${info.table}`;
  const start = entries.findIndex((entry) => entry.block === block);
  return {
    ...{ object, path, row: level, block, parts, tree: null },
    near: Math.min(near, Math.max(info.blocks, 1)),
    crumbs: crumbsOf(path, `table ${info.table}`, {
      text: `L${level}`,
      selected: `level:${level}`,
    }),
    figures: figuresOf(info),
    columns: info.blocks,
    columnAt: (number) => {
      const names = [`block ${count(number)}`, count(number)];
      return { id: `${object}/block:${number}`, names };
    },
    before: countsOf(info, entries),
    entries: entries.map((entry, at) => {
      if (!read || entry.block !== block) return entry;
      const value = read.values[at - start];
      const own = { ...entry, path: `${object}/${read.path}/entry:${at - start + 1}` };
      return value === undefined ? own : { ...own, value };
    }),
  };
}

function figuresOf(info: TableInfo): string[] {
  const keys = `${keyText(info.smallest, 16)} … ${keyText(info.largest, 16)}`;
  const entries = counted(info.entries, 'entry');
  const ranges = info.ranges ? ` · ${counted(info.ranges.count, 'range tombstone')}` : '';
  const bytes = size(info.bytes);
  const all = `${entries}${ranges} · ${counted(info.blocks, 'block')} · ${bytes}`;
  return [`${keys} · ${all}`, all, `${entries} · ${bytes}`, entries];
}

/** How many of its entries lie before a block. */
function countsOf(info: TableInfo, entries: readonly StoredEntry[]): Inside['before'] {
  const isAll = entries.length === info.entries;
  const lastKnown = entries.at(-1)?.block ?? 0;
  const firsts = new Map<number, number>();
  for (const [at, { block }] of entries.entries()) if (!firsts.has(block)) firsts.set(block, at);
  return (block) => {
    if (block === 1) return 0;
    if (block > info.blocks) return info.entries;
    return isAll || block <= lastKnown ? (firsts.get(block) ?? null) : null;
  };
}
