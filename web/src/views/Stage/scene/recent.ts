import type {
  MemtableView,
  RecentEntry,
  RecentWrites,
  ShownKey,
  View,
} from '../../../model/engine.generated';
import { cutInside, keyText, rangeText } from '../../../model/keys';
import type { Box } from './geometry';
import { keyWidth } from './text';

/** One of the newest entries of a memtable, in its box. */
export interface EntryText {
  sequence: number;
  text: string;
  deleted: boolean;
  /** Left end and baseline [px]. */
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

/** Places entries line by line, as many as fit into `box`. */
export function entryTexts(
  entries: readonly RecentEntry[],
  box: Box,
  { unit, line }: { unit: number; line: number },
): EntryText[] {
  const out: EntryText[] = [];
  let [x, y] = [box.x, box.y];
  for (const entry of entries) {
    const [whole, name] = wordings(entry);
    const fits = (text: string | undefined, from: number): text is string =>
      text !== undefined && keyWidth(text, unit) <= box.x + box.w - from;
    if (x > box.x && !fits(whole, x)) [x, y] = [box.x, y + line];
    if (y + line > box.y + box.h + 0.5) break;
    const text = fits(whole, x) ? whole : begun(name ?? '', box.x + box.w - x, unit);
    if (text === '') break;
    const deleted = entry.entry !== 'put';
    out.push({ sequence: entry.sequence, text, deleted, x, y: y + line * 0.78 });
    x += keyWidth(text, unit) + unit;
  }
  return out;
}

/** The key, or as much of it as fits; empty when that says nothing. */
function begun(name: string, width: number, unit: number): string {
  const letters = Math.floor(width / keyWidth('m', unit));
  return letters < 4 && name.length > letters ? '' : cutInside(name, letters);
}

/** The newest records of a log, the newest first, each by the key of its first entry. */
export function recordNames(entries: readonly RecentEntry[], limit: number) {
  const records = new Map<number, { first: RecentEntry; count: number }>();
  for (const entry of entries) {
    if (entry.record === null) break;
    const count = (records.get(entry.record)?.count ?? 0) + 1;
    records.set(entry.record, { first: entry, count });
  }
  const names = [...records].map(([record, { first, count }]) => {
    const key = keyText(first.key, KEY_LETTERS);
    return { record, text: count > 1 ? `${key} +${count - 1}` : key };
  });
  // The oldest may have more entries than are known.
  return entries.length >= limit ? names.slice(0, -1) : names;
}
