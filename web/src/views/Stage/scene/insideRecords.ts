import type { Node, Stretch } from '../../../model/engine.generated';
import { below } from '../../../model/tree';
import { counted, joined, size } from '../../../model/words';
import { batchOf, crumbsOf, type Inside, type StoredEntry } from './inside';
import { entryIn } from './insideTable';

/** A log or a blob file, of whatever program: records in the order of writing. */
export interface RecordsIn {
  /** Its name in questions about bytes, which is its selection. */
  file: string;
  /** Its name in the path. */
  name: string;
  row: 'wal' | 'blobs';
  bytes: number;
  /** What else is known of it as a whole. */
  note?: string;
  /** The column family on show. */
  family: number;
  hue: Inside['hue'];
}

/** A record, its path, and its entries where it has no key of its own. */
export interface ReadRecord {
  part: Node;
  path: string;
  entries: readonly Node[];
}

/** A file of records as far as it is known: its newest records. */
export interface ReadRecords {
  records: readonly ReadRecord[];
  /** How many it has; `null`: not known. */
  count: number | null;
  /** Of a file without records: its blocks, whose values have no keys. */
  blocks: readonly Stretch[];
  others: readonly Stretch[];
  /** Why they are not known. */
  failure?: string;
}

/** A file of records from inside: one column in the order of writing, and its other parts. */
export function recordsInside(
  { file, name, row, bytes, note, family, hue }: RecordsIn,
  { records, count, blocks, others, failure }: ReadRecords,
): Inside {
  const entries = records.map((record) => {
    const isForeign = familyOf(record) !== family;
    return { ...recordIn(file, record), isForeign: row === 'wal' && isForeign };
  });
  const hasBlocks = blocks.length > 0;
  const held = hasBlocks
    ? counted(blocks.length, 'block')
    : count !== null && counted(count, 'record');
  return {
    ...{ object: file, path: file, row, near: 1, tree: null, hue, entries },
    block: hasBlocks ? null : 'all',
    crumbs: crumbsOf(file, name),
    figures: failure
      ? [failure, 'cannot be read']
      : [
          joined([held, size(bytes), note], ' · '),
          joined([held, note], ' · '),
          held || size(bytes),
        ],
    columns: Math.max(blocks.length, 1),
    columnAt: (column) => {
      const block = blocks[column - 1];
      if (!block) return { id: file, names: ['records'] };
      return { id: `${file}/${block.path}`, names: [`block ${column}`, String(column)] };
    },
    before: (column) => {
      if (hasBlocks) return null;
      return column === 1 ? 0 : Math.max(count ?? 0, entries.length);
    },
    parts: others.map(({ kind, name, path }) => ({ kind, name, path, lines: [], filter: null })),
  };
}

/** A record as an entry: with its key, or with those of its entries; a fragment has its own name. */
function recordIn(file: string, { part, path, entries }: ReadRecord): StoredEntry {
  const { fact, name, value } = part;
  const at = below(path, part);
  const own = { block: 1, path: `${file}/${at}`, sequence: 0, entry: 'put' } as const;
  const [entry] = entryIn(file, 1, path, part);
  if (entry) return entry;
  const inner = entries.flatMap((each) => entryIn(file, 1, at, each));
  const [first] = inner;
  if (first && inner.length === 1) return { ...first, path: own.path };
  if (first) return { ...own, key: first.key, sequence: first.sequence, ...batchOf(inner) };
  if (fact?.fact !== 'key')
    return { ...own, key: { head: '', bytes: 0 }, name, kind: 'record', value };
  return { ...own, key: fact.key, kind: 'value', value: size(fact.value?.bytes ?? 0) };
}

/** The column family that a record writes to first. */
const familyOf = ({ part: { fact }, entries: [first] }: ReadRecord) => {
  const known = first?.fact ?? fact;
  return known?.fact === 'key' ? (known.family ?? 0) : 0;
};
