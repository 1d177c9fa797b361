import { scaleLinear } from 'd3-scale';
import type { ShownKey } from '../../../model/engine.generated';
import { compareKeys, keyId, keyText } from '../../../model/keys';

/** A labelled key of the axis. */
export interface AxisTick {
  x: number;
  label: string;
  anchor: 'start' | 'middle' | 'end';
}

/** The one key axis of all levels: the bounds of all tables, in order and evenly apart. */
export interface KeyAxis {
  /** Place of a key that is a bound of some table [px]; of any other key, that of the next bound. */
  x(key: ShownKey): number;
  ticks: AxisTick[];
  /** Distinct bounds. */
  size: number;
}

const LABEL_LETTERS = 14;
const LETTER_WIDTH = 8;
const LABEL_GAP = 18;

/** Makes the axis from all bounds, in any order and with repetitions. */
export function keyAxis(bounds: readonly ShownKey[], left: number, right: number): KeyAxis {
  const keys = distinct(bounds);
  const scale = scaleLinear([0, Math.max(keys.length - 1, 1)], [left, right]);
  const ranks = new Map(keys.map((key, rank) => [keyId(key), rank]));
  const x = (key: ShownKey) => scale(ranks.get(keyId(key)) ?? search(keys, key));
  return { x, ticks: ticks(keys, x, left, right), size: keys.length };
}

function distinct(bounds: readonly ShownKey[]): ShownKey[] {
  const seen = new Map<string, ShownKey>();
  for (const key of bounds) seen.set(keyId(key), key);
  return [...seen.values()].sort(compareKeys);
}

function search(keys: readonly ShownKey[], key: ShownKey): number {
  const rank = keys.findIndex((known) => compareKeys(known, key) >= 0);
  return rank < 0 ? Math.max(keys.length - 1, 0) : rank;
}

function ticks(
  keys: readonly ShownKey[],
  x: (key: ShownKey) => number,
  left: number,
  right: number,
): AxisTick[] {
  if (keys.length === 0) return [];
  const fits = Math.max(2, Math.floor((right - left) / (LABEL_LETTERS * LETTER_WIDTH * 0.85)));
  const wanted = Math.min(keys.length, fits, 9);
  const shared = sharedLetters(keys);
  const out: AxisTick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < wanted; index += 1) {
    const rank = wanted === 1 ? 0 : Math.round((index * (keys.length - 1)) / (wanted - 1));
    const key = keys[rank];
    if (!key) continue;
    const tick = place(x(key), label(key, shared), left, right);
    const start = startOf(tick);
    if (start < free) continue;
    out.push(tick);
    free = start + tick.label.length * LETTER_WIDTH + LABEL_GAP;
  }
  return out;
}

/** Letters with which all keys begin, when there are so many that they would hide the difference. */
function sharedLetters(keys: readonly ShownKey[]): number {
  const first = keyText(keys[0] ?? { head: '', bytes: 0 }, Number.POSITIVE_INFINITY);
  const last = keyText(keys[keys.length - 1] ?? { head: '', bytes: 0 }, Number.POSITIVE_INFINITY);
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return keys.length > 1 && length > 5 ? length : 0;
}

/** `customer:00042`, or `…00042` when all keys begin with `customer:`. */
function label(key: ShownKey, shared: number): string {
  if (shared === 0) return keyText(key, LABEL_LETTERS);
  const rest = keyText(key, Number.POSITIVE_INFINITY).slice(shared);
  return rest.length > LABEL_LETTERS - 1 ? `…${rest.slice(0, LABEL_LETTERS - 2)}…` : `…${rest}`;
}

function place(x: number, label: string, left: number, right: number): AxisTick {
  const half = (label.length * LETTER_WIDTH) / 2;
  if (x - half < left - 20) return { x, label, anchor: 'start' };
  if (x + half > right + 16) return { x, label, anchor: 'end' };
  return { x, label, anchor: 'middle' };
}

function startOf({ x, label, anchor }: AxisTick): number {
  const width = label.length * LETTER_WIDTH;
  if (anchor === 'start') return x;
  return anchor === 'end' ? x - width : x - width / 2;
}
