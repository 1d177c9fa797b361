import type { JobView, MemtableView, RecentWrites, View } from '../../../model/engine.generated';
import { memtableOfLog } from '../../../model/files';
import { count, counted } from '../../../model/words';
import type { KeyAxis } from './axis';
import { beadsIn } from './beads';
import { crowdOf, type Entry, RECENT_MAX } from './contents';
import { type Box, clamp, type Rows, type Span } from './geometry';
import { type LogSource, logShape, type WalShape } from './logs';
import { entryLabels, recentOf, recordNames } from './recent';
import { deletionsText } from './tables';
import { boldWidth, fitting, textWidth } from './text';

/** A memtable of the picture. */
export type MemtableShape = ReturnType<typeof memtableShape>;

/** Memory, on the key axis of the tables, and the logs below it. */
export type MemoryScene = ReturnType<typeof memoryScene>;

/** Below a memtable [px]. */
const GAP = 3;
/** Least height of an immutable memtable [px]. */
const SLAB_MIN = 8;
/** Beads of a memtable [px]. */
const BEAD_MIN = 5;
const BEAD_MAX = 24;
/** Around the beads, with the meter below them [px]. */
const FLOOR = 6;
/** Places for logs: few databases ever have more. */
const SLOTS = 3;
const SLOTS_NARROW = 2;
/** Narrower pictures have fewer places, in sizes of the text. */
const NARROW_UNITS = 64;

/** Inputs of the memory's layout. */
interface MemoryGround {
  axis: KeyAxis;
  rows: Rows;
  recent: readonly RecentWrites[];
  /** All entries of memtables, where they are known. */
  known: ReadonlyMap<number, readonly Entry[]>;
}

/** Places memtables one below the other, the active one on top, and the logs side by side, the newest first. */
export function memoryScene(view: View, ground: MemoryGround) {
  const { rows } = ground;
  const [active, ...frozen] = view.memtables;
  const fits = Math.max(Math.floor((rows.memory.h * 0.6) / (SLAB_MIN + GAP)), 1);
  // Without room for all, the oldest stay in view: they are flushed next.
  const shown = frozen.slice(-fits);
  const spans = slabSpans(rows, shown.length);
  const shapes = [...(active ? [active] : []), ...shown].map((memtable, index) =>
    memtableShape(memtable, view, spans[index] ?? rows.memory, ground),
  );
  const hidden = frozen.length - shown.length;
  const logs = placeWals(view, ground);
  return {
    memtables: withNames(shapes, hidden, rows),
    // Immutable memtables without room in the picture.
    hiddenMemtables: hidden,
    wals: logs.shapes,
    // The number of logs without room, at the right end of their row; `null` when all have room.
    moreWals: logs.more,
  };
}

/** Memtables too low for a name each have one together; the last name has the number of those without room. */
function withNames(shapes: MemtableShape[], hidden: number, { unit, left }: Rows) {
  const low = shapes.filter(({ title }) => title === '');
  const [top, end] = [low[0]?.box, low.at(-1)?.box];
  const h = top && end ? end.y + end.h - top.y : 0;
  const named = h >= unit ? low : hidden > 0 ? shapes.slice(0, 1) : [];
  const [first] = named;
  if (!first || !top || first.box.h + h < unit) return shapes;
  const numbers = named.map(({ memtable }) => memtable.memtable).join(', ');
  const name = `${numbers}${hidden > 0 ? ` +${hidden}` : ''}`;
  const fits = (text: string) => boldWidth(text, unit) <= left - unit * 1.5;
  const title =
    [`memtable ${name}`, `mem ${name}`, name, `+${named.length + hidden} wait`].find(fits) ?? '';
  const titleY = h >= unit ? top.y + h / 2 + unit * 0.36 : first.titleY;
  // Beside it there is no room for more.
  const detail = first.detailY > titleY ? first.detail : '';
  return shapes.map((shape) => (shape === first ? { ...shape, title, titleY, detail } : shape));
}

/** The active memtable gets the height left by the immutable ones: these have a line of text each, or a third of all together. */
function slabSpans({ memory, line }: Rows, frozen: number): Span[] {
  const each = clamp((memory.h * 0.45) / Math.max(frozen, 1) - GAP, SLAB_MIN, line + 4);
  const first = memory.h - frozen * (each + GAP);
  return Array.from({ length: frozen + 1 }, (_, index) =>
    index === 0
      ? { y: memory.y, h: first }
      : { y: memory.y + first + GAP + (index - 1) * (each + GAP), h: each },
  );
}

function memtableShape(memtable: MemtableView, view: View, span: Span, ground: MemoryGround) {
  const { rows, axis, known } = ground;
  const box = { x: rows.left, w: rows.right - rows.left, ...span };
  const job = view.jobs.find(
    (each) => each.what === 'flush' && each.memtable === memtable.memtable,
  );
  const id = `memtable:${memtable.memtable}`;
  const wordings = memtable.immutable ? waitings(job) : fillings(memtable);
  const beadH = clamp(box.h - FLOOR, BEAD_MIN, Math.min(BEAD_MAX, Math.max(box.h * 0.3, 12)));
  const floor = { x: box.x + 2, w: box.w - 4, y: box.y + box.h - FLOOR - beadH + 2, h: beadH };
  const entries = known.get(memtable.memtable) ?? [];
  const beads = beadsIn(id, entries, floor, axis, job?.entriesDone ?? 0);
  const crowd = entries.length > beads.length ? entries : crowdOf(memtable, view, ground.recent);
  return {
    id,
    memtable,
    box,
    // How much of its limit is used, 0 to 1.
    fill: clamp(memtable.bytes / Math.max(memtable.limitBytes, 1), 0, 1),
    ...headOf(memtable, wordings, span, rows),
    // Its name and what it holds, where there is room for both.
    name: `memtable ${memtable.memtable}`,
    words: wordings[0] ?? '',
    beads,
    band: bandOf(crowd, floor, axis),
    labels: entryLabels(recentOf(ground.recent, memtable, view), box, floor.y, ground, {
      taken: view.transactions.length > 0 ? rows.transactions : null,
      isActive: !memtable.immutable,
    }),
    // Entries flushed of all, 0 to 1; `null` when no flush is at work.
    progress: job ? job.entriesDone / Math.max(job.entriesTotal, 1) : null,
    label: labelOf(memtable, job),
  };
}

/** The part of the floor from the smallest to the largest key of entries that are not drawn one by one. */
function bandOf(crowd: readonly Entry[], floor: Box, axis: KeyAxis): Box | null {
  const [first, last] = [crowd[0], crowd.at(-1)];
  if (!first || !last) return null;
  const x = Math.max(axis.x(first.key), floor.x);
  return { ...floor, x, w: Math.max(Math.min(axis.x(last.key), floor.x + floor.w) - x, 2) };
}

function labelOf(memtable: MemtableView, job: JobView | undefined): string {
  const state = memtable.immutable ? 'immutable' : 'active';
  const level = `${memtable.bytes} of ${memtable.limitBytes} bytes`;
  return `memtable ${memtable.memtable}, ${state}, ${level}, ${counted(memtable.entries, 'entry')}${deletionsText(memtable)}${
    memtable.immutable ? `, ${waitings(job)[0]}` : ''
  }`;
}

/** Title and detail in the gutter: one below the other, or side by side, or neither. */
function headOf(
  { memtable }: MemtableView,
  wordings: readonly string[],
  { y, h }: Span,
  { unit, line, left }: Rows,
) {
  const isTall = h >= 2 * line;
  const [whole, short] = [`memtable ${memtable}`, `mem ${memtable}`];
  const room = left - unit * 1.5;
  if (h < line - 4) return { title: '', titleY: 0, detail: '', detailX: 0, detailY: 0 };
  const isRoomy = isTall
    ? boldWidth(whole, unit) <= room
    : fitting(wordings, room - boldWidth(whole, unit) - unit, unit) !== '';
  const title = isRoomy ? whole : short;
  const titleY = isTall ? y + line : y + h / 2 + unit * 0.36;
  const detailX = isTall ? unit : unit * 1.5 + boldWidth(title, unit);
  const detail = fitting(wordings, left - unit * 0.25 - detailX, unit);
  return { title, titleY, detail, detailX, detailY: isTall ? titleY + line : titleY };
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
    `${count(bytes)}/${count(limitBytes)} B`,
    percent,
  ];
}

/** An immutable memtable's pending work, from the longest wording to the shortest. */
function waitings(job: JobView | undefined): string[] {
  if (!job) return ['flush pending', 'pending', 'waits'];
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

/** Newest first: the log of the active memtable, then those that wait; of those without a place, the number. */
function placeWals(view: View, { rows, axis, recent }: MemoryGround) {
  const { unit, left, right } = rows;
  const gap = unit * 0.75;
  const slots = right < unit * NARROW_UNITS ? SLOTS_NARROW : SLOTS;
  const hidden = Math.max(view.wals.length - slots - 1, 0);
  const words = hidden > 0 ? `+${counted(hidden, 'log')}` : '';
  const end = hidden > 0 ? right - textWidth(words, unit) : right;
  const newestW = Math.round(Math.min((right - left) * 0.5, unit * 30));
  const olderW = Math.floor(Math.min((end - left - newestW) / slots - gap, unit * 20));
  const shapes: WalShape[] = [];
  let x = left;
  for (const wal of view.wals.toReversed().slice(0, slots + 1)) {
    const w = shapes.length === 0 ? newestW : olderW;
    const box = { x, y: rows.wal.y, w, h: rows.wal.h };
    const writer = memtableOfLog(view, wal.wal);
    const names = writer ? recordNames(recentOf(recent, writer, view), RECENT_MAX, axis) : [];
    // While no database is open, logs have no memtable that shows their entries.
    const isNeeded = writer !== undefined || !wal.closed || view.memtables.length === 0;
    const source: LogSource = { wal, names, isNeeded };
    shapes.push(logShape(source, box, rows));
    x += w + gap;
  }
  const y = rows.wal.y + rows.wal.h / 2 + unit * 0.36;
  return { shapes, more: hidden > 0 ? { text: words, x: right, y } : null };
}
