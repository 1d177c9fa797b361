import type {
  MemtableEntry,
  MemtableTree,
  RecentEntry,
  RecentWrites,
  View,
} from '../../../model/engine.generated';
import { memtableOfLog } from '../../../model/files';
import { keyText } from '../../../model/keys';
import { count, counted, size } from '../../../model/words';
import { inOrder } from './contents';
import { batchOf, crumbsOf, type Inside, type StoredEntry } from './inside';
import { recentOf } from './recent';

/** A memtable from inside: the leaf nodes of its tree, around the way to the node of `path`; `null`: that is not there. */
export function memtableInside(
  view: View,
  recent: readonly RecentWrites[],
  tree: MemtableTree,
  path: string,
): Inside | null {
  const memtable = view.memtables.find((known) => known.memtable === tree.memtable);
  const [object = '', ...steps] = path.split('/');
  const way = tree.levels.map((nodes) => nodes.find(({ onPath }) => onPath));
  const inner = way.slice(1, -1).map((node) => `inner:${node?.node}`);
  const leaves = tree.levels.at(-1) ?? [];
  const last = steps.at(-1);
  const named = leaves.findIndex(({ node }) => `leaf:${node}` === last) + 1;
  const isThere = steps.every((step) => inner.includes(step) || (step === last && named > 0));
  if (!memtable || !isThere) return null;
  const known = recentOf(recent, memtable, view);
  const block = leaves.length === 1 && tree.inners === 0 ? 1 : named || null;
  const starts = [0];
  for (const { slots } of leaves) starts.push((starts.at(-1) ?? 0) + slots);
  const idOf = (column: number) => [object, ...inner, `leaf:${leaves[column - 1]?.node}`].join('/');
  const entries = counted(tree.entries, 'entry');
  const inners = tree.inners > 0 ? `, ${counted(tree.inners, 'inner node')}` : '';
  const nodes = `${counted(tree.leaves, 'leaf node')}${inners}`;
  return {
    ...{ object, path, row: 'memory', block, near: Math.max(named, 1), parts: [] },
    crumbs: crumbsOf(path, `memtable ${memtable.memtable}`),
    figures: [`${entries} · ${nodes} · ${size(memtable.bytes)}`, `${entries} · ${nodes}`, entries],
    columns: leaves.length,
    columnAt: (column) => {
      const node = String(leaves[column - 1]?.node);
      return { id: idOf(column), names: [`leaf ${node}`, node] };
    },
    before: (column) => starts[column - 1] ?? null,
    entries: entriesIn(tree, known, memtable.wal, { starts, block, idOf }),
    tree,
  };
}

/** All entries, if they are known, else those of the opened leaf node; each leads to its copy in the log, where that is known. */
function entriesIn(
  tree: MemtableTree,
  known: readonly RecentEntry[],
  wal: number,
  { starts, block, idOf }: { starts: number[]; block: number | null; idOf(column: number): string },
): StoredEntry[] {
  const bySequence = new Map(known.map((entry) => [entry.sequence, entry]));
  const firsts = new Map(known.map(({ record, sequence }) => [record, sequence]));
  const stored = (
    { key, sequence, entry, ...other }: MemtableEntry | RecentEntry,
    column: number,
  ) => {
    const { value, record = null } = bySequence.get(sequence) ?? {};
    const place = sequence - (firsts.get(record) ?? sequence) + 1;
    const length = 'valueBytes' in other ? `${count(other.valueBytes)} B` : '';
    const copy = `wal:${wal}/record:${record}/entry:${place}`;
    const path = record === null ? `${idOf(column)}/entry:${sequence}` : copy;
    return { key, sequence, entry, block: column, value: value ? keyText(value) : length, path };
  };
  const points = inOrder(known);
  if (points.length === tree.entries)
    return points.map((each, at) => stored(each, starts.findLastIndex((start) => start <= at) + 1));
  const isOnWay = block !== null && tree.levels.at(-1)?.[block - 1]?.onPath;
  return isOnWay ? tree.window.map((each) => stored(each, block)) : [];
}

/** A log from inside: its records, parted by what would be left of them after a crash. */
export function logInside(
  view: View,
  recent: readonly RecentWrites[],
  path: string,
): Inside | null {
  const wal = view.wals.find((known) => `wal:${known.wal}` === path);
  if (!wal) return null;
  const writer = memtableOfLog(view, wal.wal);
  const zones = [
    { names: ['synced'], to: wal.syncedRecords, end: wal.syncedBytes },
    { names: ['written, not synced', 'not synced'], to: wal.writtenRecords, end: wal.writtenBytes },
    { names: ['in memory only', 'in memory'], to: wal.records, end: wal.bytes },
  ]
    .map((zone, at, all) => ({ ...zone, from: all[at - 1]?.to ?? 0, begin: all[at - 1]?.end ?? 0 }))
    .filter(({ from, to }, at) => to > from || (at === 0 && wal.records === 0));
  const known = writer ? recentOf(recent, writer, view) : [];
  const records = new Map<number, RecentEntry[]>();
  for (const entry of known.toReversed()) {
    const record = entry.record ?? 0;
    records.set(record, [...(records.get(record) ?? []), entry]);
  }
  const entries = [...records].flatMap(([record, written]): StoredEntry[] => {
    const [entry] = written;
    const block = zones.findIndex(({ to }) => record <= to) + 1;
    if (!entry || record === 0 || block === 0) return [];
    const values = written.flatMap((each) => (each.entry === 'put' ? [keyText(each.value)] : []));
    const own = {
      ...{ key: entry.key, sequence: entry.sequence, entry: entry.entry, block },
      ...{ value: values.join(', '), path: `${path}/record:${record}` },
    };
    return [written.length > 1 ? { ...own, ...batchOf(written) } : own];
  });
  const all = `${counted(wal.records, 'record')} · ${size(wal.bytes)}`;
  return {
    ...{ object: path, path, row: 'wal', block: 'all', near: 1, parts: [], tree: null },
    crumbs: crumbsOf(path, `WAL ${wal.wal}`),
    figures: [`${all} · ${count(wal.syncedRecords)} synced`, all, counted(wal.records, 'record')],
    columns: zones.length,
    columnAt: (zone) => {
      const { names = [], begin = 0, end = 0 } = zones[zone - 1] ?? {};
      const id = `${path}/bytes:${begin}-${Math.max(begin, end - 1)}`;
      return { id, names, isLoose: names[0] !== 'synced' };
    },
    before: (zone) => zones[zone - 1]?.from ?? wal.records,
    entries,
  };
}
