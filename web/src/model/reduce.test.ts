import { describe, expect, it } from 'vitest';
import { busyView, key, table } from '../testing/sample';
import type { Event, EventKind, View } from './engine.generated';
import { reduce } from './reduce';

let id = 0;
function then(view: View, kind: EventKind, job: number | null = null): View {
  id += 1;
  const event = { id, time: view.time + 1, job, cause: null, ...kind } as Event;
  return reduce(view, event);
}

describe('reduce', () => {
  it('follows a write: log, sync, memtable, sequence number', () => {
    let view = busyView();
    view = then(view, { kind: 'op.put', key: key('a'), value: key('1'), sequence: 147 });
    expect(view.lastSequence).toBe(146);
    view = then(view, {
      kind: 'wal.append',
      wal: 14,
      offset: 1300,
      bytes: 1350,
      records: 25,
      bufferedBytes: 50,
    });
    expect(view.wals[1]).toMatchObject({ writtenBytes: 1300, writtenRecords: 24 });
    view = then(view, { kind: 'wal.write', wal: 14, bytes: 1350, records: 25 });
    expect(view.wals[1]).toMatchObject({ writtenBytes: 1350, writtenRecords: 25 });
    view = then(view, { kind: 'wal.sync', wal: 14, bytes: 1350, records: 25 });
    view = then(view, {
      kind: 'memtable.insert',
      memtable: 7,
      bytes: 650,
      entries: 25,
      tombstones: 0,
      lastSequence: 147,
    });
    expect(view.wals[1]).toEqual({
      wal: 14,
      bytes: 1350,
      writtenBytes: 1350,
      syncedBytes: 1350,
      records: 25,
      writtenRecords: 25,
      syncedRecords: 25,
      closed: false,
    });
    expect(view.memtables[0]).toMatchObject({ bytes: 650, entries: 25 });
    expect(view.lastSequence).toBe(147);
    expect(view.time).toBe(141);
  });

  it('rotates: the old memtable becomes immutable behind a new one with a new log', () => {
    let view = busyView();
    view = then(view, { kind: 'wal.close', wal: 14, bytes: 1400, records: 24 });
    view = then(view, { kind: 'wal.create', wal: 15, bytes: 40 });
    view = then(view, {
      kind: 'memtable.rotate',
      memtable: 7,
      wal: 14,
      newMemtable: 8,
      newWal: 15,
      limitBytes: 1024,
      reason: 'full',
    });
    expect(view.memtables.map((known) => [known.memtable, known.immutable])).toEqual([
      [8, false],
      [7, true],
      [6, true],
    ]);
    expect(view.memtables[0]).toMatchObject({ bytes: 0, limitBytes: 1024, wal: 15 });
    expect(view.wals[1]).toMatchObject({ closed: true, syncedBytes: 1400, syncedRecords: 24 });
    expect(view.wals[2]).toMatchObject({ wal: 15, records: 0, closed: false });
  });

  it('follows a flush from its beginning to the deletion of the log', () => {
    let view = busyView();
    view = then(view, { kind: 'flush.begin', memtable: 6, reason: 'full', entries: 41 }, 4);
    view = then(view, { kind: 'table.create', table: 12, level: 0 }, 4);
    const block = { index: 0, rawBytes: 256, storedBytes: 243, offset: 0 };
    const range = { first: key('b'), last: key('p') };
    view = then(view, { kind: 'table.block', table: 12, entries: 9, read: 9, ...block, ...range }, 4);
    expect(view.jobs).toEqual([
      {
        job: 4,
        what: 'flush',
        reason: 'full',
        memtable: 6,
        inputs: [],
        outputLevel: 0,
        outputs: [12],
        entriesDone: 9,
        entriesTotal: 41,
      },
    ]);
    const scores = view.levels.map((level) => ({ ...level.score, score: 1.5 }));
    const added = table(12, 'b', 'p', { run: 12 });
    view = then(view, { kind: 'flush.install', memtable: 6, table: added, position: 0, scores }, 4);
    view = then(view, { kind: 'wal.delete', wal: 13 }, 4);
    view = then(view, { kind: 'flush.done', memtable: 6, written: 3, shadowed: 0 }, 4);
    expect(view.levels[0]?.tables.map((known) => known.table)).toEqual([12, 11, 9]);
    expect(view.levels[0]?.score.score).toBe(1.5);
    expect(view.memtables).toHaveLength(1);
    expect(view.wals.map((wal) => wal.wal)).toEqual([14]);
    expect(view.jobs).toEqual([]);
  });

  it('follows a compaction; outputs stand in key order', () => {
    let view = busyView();
    const inputs = [
      { level: 1, table: 6 },
      { level: 2, table: 3 },
    ];
    view = then(
      view,
      {
        kind: 'compaction.pick',
        level: 1,
        outputLevel: 2,
        reason: 'L1 is full',
        inputs,
        trivialMove: false,
      },
      5,
    );
    view = then(
      view,
      { kind: 'compaction.begin', entries: 80, bytes: 3248, trivialMove: false },
      5,
    );
    const progress = { read: 30, written: 28, shadowed: 2, tombstonesDropped: 0 };
    view = then(view, { kind: 'compaction.progress', ...progress }, 5);
    expect(view.jobs[0]).toMatchObject({ inputs: [6, 3], entriesDone: 30, entriesTotal: 80 });
    const scores = view.levels.map((level) => level.score);
    const install = { removed: inputs, added: [table(21, 'elderberry', 'mango')], outputLevel: 2, positions: [2] };
    view = then(view, { kind: 'compaction.install', ...install, scores }, 5);
    view = then(view, { kind: 'compaction.done', ...progress }, 5);
    expect(view.levels[1]?.tables.map((known) => known.table)).toEqual([5, 8, 7]);
    expect(view.levels[2]?.tables.map((known) => known.table)).toEqual([1, 2, 21, 4, 10]);
    expect(view.jobs).toEqual([]);
  });

  it('keeps the first reason for being read-only, and shares what did not change', () => {
    const before = busyView();
    let view = then(before, { kind: 'db.read_only', error: 'the disk is full' });
    view = then(view, { kind: 'db.read_only', error: 'something else' });
    expect(view.readOnly).toBe('the disk is full');
    expect(view.levels).toBe(before.levels);
  });

  it('follows transactions from their beginning to each kind of end', () => {
    const begin = (view: View, transaction: number) =>
      then(view, { kind: 'op.begin', transaction, sequence: 120, isolation: 'snapshot' });
    const name = key('apple');
    let view = [1, 2, 3].reduce(begin, busyView());
    view = then(view, {
      kind: 'op.buffer',
      transaction: 2,
      key: name,
      entry: 'put',
      valueBytes: 3,
      writes: 1,
      writeBytes: 11,
    });
    const read = { transaction: 2, key: name, found: true, own: true };
    view = then(view, { kind: 'op.read', ...read, reads: 1 });
    view = then(view, { kind: 'op.read_range', transaction: 2, reads: 2 });
    expect(view.transactions.map((open) => open.transaction)).toEqual([1, 2, 3]);
    expect(view.transactions[1]).toEqual({
      transaction: 2,
      sequence: 120,
      isolation: 'snapshot',
      writes: 1,
      writeBytes: 11,
      reads: 2,
    });
    expect(view.snapshots).toEqual([]);
    const lost = { key: name, read: false, sequence: 120, winner: 121 };
    view = then(view, { kind: 'op.conflict', transaction: 2, ...lost });
    expect(view.transactions.map((open) => open.transaction)).toEqual([1, 3]);
    view = then(view, { kind: 'op.rollback', transaction: 1, writes: 0 });
    const written = { count: 1, bytes: 11, firstSequence: 121 };
    view = then(view, { kind: 'op.commit', transaction: 3, ...written });
    expect(view.transactions).toEqual([]);
  });

  it('follows snapshots and stalls', () => {
    let view = busyView();
    view = then(view, { kind: 'op.snapshot', sequence: 140, held: false });
    view = then(view, { kind: 'op.snapshot', sequence: 150, held: false });
    expect(view.snapshots).toEqual([140, 150]);
    view = then(view, { kind: 'op.release', sequence: 140, held: false });
    expect(view.snapshots).toEqual([150]);
    view = then(view, {
      kind: 'stall.begin',
      stall: { why: 'L0 has 6 tables' },
    });
    expect(view.stall).toEqual({ why: 'L0 has 6 tables' });
    expect(then(view, { kind: 'stall.end' }).stall).toBeNull();
    const slowdown = { why: 'L0 has 5 tables' };
    view = then(view, { kind: 'slowdown.begin', slowdown });
    expect(view.slowdown).toEqual(slowdown);
    expect(then(view, { kind: 'slowdown.end' }).slowdown).toBeNull();
  });
});
