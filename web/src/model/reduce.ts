import type { Event, JobView, LevelScore, LevelView, TableInfo, View } from './engine.generated';
import { compareKeys } from './keys';

/** The state of a database in which nothing was ever written. */
export const EMPTY_VIEW: View = {
  time: 0,
  memtables: [],
  wals: [],
  levels: [],
  jobs: [],
  manifest: 0,
  manifestBytes: 0,
  lastSequence: 0,
  snapshots: [],
  transactions: [],
  stall: null,
  slowdown: null,
  readOnly: null,
};

/**
 * The view after `event`: exactly what the engine itself would answer then. Pure; shares every part that
 * the event leaves alone, so that a comparison by identity finds what changed.
 * Opening begins from nothing: `recovery.begin` forgets what was before.
 */
export function reduce(view: View, event: Event): View {
  const next = fold(view, event);
  return next.time === event.time ? next : { ...next, time: event.time };
}

function fold(view: View, event: Event): View {
  switch (event.kind) {
    case 'recovery.begin':
      return { ...EMPTY_VIEW, levels: event.levels };
    case 'recovery.manifest':
      return {
        ...view,
        manifest: event.manifest,
        manifestBytes: event.bytes,
        levels: event.levels,
      };
    case 'recovery.wal': {
      if (event.kept === null) return view;
      const { log, memtable } = event.kept;
      return { ...view, wals: [...view.wals, log], memtables: [memtable, ...view.memtables] };
    }
    case 'recovery.done': {
      const { lastSequence, memtable } = event;
      return { ...view, lastSequence, memtables: [memtable, ...view.memtables] };
    }
    case 'wal.create': {
      const { wal, bytes } = event;
      // Its header is written, but not yet synced.
      const fresh = {
        wal,
        bytes,
        writtenBytes: bytes,
        syncedBytes: 0,
        records: 0,
        writtenRecords: 0,
        syncedRecords: 0,
        closed: false,
      };
      return { ...view, wals: [...view.wals, fresh] };
    }
    case 'wal.append': {
      const { bytes, records, bufferedBytes } = event;
      const written = bufferedBytes === 0 ? { writtenBytes: bytes, writtenRecords: records } : {};
      return patchWal(view, event.wal, { bytes, records, ...written });
    }
    case 'wal.write': {
      const { bytes, records } = event;
      return patchWal(view, event.wal, { writtenBytes: bytes, writtenRecords: records });
    }
    case 'wal.sync': {
      const { bytes, records } = event;
      return patchWal(view, event.wal, {
        bytes,
        records,
        writtenBytes: bytes,
        writtenRecords: records,
        syncedBytes: bytes,
        syncedRecords: records,
      });
    }
    case 'wal.close': {
      const { bytes } = event;
      const records = view.wals.find((wal) => wal.wal === event.wal)?.records ?? 0;
      return patchWal(view, event.wal, {
        bytes,
        writtenBytes: bytes,
        writtenRecords: records,
        syncedBytes: bytes,
        syncedRecords: records,
        closed: true,
      });
    }
    case 'wal.failed':
      return patchWal(view, event.log.wal, event.log);
    case 'wal.delete':
      return { ...view, wals: view.wals.filter((wal) => wal.wal !== event.wal) };
    case 'memtable.insert':
      return insert(view, event);
    case 'memtable.rotate':
      return rotate(view, event);
    case 'stall.begin':
      return { ...view, stall: event.stall };
    case 'stall.end':
      return { ...view, stall: null };
    case 'slowdown.begin':
      return { ...view, slowdown: event.slowdown };
    case 'slowdown.end':
      return { ...view, slowdown: null };
    case 'op.snapshot':
      return { ...view, snapshots: withSnapshot(view.snapshots, event.sequence) };
    case 'op.release':
      if (event.held) return view;
      return { ...view, snapshots: view.snapshots.filter((held) => held !== event.sequence) };
    case 'op.begin': {
      const { transaction, sequence, isolation } = event;
      const begun = { transaction, sequence, isolation, writes: 0, writeBytes: 0, reads: 0 };
      return { ...view, transactions: [...view.transactions, begun] };
    }
    case 'op.buffer': {
      const { writes, writeBytes } = event;
      return patchTransaction(view, event.transaction, { writes, writeBytes });
    }
    case 'op.read':
    case 'op.read_range':
      return patchTransaction(view, event.transaction, { reads: event.reads });
    case 'op.commit':
    case 'op.conflict':
    case 'op.rollback': {
      const open = view.transactions.filter((one) => one.transaction !== event.transaction);
      return { ...view, transactions: open };
    }
    case 'manifest.append':
    case 'manifest.sync':
    case 'manifest.create':
      return { ...view, manifest: event.manifest, manifestBytes: event.bytes };
    case 'db.read_only':
      return { ...view, readOnly: view.readOnly ?? event.error };
    default:
      return foldJob(view, event);
  }
}

function foldJob(view: View, event: Event): View {
  switch (event.kind) {
    case 'flush.begin':
      return withJob(view, {
        job: event.job ?? 0,
        what: 'flush',
        reason: event.reason,
        memtable: event.memtable,
        inputs: [],
        outputLevel: 0,
        outputs: [],
        entriesDone: 0,
        entriesTotal: event.entries,
      });
    case 'compaction.pick':
      return withJob(view, {
        job: event.job ?? 0,
        what: 'compaction',
        reason: event.reason,
        memtable: null,
        inputs: event.inputs.map((input) => input.table),
        outputLevel: event.outputLevel,
        outputs: [],
        entriesDone: 0,
        entriesTotal: 0,
      });
    case 'compaction.begin':
      return patchJob(view, event.job, () => ({
        entriesTotal: event.trivialMove ? 0 : event.entries,
      }));
    case 'compaction.progress':
      return patchJob(view, event.job, () => ({ entriesDone: event.read }));
    case 'table.create':
      return patchJob(view, event.job, (job) => ({ outputs: [...job.outputs, event.table] }));
    case 'table.block':
      return patchJob(view, event.job, () => ({ entriesDone: event.read }));
    case 'flush.install': {
      const memtables = view.memtables.filter((table) => table.memtable !== event.memtable);
      const added = event.table ? [event.table] : [];
      return { ...view, memtables, levels: edit(view.levels, [], added, 0, event.scores) };
    }
    case 'compaction.install': {
      const removed = event.removed.map((input) => input.table);
      const levels = edit(view.levels, removed, event.added, event.outputLevel, event.scores);
      return { ...view, levels };
    }
    case 'flush.done':
    case 'compaction.done':
    case 'job.failed':
      return { ...view, jobs: view.jobs.filter((job) => job.job !== event.job) };
    default:
      return view;
  }
}

type Of<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** Each new entry has used one sequence number. */
function insert(view: View, event: Of<'memtable.insert'>): View {
  const { memtable, bytes, entries, tombstones } = event;
  const before = view.memtables.find((table) => table.memtable === memtable)?.entries ?? entries;
  return {
    ...view,
    lastSequence: view.lastSequence + entries - before,
    memtables: view.memtables.map((table) =>
      table.memtable === memtable ? { ...table, bytes, entries, tombstones } : table,
    ),
  };
}

function rotate(view: View, event: Of<'memtable.rotate'>): View {
  const limitBytes = view.memtables[0]?.limitBytes ?? 0;
  const active = {
    memtable: event.newMemtable,
    wal: event.newWal,
    bytes: 0,
    limitBytes,
    entries: 0,
    tombstones: 0,
    immutable: false,
  };
  const rest = view.memtables.map((table) =>
    table.memtable === event.memtable ? { ...table, immutable: true } : table,
  );
  return { ...view, memtables: [active, ...rest] };
}

function patchWal(view: View, wal: number, change: Partial<View['wals'][number]>): View {
  const wals = view.wals.map((log) => (log.wal === wal ? { ...log, ...change } : log));
  return { ...view, wals };
}

function patchTransaction(
  view: View,
  transaction: number,
  change: Partial<View['transactions'][number]>,
): View {
  const transactions = view.transactions.map((open) =>
    open.transaction === transaction ? { ...open, ...change } : open,
  );
  return { ...view, transactions };
}

function withJob(view: View, job: JobView): View {
  return { ...view, jobs: [...view.jobs, job] };
}

function patchJob(
  view: View,
  job: number | null,
  change: (job: JobView) => Partial<JobView>,
): View {
  const jobs = view.jobs.map((known) =>
    known.job === job ? { ...known, ...change(known) } : known,
  );
  return { ...view, jobs };
}

function withSnapshot(snapshots: readonly number[], sequence: number): number[] {
  if (snapshots.includes(sequence)) return [...snapshots];
  return [...snapshots, sequence].sort((left, right) => left - right);
}

function edit(
  levels: readonly LevelView[],
  removed: readonly number[],
  added: readonly TableInfo[],
  outputLevel: number,
  scores: readonly LevelScore[],
): LevelView[] {
  return levels.map((level, index) => {
    const kept = level.tables.some((table) => removed.includes(table.table))
      ? level.tables.filter((table) => !removed.includes(table.table))
      : level.tables;
    const tables = index === outputLevel && added.length > 0 ? inOrder([...kept, ...added]) : kept;
    return { score: scores[index] ?? level.score, tables };
  });
}

/** By run, newest first, then by key. */
function inOrder(tables: TableInfo[]): TableInfo[] {
  return tables.sort((a, b) => b.run - a.run || compareKeys(a.smallest, b.smallest));
}
