import type { JobView, MemtableView, View, WalView } from '../../../model/engine.generated';
import { count, counted } from '../../../model/words';
import type { Box, Rows } from './geometry';
import { clamp, fitText, textWidth } from './geometry';

/** A memtable of the picture. */
export interface MemtableShape {
  id: string;
  memtable: MemtableView;
  box: Box;
  /** How much of the box is filled, 0 to 1. */
  fill: number;
  title: string;
  detail: string;
  /** Entries flushed of all, 0 to 1; `null` when no flush is at work. */
  progress: number | null;
  label: string;
}

/** A log of the picture. */
export interface WalShape {
  id: string;
  wal: WalView;
  box: Box;
  ticks: WalTick[];
  /** Records that one tick stands for. */
  perTick: number;
  /** Where the durable part ends [px]; `null` when everything is durable. */
  boundary: number | null;
  title: string;
  detail: string;
  label: string;
}

/** One or several records of a log. */
export interface WalTick {
  x: number;
  w: number;
  synced: boolean;
}

/** Memory and the logs below it: each log stands under its memtable. */
export interface MemoryScene {
  memtables: MemtableShape[];
  /** Number of immutable memtables without room in the picture. */
  hiddenMemtables: number;
  wals: WalShape[];
  /** Position of the number of hidden memtables [px]. */
  hiddenX: number;
}

const GAP = 12;
const TICKS_MAX = 60;
/** Places for immutable memtables: few databases ever have more. */
const SLOTS = 4;
/** Left free beside a log, so that the arrow of a flush has its way [px]. */
const CHANNEL = 26;

/** Places memtables from left to right, the active one first, and each log under its memtable. */
export function memoryScene(view: View, rows: Rows): MemoryScene {
  const [active, ...immutables] = view.memtables;
  const width = rows.right - rows.left;
  const activeW = Math.round(clamp(width * 0.275, 238, 320));
  const slotW = Math.floor(clamp((width - activeW) / SLOTS - GAP, 100, 190));
  const first = rows.left + activeW + GAP;
  const fits = immutables.length <= SLOTS;
  // Without room for all, the oldest stay in view: they are flushed next.
  const shown = fits ? immutables : immutables.slice(-(SLOTS - 1));
  const memtables: MemtableShape[] = [];
  const { y, h } = rows.memory;
  if (active) memtables.push(memtableShape(active, view.jobs, { x: rows.left, y, w: activeW, h }));
  for (const [index, memtable] of shown.entries()) {
    const x = first + (index + (fits ? 0 : 1)) * (slotW + GAP);
    memtables.push(memtableShape(memtable, view.jobs, { x, y, w: slotW, h }));
  }
  const endX = first + (shown.length + (fits ? 0 : 1)) * (slotW + GAP);
  const wals = placeWals(view, memtables, rows, endX);
  return {
    memtables,
    hiddenMemtables: immutables.length - shown.length,
    wals,
    hiddenX: first,
  };
}

function memtableShape(memtable: MemtableView, jobs: readonly JobView[], box: Box): MemtableShape {
  const job = jobs.find((known) => known.what === 'flush' && known.memtable === memtable.memtable);
  const detail = memtable.immutable
    ? (waitings(job).find((words) => textWidth(words.length) <= box.w - 20) ?? '')
    : filling(memtable, box.w - 20);
  const state = memtable.immutable ? 'immutable' : 'active';
  const title = `memtable ${memtable.memtable}`;
  const tombstones =
    memtable.tombstones > 0 ? `, ${counted(memtable.tombstones, 'tombstone')}` : '';
  const level = `${memtable.bytes} of ${memtable.limitBytes} bytes`;
  return {
    id: `memtable:${memtable.memtable}`,
    memtable,
    box,
    fill: clamp(memtable.bytes / Math.max(memtable.limitBytes, 1), 0, 1),
    title: box.w < 128 ? `mem ${memtable.memtable}` : title,
    detail,
    progress: job ? job.entriesDone / Math.max(job.entriesTotal, 1) : null,
    label: `${title}, ${state}, ${level}, ${counted(memtable.entries, 'entry')}${tombstones}${
      memtable.immutable ? `, ${waitings(job)[0]}` : ''
    }`,
  };
}

function filling(memtable: MemtableView, width: number): string {
  const bytes = `${count(memtable.bytes)} of ${count(memtable.limitBytes)} B`;
  const entries = ` · ${counted(memtable.entries, 'entry')}`;
  const tombstones = memtable.tombstones > 0 ? ` · ${memtable.tombstones} ×` : '';
  const text = `${bytes}${entries}${tombstones}`;
  return text.length * 7.2 < width ? text : bytes;
}

/** What an immutable memtable waits for, in wordings from the longest to the shortest. */
function waitings(job: JobView | undefined): string[] {
  if (!job) return ['waits for flush', 'waits'];
  const part = `${count(job.entriesDone)} of ${count(job.entriesTotal)}`;
  const percent = Math.round((100 * job.entriesDone) / Math.max(job.entriesTotal, 1));
  return [
    `flush job ${job.job}: ${part}`,
    `job ${job.job}: ${part}`,
    `job ${job.job}: ${percent} %`,
    `flush ${percent} %`,
  ];
}

function placeWals(
  view: View,
  memtables: readonly MemtableShape[],
  rows: Rows,
  endX: number,
): WalShape[] {
  const shapes: WalShape[] = [];
  let x = endX;
  // Newest first: the log of the active memtable, then those that wait.
  for (const wal of [...view.wals].reverse()) {
    const owner = memtables.find((shape) => shape.memtable.wal === wal.wal);
    const w = owner ? owner.box.w - CHANNEL : 150;
    if (!owner && x + w > rows.right) continue;
    const box = { x: owner?.box.x ?? x, y: rows.wal.y, w, h: rows.wal.h };
    const isNeeded = view.memtables.some((memtable) => memtable.wal === wal.wal);
    shapes.push(walShape(wal, box, isNeeded));
    if (!owner) x += w + GAP;
  }
  return shapes;
}

function walShape(wal: WalView, box: Box, isNeeded: boolean): WalShape {
  const perTick = perTickOf(wal.records, box.w);
  const total = Math.ceil(wal.records / perTick);
  const pitch = pitchOf(total, box.w);
  const synced = Math.ceil(wal.syncedRecords / perTick);
  const ticks = Array.from({ length: total }, (_, index) => ({
    x: box.x + index * pitch,
    w: Math.max(pitch - Math.max(1.5, pitch * 0.2), 1.5),
    synced: index < synced,
  }));
  const unsynced = wal.records - wal.syncedRecords;
  const records = counted(wal.records, 'record');
  const state = unsynced > 0 ? `${count(wal.syncedRecords)} synced` : 'all synced';
  const title = `WAL ${wal.wal}`;
  // The title is bold, and the next log begins where this one's memtable ends.
  const room = box.w + (isNeeded ? CHANNEL : 0) - textWidth(title.length) * 1.1 - 8;
  return {
    id: `wal:${wal.wal}`,
    wal,
    box,
    ticks,
    perTick,
    boundary: unsynced > 0 ? box.x + synced * pitch - pitch * 0.1 : null,
    title,
    detail: walText(wal, perTick, isNeeded, room),
    label: `WAL ${wal.wal}, ${records}, ${state}${unsynced > 0 ? `, ${unsynced} not yet` : ''}, ${
      wal.closed ? 'closed' : 'open'
    }`,
  };
}

/** The longest of several wordings that fits. */
function walText(wal: WalView, perTick: number, isNeeded: boolean, room: number): string {
  const unsynced = wal.records - wal.syncedRecords;
  const buffered = wal.records - wal.writtenRecords;
  const tail = !isNeeded ? ' · to be deleted' : perTick > 1 ? ` · ${perTick} in a box` : '';
  const total = count(wal.records);
  const wordings =
    wal.records === 0
      ? ['empty']
      : unsynced > 0
        ? [
            ...(buffered > 0
              ? [`${count(unsynced)} not synced, ${count(buffered)} in memory`]
              : []),
            `${count(wal.syncedRecords)} synced · ${count(unsynced)} not yet`,
            `${count(unsynced)} not synced`,
          ]
        : [
            `${counted(wal.records, 'record')} · all synced`,
            `${total} · all synced`,
            `${total} synced`,
            'synced',
          ];
  const full = wordings.map((wording) => wording + tail);
  const fitting = [...full, ...wordings].find((wording) => textWidth(wording.length) <= room);
  return fitting ?? fitText(wordings[wordings.length - 1] ?? '', room);
}

/** 1, 2, 5, 10, 20, 50 … records a tick, so that the ticks fit. */
function perTickOf(records: number, width: number): number {
  const max = Math.min(TICKS_MAX, Math.floor(width / 4));
  for (let unit = 1; ; unit *= 10) {
    for (const factor of [1, 2, 5]) {
      if (records / (unit * factor) <= max) return unit * factor;
    }
  }
}

/** A few fixed widths: ticks do not shrink a little with every record. */
function pitchOf(ticks: number, width: number): number {
  for (const pitch of [13, 9, 6.5, 5]) if (ticks * pitch <= width) return pitch;
  return width / Math.max(ticks, 1);
}
