import type { MemtableTree, Stretch, ValueKind } from '../../../model/engine.generated';
import { keyText } from '../../../model/keys';
import type { KeyAxis } from './axis';
import type { Entry } from './contents';
import type { OpenedRow } from './openedRows';

/** An entry of an opened object, with the number of its column, from 1. */
export interface StoredEntry extends Entry {
  block: number;
  /** Its bytes as a selection; missing where they are not known. */
  path?: string;
  value?: string | null;
  /** Of a record with several entries: its keys, and their number. */
  name?: string;
  kind?: string | null;
  /** Belongs to another column family than the one on show. */
  isForeign?: boolean;
}

/** An opened object, as far as it is known: a table, a memtable or a log. Its columns are blocks, leaf nodes, or parts of a log. */
export interface Inside {
  /** The object, what of it is opened, and the way there below the tree. */
  object: string;
  path: string;
  row: OpenedRow;
  crumbs: readonly Crumb[];
  /** Its figures, from the longest wording to the shortest. */
  figures: readonly string[];
  /** The number of its columns, and what each of them is. */
  columns: number;
  columnAt(number: number): ColumnName;
  /** How many entries lie before a column, from 1 to one after the last; `null`: that is not known. */
  before(number: number): number | null;
  /** The opened column, from 1; `null`: none, `all`: those of a log, in the order of writing. */
  block: number | 'all' | null;
  /** Around this column, if not all have room. */
  near: number;
  /** The entry that has room in any case, as a selection. */
  selected?: string | null;
  /** The known entries; of a column all or none, or the newest of a log. */
  entries: readonly StoredEntry[];
  /** Of a table: filter, index, footer, and others. */
  parts: readonly TablePart[];
  /** The colours of its keys; absent: those of the axis. */
  hue?: KeyAxis['hue'] | undefined;
  /** The tree of a memtable, around the way to its opened node. */
  tree: MemtableTree | null;
}

/** A step of the way: what it opens, `null` the tree, and selects. */
export interface Crumb {
  text: string;
  opened: string | null;
  selected: string | null;
}

/** A column as a selection, and its name from the longest wording to the shortest. */
interface ColumnName {
  id: string;
  names: readonly string[];
  /** Of a log: would be lost in a crash. */
  isLoose?: boolean;
}

/** A part of a table beside its blocks. */
export interface TablePart extends Pick<Stretch, 'kind' | 'name' | 'path'> {
  /** Of a filter: its bits, as bytes, and how many are set, from the longest wording to the shortest. */
  filter: { bits: Uint8Array; wordings: readonly string[] } | null;
  /** A line for each block in an index, and for each offset in a footer. */
  lines: readonly Line[];
}

/** A line of a part: its name may be cut, what stands after it may not. */
export interface Line {
  name: string;
  tail: string;
}

/** A column, or several that have no room of their own. */
export interface BlockOf extends ColumnName {
  /** The first one; 0 beside the columns. */
  number: number;
  /** The name of the last one, and how many they are, if they stand together. */
  band: { last: string; blocks: number } | null;
  /** All of its entries; none where they are not known. */
  entries: readonly StoredEntry[];
  /** Their number; `null`: not known. */
  count: number | null;
}

/** The columns `from` to `to` one by one, and those before and after them together. */
export function blocksIn(
  { entries, columns, columnAt, before }: Inside,
  from: number,
  to: number,
): BlockOf[] {
  const counted = (first: number, last: number) => {
    const [low, high] = [before(first), before(last + 1)];
    return low === null || high === null ? null : high - low;
  };
  const together = (first: number, last: number): BlockOf[] => {
    if (last < first) return [];
    const band = { last: nameOf(columnAt(last)), blocks: last - first + 1 };
    return [{ ...columnAt(first), number: first, band, entries: [], count: counted(first, last) }];
  };
  const each = Array.from({ length: to - from + 1 }, (_, at): BlockOf => {
    const number = from + at;
    const count = counted(number, number);
    const own = count === null ? [] : entries.filter(({ block }) => block === number);
    return { ...columnAt(number), number, band: null, entries: own, count };
  });
  return [...together(1, from - 1), ...each, ...together(to + 1, columns)];
}

export const nameOf = ({ names }: ColumnName) => names[0] ?? '';

/** The way from the tree to an opened object, over the level of a table, or to a file by itself. */
export function crumbsOf(path: string, name: string, level?: Omit<Crumb, 'opened'>): Crumb[] {
  const [object = '', ...steps] = path.startsWith('@') ? [path] : path.split('/');
  const upTo = (at: number) => [object, ...steps.slice(0, at + 1)].join('/');
  return [
    { text: 'tree', opened: null, selected: null },
    ...(level ? [{ ...level, opened: null }] : []),
    { text: name, opened: object, selected: null },
    ...steps.map((step, at) => ({
      ...{ text: step.replace(':', ' '), opened: upTo(at), selected: null },
    })),
  ];
}

/** So many of the numbers 1 to `count`, around `near`. */
export function windowOf(count: number, near: number, most: number): { from: number; to: number } {
  if (count <= most) return { from: 1, to: count };
  const length = Math.max(most, 1);
  const from = Math.min(Math.max(near - Math.floor(length / 2), 1), count - length + 1);
  return { from, to: from + length - 1 };
}

/** The name and the kind of a record with several entries. */
export const batchOf = (entries: readonly Pick<StoredEntry, 'key'>[]) => ({
  name: entries.map(({ key }) => keyText(key)).join(', '),
  kind: batchText(entries.length),
});

export const batchText = (entries: number) => `batch of ${entries}`;

const KINDS: Readonly<Record<ValueKind, string>> = {
  put: 'put',
  delete: 'tombstone',
  rangeDelete: 'range tombstone',
};

/** The kind of an entry in words. */
export const kindText = ({ entry, kind }: Pick<StoredEntry, 'entry' | 'kind'>) =>
  kind ?? KINDS[entry];
