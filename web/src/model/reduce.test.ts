import { describe, expect, it } from 'vitest';
import { busyView, key, table } from '../testing/sample';
import type { Patch, View } from './engine.generated';
import { EMPTY_VIEW, reduce } from './reduce';

/** The view after one more event that makes these changes. */
function then(view: View, ...patches: Patch[]): View {
  return reduce(view, { time: view.time + 1, patches });
}

describe('reduce', () => {
  it('begins from nothing but levels', () => {
    const { levels } = busyView();
    expect(then(busyView(), { of: 'reset', levels })).toEqual({ ...EMPTY_VIEW, levels, time: 137 });
  });

  it('adds, changes and removes what lists hold', () => {
    const log = { bytes: 1350, records: 25 };
    let view = then(busyView(), { of: 'log', edit: { change: [14, log] } });
    expect(view.wals[1]).toMatchObject({ wal: 14, ...log, writtenBytes: 1300 });
    view = then(view, { of: 'log', edit: { remove: 13 } });
    expect(view.wals.map(({ wal }) => wal)).toEqual([14]);
    const open = {
      sequence: 120,
      isolation: 'snapshot',
      writes: 0,
      writeBytes: 0,
      reads: 0,
    } as const;
    for (const transaction of [1, 2]) {
      view = then(view, { of: 'transaction', edit: { add: { transaction, ...open } } });
    }
    view = then(view, { of: 'transaction', edit: { change: [2, { reads: 3 }] } });
    expect(view.transactions.map(({ reads }) => reads)).toEqual([0, 3]);
    expect(view.time).toBe(141);
  });

  it('puts the newest memtable first and the newest snapshot last', () => {
    const [active] = busyView().memtables;
    if (!active) throw new Error('a busy view has a memtable');
    let view = then(busyView(), { of: 'memtable', edit: { add: { ...active, memtable: 8 } } });
    expect(view.memtables.map(({ memtable }) => memtable)).toEqual([8, 7, 6]);
    for (const sequence of [120, 140]) view = then(view, { of: 'snapshot', sequence, held: true });
    expect(view.snapshots).toEqual([120, 140]);
    view = then(view, { of: 'snapshot', sequence: 120, held: false });
    expect(view.snapshots).toEqual([140]);
  });

  it('puts a table into the level of the event, and shares every unchanged part', () => {
    const before = busyView();
    const scores = before.levels.map(({ score }) => ({ ...score, score: 1.5 }));
    const view = then(
      before,
      { of: 'removeTable', level: 2, table: 3 },
      { of: 'scores', scores },
      { of: 'addTable', level: 2, position: 2, table: table(21, 'elderberry', 'mango') },
    );
    expect(view.levels[2]?.tables.map((known) => known.table)).toEqual([1, 2, 21, 4, 10]);
    expect(view.levels[0]?.score.score).toBe(1.5);
    expect(view.levels[1]?.tables).toBe(before.levels[1]?.tables);
    expect(view.memtables).toBe(before.memtables);
  });

  it('names outputs in their job', () => {
    const job = {
      job: 4,
      what: 'flush',
      reason: 'full',
      memtable: 6,
      inputs: [],
      outputLevel: 0,
      outputs: [],
      entriesDone: 0,
      entriesTotal: 41,
    } as const;
    const output = {
      table: 12,
      level: 0,
      job: 4,
      blocks: [],
      filterBytes: null,
      indexBytes: null,
      fileBytes: null,
      synced: false,
    };
    let view = then(busyView(), { of: 'job', edit: { add: { ...job, inputs: [], outputs: [] } } });
    view = then(view, { of: 'output', edit: { add: output } });
    const block = { index: 1, entries: 9, rawBytes: 256, storedBytes: 243, offset: 0 };
    const range = { first: key('b'), last: key('p') };
    view = then(
      view,
      { of: 'block', table: 12, block: { ...block, ...range } },
      { of: 'job', edit: { change: [4, { entriesDone: 9 }] } },
    );
    expect(view.jobs).toEqual([{ ...job, outputs: [12], entriesDone: 9 }]);
  });
});
