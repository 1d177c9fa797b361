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
import { crumbsOf, type Inside, type StoredEntry } from './inside';
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
  const block = leaves.length === 1 && tree.inners === 0 ? 1 : named || null;
  const starts = [0];
  for (const { slots } of leaves) starts.push((starts.at(-1) ?? 0) + slots);
  const idOf = (column: number) => [object, ...inner, `leaf:${leaves[column - 1]?.node}`].join('/');
  const ways = counted(tree.comparisons, 'comparison');
  const all = `${counted(tree.entries, 'entry')} · ${size(memtable.bytes)}`;
  const ranges = memtable.ranges ? ` · ${counted(memtable.ranges.count, 'range tombstone')}` : '';
  const inners = tree.inners > 0 ? `, ${counted(tree.inners, 'inner node')}` : '';
  const nodes = `${counted(tree.leaves, 'leaf node')}${inners}`;
  return {
    ...{ object, path, row: 'memory', block, near: Math.max(named, 1), reach: null, parts: null },
    crumbs: crumbsOf(path, `memtable ${memtable.memtable}`),
    figures: [
      ...(named > 0 ? [`${ways} lead to its first key · ${all}`] : []),
      ...[`${all}${ranges} · ${nodes}`, `${all} · ${nodes}`, all, counted(tree.entries, 'entry')],
    ],
    columns: leaves.length,
    columnAt: (column) => {
      const node = String(leaves[column - 1]?.node);
      return { id: idOf(column), names: [`leaf ${node}`, node] };
    },
    before: (column) => starts[column - 1] ?? null,
    entries: entriesIn(view, recent, tree, starts, block).map((entry, at, entries) => {
      const index = at - entries.findIndex((other) => other.block === entry.block);
      return entry.block === block
        ? { ...entry, path: `${idOf(block)}/entry:${index + 1}` }
        : entry;
    }),
    tree,
  };
}

/** All entries, if they are known, else those of the opened leaf node. */
function entriesIn(
  view: View,
  recent: readonly RecentWrites[],
  tree: MemtableTree,
  starts: readonly number[],
  block: number | null,
): StoredEntry[] {
  const memtable = view.memtables.find((known) => known.memtable === tree.memtable);
  const known = memtable ? recentOf(recent, memtable, view) : [];
  const bySequence = new Map(known.map((entry) => [entry.sequence, entry]));
  const stored = (
    entry: Pick<MemtableEntry, 'key' | 'sequence' | 'entry'>,
    column: number,
    other?: string,
  ) => {
    const { value, record } = bySequence.get(entry.sequence) ?? {};
    const text = value ? keyText(value) : other;
    return {
      ...{ key: entry.key, sequence: entry.sequence, entry: entry.entry, block: column },
      ...(text !== undefined && { value: text }),
      ...(record && { bytes: `wal:${memtable?.wal}/record:${record}` }),
    };
  };
  const points = inOrder(known);
  if (points.length === tree.entries)
    return points.map((entry, at) =>
      stored(entry, starts.findLastIndex((start) => start <= at) + 1),
    );
  const isOnWay = block !== null && tree.levels.at(-1)?.[block - 1]?.onPath;
  return isOnWay
    ? tree.window.map((entry) => stored(entry, block, `${count(entry.valueBytes)} B`))
    : [];
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
  const ends = [wal.syncedRecords, wal.writtenRecords, wal.records];
  const zones = ZONES.flatMap((zone, at) => {
    const [from = 0, to = 0] = [at === 0 ? 0 : ends[at - 1], ends[at]];
    return to > from || (at === 0 && wal.records === 0) ? [{ ...zone, from, to }] : [];
  });
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
    const own = { key: entry.key, sequence: entry.sequence, entry: entry.entry, block };
    const value = written.flatMap((each) => (each.entry === 'put' ? [keyText(each.value)] : []));
    const several = {
      name: written.map(({ key }) => keyText(key)).join(', '),
      kind: `batch of ${written.length}`,
    };
    return [
      {
        ...own,
        ...(written.length > 1 && several),
        value: value.join(', '),
        path: `${path}/record:${record}`,
      },
    ];
  });
  const all = `${counted(wal.records, 'record')} · ${size(wal.bytes)}`;
  return {
    ...{
      object: path,
      path,
      row: 'wal',
      block: 'all',
      near: 1,
      reach: null,
      parts: null,
      tree: null,
    },
    crumbs: crumbsOf(path, `WAL ${wal.wal}`),
    figures: [`${all} · ${count(wal.syncedRecords)} synced`, all, counted(wal.records, 'record')],
    columns: zones.length,
    columnAt: (zone) => {
      const { kind, names = [] } = zones[zone - 1] ?? {};
      return { id: `${path}/${kind}:1`, names };
    },
    before: (zone) => zones[zone - 1]?.from ?? wal.records,
    entries,
  };
}

/** What a crash leaves of the records. */
const ZONES = [
  { kind: 'synced', names: ['synced'] },
  { kind: 'written', names: ['written, not synced', 'not synced'] },
  { kind: 'memory', names: ['in memory only', 'in memory'] },
] as const;
