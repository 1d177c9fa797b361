import { describe, expect, it } from 'vitest';
import type { TransactionView, View } from '../../../model/engine.generated';
import { NOTHING_WRITTEN } from '../../../model/writing';
import { busyView } from '../../../testing/sample';
import { stageScene } from './stage';
import { transactionText } from './transactions';

function open(transaction: number, change: Partial<TransactionView> = {}): TransactionView {
  const empty = { writes: 0, writeBytes: 0, reads: 0 };
  return { transaction, sequence: 120, isolation: 'snapshot', ...empty, ...change };
}

function scene(transactions: TransactionView[], width = 1000, height = 480) {
  const view: View = { ...busyView(), transactions };
  return stageScene(view, NOTHING_WRITTEN, width, height);
}

describe('open transactions', () => {
  it('have a place of their own, and move nothing', () => {
    const without = scene([]);
    expect(without.transactions).toEqual({ shapes: [], more: null });
    const one = scene([open(7, { writes: 2, writeBytes: 30 })], 1800, 700);
    const shape = one.transactions.shapes[0];
    expect(shape?.title).toBe('T7');
    expect(shape?.detail).toBe('at 120 · 2 writes');
    const place = one.rows.transactions;
    expect(shape?.box.x).toBe(place.x);
    for (const { beads } of one.memory.memtables)
      for (const bead of beads) expect(bead.box.y).toBeGreaterThanOrEqual(place.y + place.h);
    expect(scene([open(7)]).rows).toEqual(without.rows);
    expect(scene([open(7)]).memory).toEqual(without.memory);
  });

  it('have shorter texts where there is less room, and a count without any', () => {
    const drawn = (count: number, width: number, height = 480) =>
      scene(
        Array.from({ length: count }, (_, index) =>
          open(index + 1, { writes: 1, isolation: 'serializable' }),
        ),
        width,
        height,
      ).transactions;
    expect(drawn(1, 1900, 900).shapes[0]?.detail).toBe('at 120 · 1 write');
    expect(drawn(1, 850).shapes[0]?.detail).toBe('1 write');
    const crowded = drawn(30, 900, 330);
    expect(crowded.shapes).toEqual([]);
    expect(crowded.more?.text).toBe('30 transactions');
    expect(drawn(2, 850, 300)).toMatchObject({ shapes: [], more: { text: '2 transactions' } });
  });

  it('keep the whole picture inside a small window', () => {
    const small = scene([open(1)], 850, 300);
    for (const { box } of small.transactions.shapes) expect(box.y).toBeGreaterThanOrEqual(0);
    const last = small.levels.at(-1)?.box;
    expect((last?.y ?? 0) + (last?.h ?? 0)).toBeLessThan(small.rows.axisY);
    expect(small.rows.axisY).toBeLessThan(small.height);
  });

  it('are described in words', () => {
    expect(transactionText(open(1, { reads: 1 }))).toBe(
      'transaction 1, reads at sequence number 120, 0 writes pending, 1 read so far',
    );
    const busy = open(2, { isolation: 'serializable', writes: 3, writeBytes: 40 });
    expect(transactionText(busy)).toBe(
      'transaction 2, serializable, reads at sequence number 120, 3 writes pending in 40 bytes, 0 reads so far',
    );
  });
});
