import type {
  JobView,
  MemtableView,
  OutputView,
  RecentWrites,
  ShownKey,
  ValueKind,
  View,
} from '../../../model/engine.generated';
import type { MergeEvent } from '../../../model/judged';
import { compareKeys, keyId } from '../../../model/keys';
import type { Writing } from '../../../model/writing';
import { recentOf } from './recent';

/** An entry as a bead. */
export interface Entry {
  key: ShownKey;
  sequence: number;
  entry: ValueKind;
}

/** The entries of tables, by number. */
export type Contents = ReadonlyMap<number, readonly Entry[]>;

export const NO_CONTENTS: Contents = new Map();
/** Most entries of a table, and most tables, that are drawn one by one. */
export const ENTRIES_MAX = 200;
/** Newest entries of a memtable that a picture knows. */
export const RECENT_MAX = 1000;
export const TABLES_MAX = 48;

/** Entries of memtables, installed tables and tables at work, as far as all entries of each are known. */
export interface KnownEntries {
  memtables: ReadonlyMap<number, readonly Entry[]>;
  tables: ReadonlyMap<number, readonly Entry[]>;
}

/** Collects the entries of the objects of a view; of each memtable and table all of them or none. */
export function knownEntries(
  view: View,
  writing: Writing,
  recent: readonly RecentWrites[],
  contents: Contents,
  kept?: readonly MergeEvent[] | null,
): KnownEntries {
  const memtables = new Map<number, readonly Entry[]>();
  for (const memtable of view.memtables) {
    const entries = pointsOf(memtable, view, recent);
    if (entries) memtables.set(memtable.memtable, entries);
  }
  const tables = new Map<number, readonly Entry[]>();
  for (const { table, entries: count } of view.levels.flatMap((level) => level.tables)) {
    const entries = contents.get(table);
    if (entries?.length === count) tables.set(table, entries);
  }
  for (const output of writing.values()) {
    const job = view.jobs.find((known) => known.job === output.job);
    const written =
      kept && kept[0]?.job === output.job
        ? keptIn(output, kept, writing)
        : job
          ? writtenEntries(output, job, { memtables, tables })
          : null;
    if (written) tables.set(output.table, written);
  }
  return { memtables, tables };
}

/**
 * In the order of keys; of a key the newest first. `null` where older ones are unknown. The newest may come with the next
 * answer.
 */
function pointsOf(memtable: MemtableView, view: View, recent: readonly RecentWrites[]) {
  const entries = recentOf(recent, memtable, view);
  if (entries.length >= ENTRIES_MAX || (entries.length === 0 && memtable.entries > 0)) return null;
  return inOrder(entries);
}

/** The entries of keys in their order; of a key the newest first. */
export function inOrder<Each extends Entry>(entries: readonly Each[]): Each[] {
  return entries.filter(({ entry }) => entry !== 'rangeDelete').toSorted(byKey);
}

/** The entries of a memtable with too many to draw one by one, in the order of keys; none of a smaller one. */
export function crowdOf(
  memtable: MemtableView,
  view: View,
  recent: readonly RecentWrites[],
): readonly Entry[] {
  const entries = recentOf(recent, memtable, view);
  return entries.length < ENTRIES_MAX ? [] : entries.toSorted(byKey);
}

/** Keys of the large memtables, evenly apart: each gets a part of the axis, and the picture stays readable. */
export function crowdKeys(view: View, recent: readonly RecentWrites[]): ShownKey[] {
  return view.memtables.flatMap((memtable) => {
    const crowd = crowdOf(memtable, view, recent);
    const shown = Math.min(crowd.length, CROWD_KEYS);
    const keyAt = (at: number) => crowd[Math.round((at * (crowd.length - 1)) / (shown - 1))]?.key;
    return Array.from({ length: shown }, (_, at) => keyAt(at) ?? []).flat();
  });
}

const CROWD_KEYS = 101;

/** Whether a newer version of the key stands before the entry at `at`, in the order of keys. */
export function isOlder(entries: readonly Entry[], at: number): boolean {
  const [before, entry] = [entries[at - 1], entries[at]];
  return before !== undefined && entry !== undefined && keyId(before.key) === keyId(entry.key);
}

function byKey(a: Entry, b: Entry): number {
  return compareKeys(a.key, b.key) || b.sequence - a.sequence;
}

/** The entries that a job kept in the blocks of `output`; the last table also has the entries after its blocks. */
function keptIn(output: OutputView, kept: readonly MergeEvent[], writing: Writing) {
  const isLast = ![...writing.values()].some(
    ({ job, table }) => job === output.job && table > output.table,
  );
  const first = output.blocks[0]?.first;
  const last = output.blocks.at(-1)?.last;
  const before = [...writing.values()]
    .filter(({ job, table }) => job === output.job && table < output.table)
    .flatMap(({ blocks }) => blocks.at(-1)?.last ?? []);
  const begins = (key: ShownKey) =>
    first ? compareKeys(key, first) >= 0 : before.every((earlier) => compareKeys(key, earlier) > 0);
  const ends = (key: ShownKey) =>
    (isLast && output.fileBytes === null) || (last !== undefined && compareKeys(key, last) <= 0);
  return kept.filter(({ key }) => begins(key) && ends(key));
}

/**
 * The entries of a table being written: those that its job has read, between the table's first and last key. The dropped
 * ones are unknown, so it is `null` unless a guess has as many entries as the blocks.
 */
function writtenEntries(
  output: OutputView,
  job: JobView,
  known: KnownEntries,
): readonly Entry[] | null {
  const [first, last] = [output.blocks[0]?.first, output.blocks.at(-1)?.last];
  if (!first || !last) return null;
  const read = sourcesOf(job, known)?.filter(
    ({ key }) => compareKeys(key, first) >= 0 && compareKeys(key, last) <= 0,
  );
  if (!read) return null;
  const all = read.toSorted(byKey);
  const newest = all.filter((_, at) => !isOlder(all, at));
  const count = output.blocks.reduce((sum, { entries }) => sum + entries, 0);
  const live = newest.filter(({ entry }) => entry === 'put');
  return [all, newest, live].find(({ length }) => length === count) ?? null;
}

/** All entries that a job reads; `null`: some are not known. */
function sourcesOf(
  { memtable, inputs }: JobView,
  { memtables, tables }: KnownEntries,
): Entry[] | null {
  const sources =
    memtable === null ? inputs.map((table) => tables.get(table)) : [memtables.get(memtable)];
  const known = sources.filter((entries) => entries !== undefined);
  return known.length === sources.length ? known.flat() : null;
}

/** The keys of all known entries; none when they are too many to stand side by side. */
export function knownKeys({ memtables, tables }: KnownEntries): ShownKey[] {
  const keys = new Map<string, ShownKey>();
  for (const { key } of [...memtables.values(), ...tables.values()].flat()) {
    keys.set(keyId(key), key);
    if (keys.size > KEYS_MAX) return [];
  }
  return [...keys.values()];
}

const KEYS_MAX = 300;
