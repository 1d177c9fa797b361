import type { JobView, MemtableView, View, WalView } from '../../../model/engine.generated';
import { count, counted } from '../../../model/words';
import type { Box, Rows } from './geometry';
import { clamp } from './geometry';
import { boldWidth, fitting } from './text';

/** A memtable of the picture. */
export interface MemtableShape {
  id: string;
  memtable: MemtableView;
  box: Box;
  /** How much of the box is filled, 0 to 1. */
  fill: number;
  title: string;
  detail: string;
  /** Whether the detail stands below the title, not beside it. */
  detailBelow: boolean;
  /** Entries flushed of all, 0 to 1; `null` when no flush is at work. */
  progress: number | null;
  label: string;
}

/** A log of the picture. */
export interface WalShape {
  id: string;
  wal: WalView;
  /** Around its records. */
  box: Box;
  /** Around its records and its caption. */
  whole: Box;
  ticks: WalTick[];
  /** Records that one tick stands for. */
  perTick: number;
  /** Where the durable part ends [px]; `null` when everything is durable. */
  boundary: number | null;
  title: string;
  /** Baseline of the caption [px]. */
  titleY: number;
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

const TICKS_MAX = 60;
/** Places for immutable memtables: few databases ever have more. */
const SLOTS = 3;

/** Places memtables from left to right, the active one first, and each log under its memtable. */
export function memoryScene(view: View, rows: Rows): MemoryScene {
  const [active, ...immutables] = view.memtables;
  const { unit, transactions } = rows;
  const gap = unit * 0.75;
  const width = transactions.x - gap - rows.left;
  const activeW = Math.round(Math.min(width * 0.5, unit * 30));
  const slotW = Math.floor(Math.min((width - activeW) / SLOTS - gap, unit * 20));
  const first = rows.left + activeW + gap;
  const fits = immutables.length <= SLOTS;
  // Without room for all, the oldest stay in view: they are flushed next.
  const shown = fits ? immutables : immutables.slice(-(SLOTS - 1));
  const memtables: MemtableShape[] = [];
  const { y, h } = rows.memory;
  const place = (memtable: MemtableView, x: number, w: number) =>
    memtableShape(memtable, view.jobs, { x, y, w, h }, rows);
  if (active) memtables.push(place(active, rows.left, activeW));
  for (const [index, memtable] of shown.entries()) {
    const x = first + (index + (fits ? 0 : 1)) * (slotW + gap);
    memtables.push(place(memtable, x, slotW));
  }
  const endX = first + (shown.length + (fits ? 0 : 1)) * (slotW + gap);
  return {
    memtables,
    hiddenMemtables: immutables.length - shown.length,
    wals: placeWals(view, memtables, rows, endX),
    hiddenX: first,
  };
}

function memtableShape(
  memtable: MemtableView,
  jobs: readonly JobView[],
  box: Box,
  { unit }: Rows,
): MemtableShape {
  const job = jobs.find((known) => known.what === 'flush' && known.memtable === memtable.memtable);
  const state = memtable.immutable ? 'immutable' : 'active';
  const name = `memtable ${memtable.memtable}`;
  const tombstones =
    memtable.tombstones > 0 ? `, ${counted(memtable.tombstones, 'tombstone')}` : '';
  const level = `${memtable.bytes} of ${memtable.limitBytes} bytes`;
  const room = box.w - unit;
  const names = [name, `mem ${memtable.memtable}`, String(memtable.memtable)];
  const title = names.find((text) => boldWidth(text, unit) <= room) ?? '';
  const wordings = memtable.immutable ? waitings(job) : fillings(memtable);
  return {
    id: `memtable:${memtable.memtable}`,
    memtable,
    box,
    fill: clamp(memtable.bytes / Math.max(memtable.limitBytes, 1), 0, 1),
    title,
    ...detailOf(wordings, title, box, unit),
    progress: job ? job.entriesDone / Math.max(job.entriesTotal, 1) : null,
    label: `${name}, ${state}, ${level}, ${counted(memtable.entries, 'entry')}${tombstones}${
      memtable.immutable ? `, ${waitings(job)[0]}` : ''
    }`,
  };
}

/** Beside the title where a wording fits there, otherwise below it. */
function detailOf(
  wordings: readonly string[],
  title: string,
  box: Box,
  unit: number,
): Pick<MemtableShape, 'detail' | 'detailBelow'> {
  const beside = fitting(wordings, box.w - unit * 2 - boldWidth(title, unit), unit);
  if (beside !== '') return { detail: beside, detailBelow: false };
  const isHigh = box.h >= unit * 2.9;
  return { detail: isHigh ? fitting(wordings, box.w - unit, unit) : '', detailBelow: true };
}

/** How full the active memtable is, from the longest wording to the shortest. */
function fillings(memtable: MemtableView): string[] {
  const { bytes, limitBytes, entries, tombstones } = memtable;
  const full = `${count(bytes)} of ${count(limitBytes)} B`;
  const percent = `${Math.round((100 * bytes) / Math.max(limitBytes, 1))} %`;
  const more = `${full} · ${counted(entries, 'entry')}`;
  return [...(tombstones > 0 ? [`${more} · ${tombstones} ×`] : []), more, full, percent];
}

/** What an immutable memtable waits for, from the longest wording to the shortest. */
function waitings(job: JobView | undefined): string[] {
  if (!job) return ['waits for flush', 'waits'];
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
    const isNeeded = view.memtables.some((memtable) => memtable.wal === wal.wal);
    shapes.push(walShape(wal, box, isNeeded, rows));
    if (!owner) x += w + unit * 0.75;
  }
  return shapes;
}

function walShape(wal: WalView, whole: Box, isNeeded: boolean, rows: Rows): WalShape {
  const { unit, line } = rows;
  const title = `WAL ${wal.wal}`;
  const titleW = boldWidth(title, unit) + unit * 0.5;
  const below = rows.wal.captionBelow;
  // The arrow of a flush has its way beside the log.
  const channel = unit * 1.5;
  const box = below
    ? { ...whole, w: whole.w - channel }
    : { ...whole, x: whole.x + titleW, w: Math.max(whole.w - titleW - channel, unit) };
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
  const wordings = walTexts(wal, perTick, isNeeded);
  return {
    id: `wal:${wal.wal}`,
    wal,
    box,
    whole: { ...whole, h: whole.h + (below ? line : 0) },
    ticks,
    perTick,
    boundary: unsynced > 0 ? box.x + synced * pitch - pitch * 0.1 : null,
    title,
    titleY: below ? whole.y + whole.h + line * 0.8 : whole.y + whole.h / 2 + unit * 0.36,
    detail: below ? fitting(wordings, whole.w - titleW, unit) : '',
    label: `WAL ${wal.wal}, ${records}, ${state}${unsynced > 0 ? `, ${unsynced} not yet` : ''}, ${
      wal.closed ? 'closed' : 'open'
    }`,
  };
}

/** What a log holds, from the longest wording to the shortest. */
function walTexts(wal: WalView, perTick: number, isNeeded: boolean): string[] {
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
  const full = tail === '' ? [] : wordings.map((wording) => wording + tail);
  const short = isNeeded ? [] : ['to be deleted', 'obsolete'];
  return [...full, ...short, ...wordings];
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
