import type { TransactionView, View } from '../../../model/engine.generated';
import { count, counted } from '../../../model/words';
import type { Box, Rows } from './geometry';
import { clamp, fitText, textWidth } from './geometry';

/** An open transaction of the picture. */
export interface TransactionShape {
  id: string;
  transaction: TransactionView;
  box: Box;
  title: string;
  detail: string;
  label: string;
}

/** Open transactions, oldest first, above the memtables that their writes have not reached. */
export interface TransactionScene {
  shapes: TransactionShape[];
  /** Number of transactions without room in the picture. */
  hidden: number;
  /** Position of the number of hidden transactions [px]. */
  hiddenX: number;
}

const GAP = 12;
const WIDTH_MIN = 150;
const WIDTH_MAX = 400;
/** Width of the number of hidden transactions [px]. */
const HIDDEN_W = 90;

/** Places the transactions from left to right, all of the same width. */
export function transactionScene(view: View, rows: Rows): TransactionScene {
  const row = rows.transactions;
  const open = view.transactions;
  if (!row || open.length === 0) return { shapes: [], hidden: 0, hiddenX: rows.left };
  const width = rows.right - rows.left;
  const fitting = Math.floor((width + GAP) / (WIDTH_MIN + GAP));
  const shown = open.length <= fitting ? open.length : Math.max(fitting - 1, 1);
  const room = shown < open.length ? width - HIDDEN_W : width;
  const w = Math.floor(clamp((room + GAP) / shown - GAP, WIDTH_MIN, WIDTH_MAX));
  const shapes = open.slice(0, shown).map((transaction, index) => {
    const box = { x: rows.left + index * (w + GAP), y: row.y, w, h: row.h };
    return shapeOf(transaction, box);
  });
  return { shapes, hidden: open.length - shown, hiddenX: rows.left + shown * (w + GAP) };
}

function shapeOf(transaction: TransactionView, box: Box): TransactionShape {
  const title = `T${transaction.transaction}`;
  const room = box.w - 24 - textWidth(title.length) * 1.1 - 8;
  return {
    id: `transaction:${transaction.transaction}`,
    transaction,
    box,
    title,
    detail: detailOf(transaction, room),
    label: transactionText(transaction),
  };
}

/** The longest of several wordings that fits. */
function detailOf({ sequence, writes, isolation }: TransactionView, room: number): string {
  const at = `reads at ${count(sequence)}`;
  const pending = `${counted(writes, 'write')} pending`;
  const kind = isolation === 'serializable' ? ' · serializable' : '';
  const wordings = [
    `${at} · ${pending}${kind}`,
    `${at} · ${pending}`,
    `at ${count(sequence)} · ${counted(writes, 'write')}`,
    `at ${count(sequence)} · ${count(writes)}`,
  ];
  const fitting = wordings.find((wording) => textWidth(wording.length) <= room);
  return fitting ?? fitText(wordings[wordings.length - 1] ?? '', room);
}

/** All that is known of an open transaction, in words. */
export function transactionText(transaction: TransactionView): string {
  const { sequence, writes, writeBytes, reads, isolation } = transaction;
  const kind = isolation === 'serializable' ? 'serializable, ' : '';
  const size = writes > 0 ? ` in ${counted(writeBytes, 'byte')}` : '';
  return `transaction ${transaction.transaction}, ${kind}reads at sequence number ${count(
    sequence,
  )}, ${counted(writes, 'write')} pending${size}, ${counted(reads, 'read')} so far`;
}
