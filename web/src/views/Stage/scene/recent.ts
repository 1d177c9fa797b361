import type {
  MemtableView,
  RecentEntry,
  RecentWrites,
  ShownKey,
  View,
} from '../../../model/engine.generated';
import { keyText, rangeText } from '../../../model/keys';
import type { KeyAxis } from './axis';
import { type Box, clamp, type Rows } from './geometry';
import { keyWidth } from './text';

/** One of the newest entries of a memtable, above its bead. */
export interface EntryLabel {
  sequence: number;
  text: string;
  deleted: boolean;
  /** Middle and baseline [px]. */
  x: number;
  y: number;
}

/** A record of a log that can be named. */
export type RecordName = ReturnType<typeof recordNames>[number];

const KEY_LETTERS = 14;
const VALUE_LETTERS = 14;

/** What is known of a memtable's newest entries and was written by now; the newest first. */
export function recentOf(
  recent: readonly RecentWrites[],
  { memtable, wal }: Pick<MemtableView, 'memtable' | 'wal'>,
  { lastSequence }: View,
): readonly RecentEntry[] {
  const known = recent.find((writes) => writes.memtable === memtable && writes.wal === wal);
  return known?.entries.filter(({ sequence }) => sequence <= lastSequence) ?? [];
}

/** `apple = red`, or the key alone where there is no room; a tombstone is its key. */
function wordings({ key, entry, value }: RecentEntry): string[] {
  const name = keyText(key, KEY_LETTERS);
  if (entry === 'rangeDelete') {
    const end = value.bytes > 0 ? value : null;
    return [rangeText({ begin: key, end }, KEY_LETTERS), name];
  }
  return entry === 'delete' ? [name] : [`${name} = ${valueText(value)}`, name];
}

const valueText = (value: ShownKey) => keyText(value, VALUE_LETTERS);

/**
 * Names entries above their places on the axis, the newest first, as many as have room in the lines of `box`. `taken`
 * has no room for them.
 */
export function entryLabels(
  entries: readonly RecentEntry[],
  box: Box,
  { axis, rows: { unit, line } }: { axis: Pick<KeyAxis, 'x'>; rows: Pick<Rows, 'unit' | 'line'> },
  taken: Box | null,
): EntryLabel[] {
  const out: EntryLabel[] = [];
  const lines = Math.floor((box.h - 2) / line);
  const used: Box[] = taken ? [taken] : [];
  const isFree = (place: Box) =>
    used.every(
      (other) =>
        place.x > other.x + other.w ||
        place.x + place.w < other.x ||
        place.y >= other.y + other.h ||
        place.y + place.h <= other.y,
    );
  for (const entry of entries.slice(0, LABELS_MAX)) {
    const place = wordings(entry).flatMap((text) => {
      const w = keyWidth(text, unit);
      if (w > box.w) return [];
      const x = clamp(axis.x(entry.key) - w / 2, box.x + 2, box.x + box.w - w - 2);
      return Array.from({ length: lines }, (_, up) => ({
        text,
        box: { x, y: box.y + box.h - (up + 1) * line, w: w + unit * 0.6, h: line },
      })).filter((each) => isFree(each.box));
    })[0];
    if (!place) continue;
    used.push(place.box);
    const { x, y, w } = place.box;
    const deleted = entry.entry !== 'put';
    const middle = x + (w - unit * 0.6) / 2;
    out.push({
      sequence: entry.sequence,
      text: place.text,
      deleted,
      x: middle,
      y: y + line * 0.78,
    });
  }
  return out;
}

/** More entries are not named. */
const LABELS_MAX = 12;

/** The newest records of a log, the newest first, each by the key of its first entry. */
export function recordNames(
  entries: readonly RecentEntry[],
  limit: number,
  axis: Pick<KeyAxis, 'hue'>,
) {
  const records = new Map<number, { first: RecentEntry; count: number }>();
  for (const entry of entries) {
    if (entry.record === null) break;
    const count = (records.get(entry.record)?.count ?? 0) + 1;
    records.set(entry.record, { first: entry, count });
  }
  const names = [...records].map(([record, { first, count }]) => {
    const key = keyText(first.key, KEY_LETTERS);
    const text = count > 1 ? `${key} +${count - 1}` : key;
    return { record, text, hue: axis.hue(first.key) };
  });
  // The oldest may have more entries than are known.
  return entries.length >= limit ? names.slice(0, -1) : names;
}
