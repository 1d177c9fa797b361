import type { TransactionView, View } from '../../../model/engine.generated';
import { count, counted } from '../../../model/words';
import type { Box, Rows } from './geometry';
import { boldWidth, fitting } from './text';

/** Open transactions, oldest first, beside the memtables, which do not have their writes yet. */
export type TransactionScene = ReturnType<typeof transactionScene>;

const GAP = 4;

/** Places the transactions one below the other; they move nothing else. */
export function transactionScene(view: View, rows: Rows) {
  const { x, y, w, h } = rows.transactions;
  const { unit, line } = rows;
  const open = view.transactions;
  const fits = Math.max(Math.floor((h + GAP) / (line + GAP)), 1);
  const shown = open.length <= fits ? open.length : fits - 1;
  const pitch = Math.min((h + GAP) / fits, line * 1.6);
  const shapes = open.slice(0, shown).map((transaction, index) => {
    const box = { x, y: y + index * pitch, w, h: pitch - GAP };
    return shapeOf(transaction, box, unit);
  });
  const hidden = open.length - shown;
  const words = [
    shown === 0 ? `${count(hidden)} transactions` : `${count(hidden)} more transactions`,
    `${count(hidden)} more`,
    count(hidden),
  ];
  const more = { text: fitting(words, w, unit), x, y: y + shown * pitch + line * 0.8 };
  // The number of transactions without room; `null` when all are drawn.
  return { shapes, more: hidden > 0 ? more : null };
}

function shapeOf(transaction: TransactionView, box: Box, unit: number) {
  const title = `T${transaction.transaction}`;
  const room = box.w - unit * 1.9 - boldWidth(title, unit);
  return {
    id: `transaction:${transaction.transaction}`,
    transaction,
    box,
    title,
    detail: fitting(details(transaction), room, unit),
    label: transactionText(transaction),
  };
}

/** From the longest wording to the shortest. */
function details({ sequence, writes, isolation }: TransactionView): string[] {
  const at = `reads at ${count(sequence)}`;
  const pending = `${counted(writes, 'write')} pending`;
  const kind = isolation === 'serializable' ? ' · serializable' : '';
  return [
    `${at} · ${pending}${kind}`,
    `${at} · ${pending}`,
    `at ${count(sequence)} · ${counted(writes, 'write')}`,
    counted(writes, 'write'),
    count(writes),
  ];
}

/** An open transaction in words. */
export function transactionText(transaction: TransactionView): string {
  const { sequence, writes, writeBytes, reads, isolation } = transaction;
  const kind = isolation === 'serializable' ? 'serializable, ' : '';
  const size = writes > 0 ? ` in ${counted(writeBytes, 'byte')}` : '';
  return `transaction ${transaction.transaction}, ${kind}reads at sequence number ${count(
    sequence,
  )}, ${counted(writes, 'write')} pending${size}, ${counted(reads, 'read')} so far`;
}
