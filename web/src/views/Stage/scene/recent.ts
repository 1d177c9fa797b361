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

/** A memtable's newest known entries that were written by now; the newest first. */
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

/** The key axis, and the size of text. */
interface LabelGround {
  axis: Pick<KeyAxis, 'x'>;
  rows: Pick<Rows, 'unit' | 'line'>;
}

/**
 * Labels entries above their places on the axis, the newest first, as many as fit into the lines of `whole` above
 * `floorY`; with their values, unless more fit without them. No label covers `taken`. The newest entry of the active
 * memtable has a label at any height.
 */
export function entryLabels(
  entries: readonly RecentEntry[],
  whole: Box,
  floorY: number,
  ground: LabelGround,
  { taken, isActive }: { taken: Box | null; isActive: boolean },
): EntryLabel[] {
  const box = { ...whole, h: floorY - whole.y };
  if (box.h - 2 < ground.rows.line) return isActive ? lowLabel(entries[0], whole, ground) : [];
  const named = (at: 0 | -1) =>
    labelled(
      entries.slice(0, LABELS_MAX).map((entry) => ({ entry, text: wordings(entry).at(at) ?? '' })),
      box,
      ground,
      taken,
    );
  const [full, short] = [named(0), named(-1)];
  return short.length > full.length ? short : full;
}

/** Each text in the lowest line that is free above its key; none where no line is. */
function labelled(
  named: readonly { entry: RecentEntry; text: string }[],
  box: Box,
  { axis, rows: { unit, line } }: LabelGround,
  taken: Box | null,
): EntryLabel[] {
  const out: EntryLabel[] = [];
  const lines = Math.floor((box.h - 2) / line);
  const used: Box[] = taken ? [taken] : [];
  for (const { entry, text } of named) {
    const w = keyWidth(text, unit);
    if (w > box.w - 4) continue;
    const x = clamp(axis.x(entry.key) - w / 2, box.x + 2, box.x + box.w - w - 2);
    const places = Array.from({ length: lines }, (_, up) => {
      return { x, y: box.y + box.h - (up + 1) * line, w: w + unit * 0.6, h: line };
    });
    const place = places.find((each) => used.every((other) => isApart(each, other)));
    if (!place) continue;
    used.push(place);
    const deleted = entry.entry !== 'put';
    const y = place.y + line * 0.78;
    out.push({ sequence: entry.sequence, text, deleted, x: x + w / 2, y });
  }
  return out;
}

function isApart(a: Box, b: Box): boolean {
  return a.x > b.x + b.w || a.x + a.w < b.x || a.y >= b.y + b.h || a.y + a.h <= b.y;
}

/** The newest entry, beside its bead: there is no line above it. */
function lowLabel(
  entry: RecentEntry | undefined,
  box: Box,
  { axis, rows: { unit, line } }: LabelGround,
): EntryLabel[] {
  const text = entry && wordings(entry).find((each) => keyWidth(each, unit) < box.w / 2);
  if (!text || box.h < line * LOW) return [];
  const at = axis.x(entry.key);
  const away = keyWidth(text, unit) / 2 + unit * 0.6;
  const x = at < box.x + box.w / 2 ? at + away : at - away;
  const y = box.y + box.h / 2 + unit * 0.3;
  return [{ sequence: entry.sequence, text, deleted: entry.entry !== 'put', x, y }];
}

/** The readable part of a line of text. */
const LOW = 0.8;

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
