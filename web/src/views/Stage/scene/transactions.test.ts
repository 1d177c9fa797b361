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
  it('take a row above the memtables, and no room while there are none', () => {
    const without = scene([]);
    expect(without.rows.transactions).toBeNull();
    expect(without.transactions.shapes).toEqual([]);
    const one = scene([open(7, { writes: 2, writeBytes: 30 })]);
    const shape = one.transactions.shapes[0];
    expect(shape?.title).toBe('T7');
    expect(shape?.detail).toBe('reads at 120 · 2 writes pending');
    const bottom = (shape?.box.y ?? 0) + (shape?.box.h ?? 0);
    expect(bottom).toBeLessThan(one.rows.memory.y);
    expect(one.rows.memory.y).toBeGreaterThan(without.rows.memory.y);
  });

  it('say less where there is less room, and count what has none', () => {
    const details = (count: number, width: number) =>
      scene(
        Array.from({ length: count }, (_, index) =>
          open(index + 1, { writes: 1, isolation: 'serializable' }),
        ),
        width,
      ).transactions;
    expect(details(2, 1400).shapes[1]?.detail).toBe(
      'reads at 120 · 1 write pending · serializable',
    );
    expect(details(3, 1000).shapes[2]?.detail).toBe('reads at 120 · 1 write pending');
    expect(details(4, 1000).shapes[3]?.detail).toBe('at 120 · 1 write');
    const crowded = details(30, 770);
    expect(crowded.shapes.length + crowded.hidden).toBe(30);
    expect(crowded.hidden).toBeGreaterThan(20);
    for (const [index, { box }] of crowded.shapes.entries()) {
      const next = crowded.shapes[index + 1]?.box.x ?? crowded.hiddenX;
      expect(box.x + box.w).toBeLessThan(next);
    }
    expect(crowded.hiddenX + 80).toBeLessThan(770);
  });

  it('keep the whole picture inside a small window', () => {
    const small = scene([open(1)], 770, 387);
    for (const { box } of small.transactions.shapes) expect(box.y).toBeGreaterThanOrEqual(0);
    const last = small.levels.at(-1)?.box;
    expect((last?.y ?? 0) + (last?.h ?? 0)).toBeLessThan(small.rows.axisY);
    expect(small.rows.axisY).toBeLessThan(small.height);
  });

  it('are told in words', () => {
    expect(transactionText(open(1, { reads: 1 }))).toBe(
      'transaction 1, reads at sequence number 120, 0 writes pending, 1 read so far',
    );
    const busy = open(2, { isolation: 'serializable', writes: 3, writeBytes: 40 });
    expect(transactionText(busy)).toBe(
      'transaction 2, serializable, reads at sequence number 120, 3 writes pending in 40 bytes, 0 reads so far',
    );
  });
});
