import type { WalView } from '../../../model/engine.generated';
import { count, counted } from '../../../model/words';
import { type Box, clamp, type Rows } from './geometry';
import type { RecordName } from './recent';
import { boldWidth, fitting, keyWidth } from './text';

/** A log of the picture. */
export type WalShape = ReturnType<typeof logShape>;

/** One or several records of a log. */
interface WalTick {
  x: number;
  /** Unsynced records stand higher. */
  y: number;
  w: number;
  synced: boolean;
  /** The key written, of the newest records. */
  name: string | null;
  /** The number of the record, from 1; `null` for several. */
  record: number | null;
  /** Angle of the colour of its key, where one key is known. */
  hue: number | null;
}

/** A log to draw. */
export interface LogSource {
  wal: WalView;
  /** Its newest records that are known, the newest first. */
  names: readonly RecordName[];
  /** Whether a memtable still needs it. */
  isNeeded: boolean;
}

/** Height of unsynced records above synced ones [px]. */
export const RISE = 7;
const TICKS_MAX = 60;
/** The least part of a log for its older records. */
const OLDER_SHARE = 0.3;

/** The name of a record in every picture. */
export const recordId = (wal: string, record: number) => `${wal}/record:${record}`;

/** Places a log in `whole`: its records, and the caption below them or before them. */
export function logShape({ wal, names, isNeeded }: LogSource, whole: Box, rows: Rows) {
  const { unit, line } = rows;
  const below = rows.wal.captionBelow;
  // The arrow of a flush passes beside the log.
  const channel = unit * 1.5;
  const titled = (title: string) => {
    const titleW = boldWidth(title, unit) + unit * 0.5;
    const box = below
      ? { ...whole, w: whole.w - channel }
      : { ...whole, x: whole.x + titleW, w: Math.max(whole.w - titleW - channel, unit) };
    return { title, titleW, box, ...ticksOf(wal, names, box, unit) };
  };
  const plain = titled(`WAL ${wal.wal}`);
  // Without a caption, its title counts what its ticks do not.
  const isCounted = !below && plain.perTick > 1;
  const shaped = isCounted ? titled(`${plain.title} · ${count(wal.records)}`) : plain;
  const { title, titleW, box, ticks, perTick, unsynced: part } = shaped;
  const unsynced = wal.records - wal.syncedRecords;
  const records = counted(wal.records, 'record');
  const state = unsynced > 0 ? `${count(wal.syncedRecords)} synced` : 'all synced';
  return {
    id: `wal:${wal.wal}`,
    wal,
    // Around its records, and around them and their caption.
    box,
    whole: { ...whole, h: whole.h + (below ? line : 0) },
    ticks,
    // Records for each unnamed tick.
    perTick,
    unsynced: part,
    title,
    titleY: below ? whole.y + whole.h + line * 0.8 : whole.y + whole.h / 2 + unit * 0.36,
    detail: below ? fitting(walTexts(wal, perTick, isNeeded), whole.w - titleW, unit) : '',
    label: `WAL ${wal.wal}, ${records}, ${state}${unsynced > 0 ? `, ${unsynced} not yet` : ''}, ${
      wal.closed ? 'closed' : 'active'
    }`,
  };
}

/** The older records as narrow ticks, then the newest ones with their names, as many as fit. */
function ticksOf(wal: WalView, names: readonly RecordName[], box: Box, unit: number) {
  // A strip has no room for names.
  const named = box.h < unit ? [] : namedRecords(wal, names, box.w, unit);
  const namesW = named.reduce((sum, { w }) => sum + w, 0);
  const older = wal.records - named.length;
  const olderW = box.w - namesW;
  const perTick = perTickOf(older, olderW);
  const total = Math.ceil(older / perTick);
  const pitch = pitchOf(total, olderW);
  const synced = Math.ceil(Math.min(wal.syncedRecords, older) / perTick);
  const y = (isSynced: boolean) => (isSynced ? box.y : box.y - RISE);
  const hues = new Map(perTick === 1 ? names.map(({ record, hue }) => [record, hue]) : []);
  const ticks: WalTick[] = Array.from({ length: total }, (_, index) => ({
    x: box.x + index * pitch,
    y: y(index < synced),
    w: Math.max(pitch - Math.max(1.5, pitch * 0.2), 1.5),
    synced: index < synced,
    name: null,
    record: perTick === 1 ? index + 1 : null,
    hue: hues.get(index + 1) ?? null,
  }));
  let boundary = box.x + synced * pitch;
  let x = box.x + total * pitch;
  for (const { record, text, hue, w } of named) {
    const isSynced = record <= wal.syncedRecords;
    ticks.push({ x, y: y(isSynced), w: w - 3, synced: isSynced, name: text, record, hue });
    x += w;
    if (isSynced) boundary = x;
  }
  const isDurable = wal.records <= wal.syncedRecords;
  // Where the durable part ends, and where the records end [px]; `null` when everything is durable.
  return { ticks, perTick, unsynced: isDurable ? null : { from: boundary - 1.5, to: x } };
}

/** The newest records that have room for their names, oldest first. */
function namedRecords(
  wal: WalView,
  names: readonly RecordName[],
  width: number,
  unit: number,
): (RecordName & { w: number })[] {
  const out: (RecordName & { w: number })[] = [];
  let used = 0;
  for (const name of names) {
    const { record, text } = name;
    // A newer record is not known yet.
    if (record !== wal.records - out.length) break;
    const w = keyWidth(text, unit) + unit * 0.8;
    const older = record - 1;
    if (used + w + Math.min(older * 9, width * OLDER_SHARE) > width) break;
    out.unshift({ ...name, w });
    used += w;
  }
  return out;
}

/** A log's content, from the longest wording to the shortest. */
function walTexts(wal: WalView, perTick: number, isNeeded: boolean): string[] {
  const unsynced = wal.records - wal.syncedRecords;
  const buffered = wal.records - wal.writtenRecords;
  const tail = !isNeeded
    ? ' · to be deleted'
    : perTick > 1
      ? ` · one box = ${perTick} records`
      : '';
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
  const max = clamp(Math.floor(width / 4), 1, TICKS_MAX);
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
