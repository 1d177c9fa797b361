import { followSign, type ObjectVersions } from '../../../model/followed';
import { keyId } from '../../../model/keys';
import { type Bead, newestOf } from './beads';
import type { Box } from './geometry';
import type { Caption, TableShape } from './tables';
import { keyWidth } from './text';

/** A followed version in words: its sign with its value, or the sign alone. */
export function versionTexts({ text, isRead }: ObjectVersions): readonly [string, string] {
  const sign = followSign(isRead);
  return [`${sign} ${text}`, sign];
}

/** The captions of a table that holds a version of the followed key: the version takes the place of the size. */
export function followedCaptions(
  { captions, box }: Pick<TableShape, 'captions' | 'box'>,
  held: ObjectVersions,
  unit: number,
): readonly Caption[] {
  const at = captions.findIndex(({ of }) => of === 'more');
  const more = captions[at];
  if (!more) return captions;
  const beside = captions.find(({ anchor, y }) => anchor === 'end' && y === more.y);
  const end = beside ? beside.x - keyWidth(beside.text, unit) : box.x + box.w;
  const width = end - more.x - unit * 0.5;
  const [whole, sign] = versionTexts(held);
  const text = keyWidth(whole, unit) <= width ? whole : sign;
  return captions.with(at, { ...more, of: 'version', text });
}

/** The sign of a followed version, and its value. */
export interface FollowWords {
  text: string;
  /** Left end and baseline [px]. */
  x: number;
  y: number;
}

/**
 * The sign of the followed version beside its bead, with its value where there is room up to the next bead; `null` in an
 * object without a bead of it.
 */
export function followWords(
  { beads, box }: { beads: readonly Bead[]; box: Box },
  sequences: ReadonlySet<number>,
  held: ObjectVersions,
  unit: number,
): FollowWords | null {
  const own = newestOf(beads, sequences);
  if (!own) return null;
  const { x, y, w, h } = own.box;
  const others = beads.filter(({ key }) => keyId(key) !== keyId(own.key)).map((bead) => bead.box);
  // An older version stands beside its newest one.
  const same = beads.filter(({ key }) => keyId(key) === keyId(own.key)).map((bead) => bead.box);
  const right = Math.max(x + w, ...same.map((each) => each.x + each.w)) + GAP;
  const left = Math.min(x, ...same.map((each) => each.x)) - GAP;
  const isFree = (from: number, to: number) =>
    from >= box.x + GAP &&
    to <= box.x + box.w - GAP &&
    others.every((other) => other.x + other.w < from || other.x > to);
  const texts = versionTexts(held);
  const baseline = y + h / 2 + unit * 0.36;
  for (const text of texts) {
    const width = keyWidth(text, unit) + GAP;
    if (isFree(right, right + width)) return { text, x: right, y: baseline };
    if (isFree(left - width, left)) return { text, x: left - width, y: baseline };
  }
  const [, sign] = texts;
  return { text: sign, x: x + w / 2 - keyWidth(sign, unit) / 2, y: baseline };
}

/** Between a bead and the words beside it [px]. */
const GAP = 3;
