import type { ShownKey } from '../../../model/engine.generated';
import { compareKeys, keyId, keyText } from '../../../model/keys';
import { countBefore } from '../../../model/search';
import { clamp } from './geometry';
import { keyWidth } from './text';

/** A labelled key of the axis. */
export interface AxisTick {
  x: number;
  label: string;
  anchor: 'start' | 'middle' | 'end';
}

/** `rank`: the bounds of tables evenly apart. `position`: as far apart as their bytes are. */
export type KeyScale = 'rank' | 'position';

/** The one key axis of all levels. */
export interface KeyAxis {
  /** Place of a key [px]; a key that is no bound lies between its neighbours. */
  x(key: ShownKey): number;
  /** Its colour: an angle that grows with its place. */
  hue(key: ShownKey): number;
  /** Room between two neighbours where keys stand evenly apart [px]. */
  slot: number;
  /** A key as a label, without a long common prefix of all keys. */
  label(key: ShownKey): string;
  ticks: AxisTick[];
  /** Distinct bounds. */
  size: number;
}

interface Place {
  left: number;
  right: number;
  /** Size of the labels [px]. */
  unit: number;
}

export const LABEL_LETTERS = 14;
const TICKS_MAX = 9;

/** Makes the axis from all bounds, in any order and with repetitions. */
export function keyAxis(bounds: readonly ShownKey[], place: Place & { scale: KeyScale }): KeyAxis {
  const keys = distinct(bounds);
  const { from, to, pad } = endsOf(place);
  const at = place.scale === 'rank' ? byRank(keys) : byPosition(keys);
  const x = (key: ShownKey) => {
    const share = at(key);
    if (share < 0) return place.left + pad / 2;
    if (share > 1) return place.right - pad / 2;
    return from + share * (to - from);
  };
  const hue = (key: ShownKey) => hueAt((x(key) - from) / Math.max(to - from, 1));
  const slot = (to - from) / Math.max(keys.length - 1, 1);
  const text = (key: ShownKey) => keyText(key, Number.POSITIVE_INFINITY);
  const shared = sharedLetters(keys, text);
  const label = (key: ShownKey) => labelOf(text(key), shared, keyText(key, LABEL_LETTERS));
  return { x, hue, slot, label, ticks: ticksOf(keys, x, label, place), size: keys.length };
}

/** The first and the last place of a bound: keys beyond them have some room at both ends. */
export function endsOf({ left, right, unit }: Place) {
  const pad = unit * 0.5;
  return { from: left + pad, to: right - pad, pad };
}

/** The colour at a share of the axis. */
export function hueAt(share: number): number {
  return Math.round(HUE_FIRST + HUES * clamp(share, 0, 1));
}

/** From a blue green over violet to orange [degrees]. */
const HUE_FIRST = 205;
const HUES = 235;

function distinct(bounds: readonly ShownKey[]): ShownKey[] {
  const seen = new Map<string, ShownKey>();
  for (const key of bounds) seen.set(keyId(key), key);
  return [...seen.values()].sort(compareKeys);
}

type Share = (key: ShownKey) => number;

/** Less than 0 before the first key, more than 1 after the last one. */
function byRank(keys: readonly ShownKey[]): Share {
  const last = Math.max(keys.length - 1, 1);
  const ranks = new Map(keys.map((key, rank) => [keyId(key), rank]));
  return (key) => {
    const known = ranks.get(keyId(key));
    if (known !== undefined) return known / last;
    const rank = countBefore(keys, (other) => compareKeys(other, key) < 0);
    const [below, above] = [keys[rank - 1], keys[rank]];
    if (!below) return -1;
    if (!above) return 2;
    return (rank - 1 + fraction(below, key, above)) / last;
  };
}

function byPosition(keys: readonly ShownKey[]): Share {
  const first = keys[0];
  const last = keys[keys.length - 1];
  return (key) => {
    if (!first || !last) return 0;
    if (compareKeys(key, first) < 0) return -1;
    if (compareKeys(key, last) > 0) return 2;
    return first === last ? 0 : fraction(first, key, last);
  };
}

/** How far `key` lies between two others, by the bytes after those that both begin with. */
function fraction(from: ShownKey, key: ShownKey, to: ShownKey): number {
  let shared = 0;
  while (shared < from.head.length && from.head[shared] === to.head[shared]) shared += 1;
  const [low, middle, high] = [from, key, to].map(({ head }) => numberAt(head, shared));
  if (low === undefined || middle === undefined || high === undefined) return 0;
  return high > low ? clamp((middle - low) / (high - low), 0, 1) : 0;
}

/** Bytes from `at` on as digits after the point: so many that neighbours differ. */
const DIGITS = 6;

function numberAt(head: string, at: number): number {
  let number = 0;
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const code = at + digit < head.length ? head.charCodeAt(at + digit) + 1 : 0;
    number = number * 257 + code;
  }
  return number;
}

/** Labels of some of the keys, in order, as many as have room. */
export function ticksOf<Key>(
  keys: readonly Key[],
  x: (key: Key) => number,
  label: (key: Key) => string,
  place: Place,
): AxisTick[] {
  const { left, right, unit } = place;
  const fits = Math.max(2, Math.floor((right - left) / (unit * 6.5)));
  const wanted = Math.min(keys.length, fits, TICKS_MAX);
  const out: AxisTick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  let next = 0;
  for (let index = 0; index < wanted; index += 1) {
    const target = left + ((right - left) * index) / Math.max(wanted - 1, 1);
    next = nearest(keys, x, next, target);
    const key = keys[next];
    if (!key) break;
    next += 1;
    const tick = labelled(x(key), label(key), place);
    const start = startOf(tick, unit);
    // Keys that differ only after the letters that are shown would have equal labels.
    if (start < free || tick.label === out.at(-1)?.label) continue;
    out.push(tick);
    free = start + keyWidth(tick.label, unit) + unit;
  }
  return out;
}

/** The key from number `from` on that is nearest to a place. */
function nearest<Key>(
  keys: readonly Key[],
  x: (key: Key) => number,
  from: number,
  target: number,
): number {
  const away = (index: number) => {
    const key = keys[index];
    return key !== undefined ? Math.abs(x(key) - target) : Number.POSITIVE_INFINITY;
  };
  let best = from;
  while (away(best + 1) < away(best)) best += 1;
  return best;
}

/** The common prefix of all keys, when its length would hide the difference. */
export function sharedLetters<Key>(keys: readonly Key[], text: (key: Key) => string): string {
  const [first, last] = [keys[0], keys.at(-1)].map((key) => (key === undefined ? '' : text(key)));
  if (!first || !last) return '';
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return keys.length > 1 && length > 5 ? first.slice(0, length) : '';
}

/** `customer:00042`, or `…00042` when all keys begin with `customer:`; `short`: the key without that. */
export function labelOf(text: string, shared: string, short: string): string {
  if (shared === '' || !text.startsWith(shared)) return short;
  const rest = text.slice(shared.length);
  return rest.length > LABEL_LETTERS - 1 ? `…${rest.slice(0, LABEL_LETTERS - 2)}…` : `…${rest}`;
}

function labelled(x: number, label: string, { left, right, unit }: Place): AxisTick {
  const half = keyWidth(label, unit) / 2;
  if (x - half < left) return { x, label, anchor: 'start' };
  if (x + half > right + unit * 0.5) return { x, label, anchor: 'end' };
  return { x, label, anchor: 'middle' };
}

/** Where the label of a tick begins. */
export function startOf({ x, label, anchor }: AxisTick, unit: number): number {
  const width = keyWidth(label, unit);
  if (anchor === 'start') return x;
  return anchor === 'end' ? x - width : x - width / 2;
}
