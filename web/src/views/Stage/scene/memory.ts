import type {
  JobView,
  MemtableView,
  RecentEntry,
  RecentWrites,
  View,
} from '../../../model/engine.generated';
import { memtableOfLog } from '../../../model/files';
import { rangeText } from '../../../model/keys';
import { count, counted } from '../../../model/words';
import { type Box, clamp, type Rows } from './geometry';
import { type LogSource, logShape, type WalShape } from './logs';
import { entryTexts, recentOf, recordNames } from './recent';
import { boldWidth, fitting, keyWidth } from './text';

/** A memtable of the picture. */
export type MemtableShape = ReturnType<typeof memtableShape>;

/** Memory and the logs below it: each log stands under its memtable. */
export type MemoryScene = ReturnType<typeof memoryScene>;

/** Newest entries of each memtable that a picture can use. */
export const RECENT_MAX = 32;
/** Places for immutable memtables: few databases ever have more. */
const SLOTS = 3;
const SLOTS_NARROW = 2;
/** Narrower pictures have fewer places, in sizes of the text. */
const NARROW_UNITS = 64;

/** Places memtables from left to right, the active one first, and each log under its memtable. */
export function memoryScene(view: View, rows: Rows, recent: readonly RecentWrites[]) {
  const [active, ...immutables] = view.memtables;
  const { unit, transactions } = rows;
  const gap = unit * 0.75;
  const width = transactions.x - gap - rows.left;
  const slots = rows.right < unit * NARROW_UNITS ? SLOTS_NARROW : SLOTS;
  const activeW = Math.round(Math.min(width * 0.5, unit * 30));
  const slotW = Math.floor(Math.min((width - activeW) / slots - gap, unit * 20));
  const first = rows.left + activeW + gap;
  const fits = immutables.length <= slots;
  // Without room for all, the oldest stay in view: they are flushed next.
  const shown = fits ? immutables : immutables.slice(-(slots - 1));
  const memtables: MemtableShape[] = [];
  const { y, h } = rows.memory;
  const place = (memtable: MemtableView, x: number, w: number) => {
    const entries = recentOf(recent, memtable, view);
    memtables.push(memtableShape(memtable, view.jobs, { x, y, w, h }, rows, entries));
  };
  if (active) place(active, rows.left, activeW);
  for (const [index, memtable] of shown.entries()) {
    place(memtable, first + (index + (fits ? 0 : 1)) * (slotW + gap), slotW);
  }
  const endX = first + (shown.length + (fits ? 0 : 1)) * (slotW + gap);
  return {
    memtables,
    // Immutable memtables without room in the picture, and where their number stands [px].
    hiddenMemtables: immutables.length - shown.length,
    wals: placeWals(view, memtables, rows, endX, recent),
    hiddenX: first,
  };
}

function memtableShape(
  memtable: MemtableView,
  jobs: readonly JobView[],
  box: Box,
  rows: Rows,
  entries: readonly RecentEntry[],
) {
  const job = jobs.find((known) => known.what === 'flush' && known.memtable === memtable.memtable);
  const state = memtable.immutable ? 'immutable' : 'active';
  const name = `memtable ${memtable.memtable}`;
  const tombstones =
    memtable.tombstones > 0 ? `, ${counted(memtable.tombstones, 'tombstone')}` : '';
  const ranges = memtable.ranges
    ? `, ${counted(memtable.ranges.count, 'range tombstone')} over ${rangeText(memtable.ranges.over)}`
    : '';
  const level = `${memtable.bytes} of ${memtable.limitBytes} bytes`;
  const wordings = memtable.immutable ? waitings(job) : fillings(memtable);
  return {
    id: `memtable:${memtable.memtable}`,
    memtable,
    box,
    // How much of the box is filled, 0 to 1.
    fill: clamp(memtable.bytes / Math.max(memtable.limitBytes, 1), 0, 1),
    ...textsOf(memtable.memtable, wordings, entries, box, rows),
    // Entries flushed of all, 0 to 1; `null` when no flush is at work.
    progress: job ? job.entriesDone / Math.max(job.entriesTotal, 1) : null,
    label: `${name}, ${state}, ${level}, ${counted(memtable.entries, 'entry')}${tombstones}${ranges}${
      memtable.immutable ? `, ${waitings(job)[0]}` : ''
    }`,
  };
}

/**
 * Title and detail in the first line, the newest entries below them. In a box of one line the newest entry comes
 * first; in a narrow one the detail has a line of its own when another is left for an entry.
 */
function textsOf(
  number: number,
  wordings: readonly string[],
  entries: readonly RecentEntry[],
  box: Box,
  rows: Rows,
) {
  const { unit, line } = rows;
  const pad = unit * 0.5;
  const [whole, short, bare] = [`memtable ${number}`, `mem ${number}`, String(number)];
  const inner = { x: box.x + pad, y: box.y + unit * 0.25, w: box.w - 2 * pad, h: box.h };
  const lines = rows.memory.lines;
  const titled = (names: readonly string[]) =>
    names.find((text) => boldWidth(text, unit) <= inner.w) ?? '';
  const beside = (title: string) =>
    fitting(wordings, inner.w - boldWidth(title, unit) - unit, unit);
  if (lines === 1 && entries.length > 0) {
    const title = titled([short, bare]);
    const x = inner.x + boldWidth(title, unit) + unit * 0.75;
    const right = inner.x + inner.w;
    const shown = entryTexts(entries.slice(0, 1), { ...inner, x, w: right - x, h: line }, rows);
    const end = shown.reduce((most, each) => most + keyWidth(each.text, unit), x) + unit;
    const detail = fitting(wordings, right - end, unit);
    return { title, detail, detailBelow: false, entries: shown };
  }
  const names = [whole, short, bare];
  const title = names.find((name) => beside(name) !== '') ?? titled(names);
  const isBelow = beside(title) === '' && lines > (entries.length > 0 ? 2 : 1);
  const detail = isBelow ? fitting(wordings, inner.w, unit) : beside(title);
  const used = isBelow ? 2 : 1;
  const room = { ...inner, y: inner.y + used * line, h: (lines - used) * line };
  return { title, detail, detailBelow: isBelow, entries: entryTexts(entries, room, rows) };
}

/** How full the active memtable is, from the longest wording to the shortest. */
function fillings(memtable: MemtableView): string[] {
  const { bytes, limitBytes, entries, tombstones, ranges } = memtable;
  const full = `${count(bytes)} of ${count(limitBytes)} B`;
  const percent = `${Math.round((100 * bytes) / Math.max(limitBytes, 1))} %`;
  const more = `${full} · ${counted(entries, 'entry')}`;
  return [
    ...(ranges ? [`${more} · ${counted(ranges.count, 'range tombstone')}`] : []),
    ...(tombstones > 0 ? [`${more} · ${counted(tombstones, 'tombstone')}`] : []),
    more,
    full,
    percent,
  ];
}

/** What an immutable memtable waits for, from the longest wording to the shortest. */
function waitings(job: JobView | undefined): string[] {
  if (!job) return ['flush pending', 'pending'];
  const part = `${count(job.entriesDone)} of ${count(job.entriesTotal)}`;
  const percent = Math.round((100 * job.entriesDone) / Math.max(job.entriesTotal, 1));
  return [
    `flush job ${job.job}: ${part}`,
    `job ${job.job}: ${part}`,
    `job ${job.job}: ${percent} %`,
    `flush ${percent} %`,
    `${percent} %`,
  ];
}

function placeWals(
  view: View,
  memtables: readonly MemtableShape[],
  rows: Rows,
  endX: number,
  recent: readonly RecentWrites[],
): WalShape[] {
  const { unit } = rows;
  const shapes: WalShape[] = [];
  let x = endX;
  // Newest first: the log of the active memtable, then those that wait.
  for (const wal of [...view.wals].reverse()) {
    const owner = memtables.find((shape) => shape.memtable.wal === wal.wal);
    const w = owner ? owner.box.w : unit * 10;
    if (!owner && x + w > rows.right) continue;
    const box = { x: owner?.box.x ?? x, y: rows.wal.y, w, h: rows.wal.h };
    const writer = memtableOfLog(view, wal.wal);
    const names = writer ? recordNames(recentOf(recent, writer, view), RECENT_MAX) : [];
    // Where nothing runs, no memtable shows what is in a log.
    const isNeeded = writer !== undefined || !wal.closed || view.memtables.length === 0;
    const source: LogSource = { wal, names, isNeeded };
    shapes.push(logShape(source, box, rows));
    if (!owner) x += w + unit * 0.75;
  }
  return shapes;
}
