import type {
  MemtableView,
  RecentEntry,
  RecentWrites,
  ShownKey,
  View,
} from '../../../model/engine.generated';
import { keyId, keyText, rangeText } from '../../../model/keys';
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
 * `floorY`; with their values, unless more fit without them. No label covers `taken`. In a low active memtable
 * the newest entry has its label beside its bead.
 */
export function entryLabels(
  entries: readonly RecentEntry[],
  whole: Box,
  floorY: number,
  ground: LabelGround,
  { taken, isActive }: { taken: Box | null; isActive: boolean },
): EntryLabel[] {
  const box = { ...whole, h: floorY - whole.y };
  if (box.h - 2 < ground.rows.line) return isActive ? lowLabel(entries, whole, ground, taken) : [];
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
  const out: (EntryLabel & { of: string })[] = [];
  const lines = Math.floor((box.h - 2) / line);
  const used: Box[] = taken ? [taken] : [];
  const widest = widestOf(named, unit);
  for (const { entry, text } of named) {
    const of = keyId(entry.key);
    // The versions of a key may change places.
    const w = widest.get(of) ?? 0;
    if (w > box.w - 2 * INSET) continue;
    const x = clamp(axis.x(entry.key) - w / 2, box.x + INSET, box.x + box.w - w - INSET);
    const places = Array.from({ length: lines }, (_, up) => {
      return { x, y: box.y + box.h - (up + 1) * line, w: w + unit * 0.6, h: line };
    });
    const place = places.find((each) => used.every((other) => isApart(each, other)));
    if (!place) continue;
    used.push(place);
    const deleted = entry.entry !== 'put';
    const y = place.y + line * 0.78;
    out.push({ of, sequence: entry.sequence, text, deleted, x: x + w / 2, y });
  }
  return newestOnTop(out);
}

/** Width of the longest of the texts of each key [px]. */
function widestOf(named: readonly { entry: RecentEntry; text: string }[], unit: number) {
  const widest = new Map<string, number>();
  for (const { entry, text } of named) {
    const of = keyId(entry.key);
    widest.set(of, Math.max(widest.get(of) ?? 0, keyWidth(text, unit)));
  }
  return widest;
}

/** The versions of each key, which have the same middle, in the order of a table: the newest first. */
function newestOnTop(labels: readonly (EntryLabel & { of: string })[]): EntryLabel[] {
  const heights = new Map<string, number[]>();
  for (const { of, y } of labels)
    heights.set(
      of,
      [...(heights.get(of) ?? []), y].toSorted((a, b) => b - a),
    );
  return labels.map(({ of, ...label }) => ({ ...label, y: heights.get(of)?.pop() ?? label.y }));
}

function isApart(a: Box, b: Box): boolean {
  return a.x > b.x + b.w || a.x + a.w < b.x || a.y >= b.y + b.h || a.y + a.h <= b.y;
}

/** The newest entry, beside its bead, where no other bead is in the way: there is no line above it. */
function lowLabel(
  entries: readonly RecentEntry[],
  box: Box,
  { axis, rows: { unit, line } }: LabelGround,
  taken: Box | null,
): EntryLabel[] {
  const [entry] = entries;
  if (!entry || box.h < line * LOW) return [];
  const y = box.y + box.h / 2 + unit * 0.3;
  const at = axis.x(entry.key);
  const others = entries.map(({ key }) => axis.x(key)).filter((x) => Math.abs(x - at) > 1);
  for (const text of wordings(entry)) {
    const w = keyWidth(text, unit);
    const places = [at + unit * 0.6, at - unit * 0.6 - w].filter((x) => {
      const isWithin = x >= box.x + INSET && x + w <= box.x + box.w - INSET;
      if (taken && !isApart({ x, y: y - line * 0.78, w, h: line }, taken)) return false;
      // Half a bead at both ends.
      return isWithin && others.every((other) => other < x - unit / 2 || other > x + w + unit / 2);
    });
    const x = at < box.x + box.w / 2 ? places[0] : places.at(-1);
    if (x === undefined) continue;
    return [{ sequence: entry.sequence, text, deleted: entry.entry !== 'put', x: x + w / 2, y }];
  }
  return [];
}

/** The readable part of a line of text. */
const LOW = 0.8;

/** Between the frame of a memtable and its labels [px]. */
const INSET = 8;

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
