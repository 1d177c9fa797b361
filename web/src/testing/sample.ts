import type { ShownKey, TableInfo, View } from '../model/engine.generated';
import { EMPTY_VIEW } from '../model/reduce';

/** A short ASCII key. */
export function key(text: string): ShownKey {
  return { head: text, bytes: text.length };
}

/** A table between two keys. */
export function table(
  number: number,
  from: string,
  to: string,
  change: Partial<TableInfo> = {},
): TableInfo {
  return {
    table: number,
    run: 1,
    bytes: 1200,
    entries: 40,
    tombstones: 0,
    blocks: 5,
    smallest: key(from),
    largest: key(to),
    sequenceMin: number,
    sequenceMax: number,
    ...change,
  };
}

/** A database with something in every row of the picture. */
export function busyView(): View {
  const level = (number: number, limit: number, score: number, tables: TableInfo[]) => ({
    score: {
      level: number,
      bytes: tables.reduce((sum, t) => sum + t.bytes, 0),
      runs: new Set(tables.map((t) => t.run)).size,
      unit: number === 0 ? ('runs' as const) : ('bytes' as const),
      limit,
      score,
      due: score >= 1,
      canCompact: tables.length > 0,
    },
    tables,
  });
  return {
    ...EMPTY_VIEW,
    time: 136,
    memtables: [
      {
        memtable: 7,
        wal: 14,
        bytes: 620,
        limitBytes: 1024,
        entries: 24,
        tombstones: 0,
        immutable: false,
      },
      {
        memtable: 6,
        wal: 13,
        bytes: 1010,
        limitBytes: 1024,
        entries: 41,
        tombstones: 3,
        immutable: true,
      },
    ],
    wals: [
      {
        wal: 13,
        bytes: 2100,
        writtenBytes: 2100,
        syncedBytes: 2100,
        records: 41,
        writtenRecords: 41,
        syncedRecords: 41,
        closed: true,
      },
      {
        wal: 14,
        bytes: 1300,
        writtenBytes: 1300,
        syncedBytes: 1000,
        records: 24,
        writtenRecords: 24,
        syncedRecords: 19,
        closed: false,
      },
    ],
    levels: [
      level(0, 2, 1, [
        table(11, 'cherry', 'tomato', { run: 11 }),
        table(9, 'banana', 'lemon', { run: 9 }),
      ]),
      level(1, 3072, 0.75, [
        table(5, 'apple', 'cherry'),
        table(6, 'fig', 'kiwi'),
        table(8, 'lemon', 'melon'),
        table(7, 'orange', 'zucchini', { tombstones: 2 }),
      ]),
      level(2, 9216, 0.31, [
        table(1, 'apple', 'banana', { bytes: 2048 }),
        table(2, 'blackberry', 'date', { bytes: 2048 }),
        table(3, 'elderberry', 'mango', { bytes: 2048 }),
        table(4, 'nectarine', 'peach', { bytes: 2048 }),
        table(10, 'pear', 'quince', { bytes: 1024 }),
      ]),
      level(3, 27648, 0, []),
      level(4, 0, 0, []),
    ],
    manifest: 3,
    manifestBytes: 900,
    manifestEdits: [
      { snapshot: true, added: [], removed: [] },
      { snapshot: false, added: [11], removed: [] },
    ],
    manifestUnsynced: 1,
    current: 3,
    lastSequence: 146,
  };
}
