import { cutInside } from '../../../model/keys';
import { count } from '../../../model/words';
import type { Letters, Word } from './cells';
import { BESIDE, GAP, INSET, insetOf } from './columns';
import { type Box, clamp } from './geometry';
import type { Inside, Line, TablePart } from './inside';
import { fitting, keyWidth, textWidth } from './text';

/** A part of an opened table beside its blocks, such as its filter. */
interface Part {
  id: string;
  kind: string;
  box: Box;
  /** The bits of the filter that are set, and the others. */
  dots: { set: string; unset: string } | null;
  label: string;
}

/** Of those with words: shares of the width, and the most of it [px]. */
const SHARES: Readonly<Record<string, readonly [share: number, most: number]>> = {
  ...{ filter: [0.14, 140], index: [0.15, 180], footer: [0.15, 150] },
};
/** Narrower tables have no words in these parts [px]. */
const WORDED_MIN = 520;

/** What is beside the blocks at the right end, in the order of the file; narrow beside an opened block. */
export function partsOf(
  { object, block, parts: all }: Inside,
  body: Box,
  letters: Letters,
): { shapes: Part[]; words: Word[] } {
  const words: Word[] = [];
  const hasWords = block === null && body.w >= WORDED_MIN;
  const widths = all.map(({ kind }) => {
    const [share, most] = (hasWords && SHARES[kind]) || [1, BESIDE];
    return Math.min(body.w * share, most);
  });
  let x = body.x + body.w + GAP - widths.reduce((sum, w) => sum + w + GAP, 0);
  const shapes = all.map(({ kind, name, path, filter, ...part }, at): Part => {
    const box = { ...body, x, w: widths[at] ?? BESIDE };
    x += box.w + GAP;
    const inner = insetOf(box, INSET);
    const isWorded = hasWords && kind in SHARES;
    const lines = filter ? filterLines(filter.wordings, inner.w, letters) : part.lines;
    words.push(
      ...(isWorded ? wordsOf({ kind, name }, lines, inner, letters) : turned(name, box, letters)),
    );
    const below = (1 + lines.length) * letters.line;
    return {
      id: `${object}/${path}`,
      ...{ kind, box },
      dots:
        filter && isWorded
          ? dotsOf(filter.bits, { ...inner, y: inner.y + below, h: inner.h - below })
          : null,
      label: [name, ...(filter?.wordings.slice(0, 1) ?? [])].join(', '),
    };
  });
  return { shapes, words };
}

function filterLines(wordings: readonly string[], width: number, { unit }: Letters): Line[] {
  const line = fitting(wordings, width, unit);
  return line === '' ? [] : [{ name: line, tail: '' }];
}

/** The name of a narrow part, from its top to its bottom, as far as it has room. */
function turned(name: string, { x, y, w, h }: Box, { unit }: Letters): Word[] {
  const fitted = cutTo({ name, tail: '' }, (text) => textWidth(text, unit) <= h - 16);
  const place = { x: x + w / 2 - unit * 0.36, y: y + 8, anchor: 'start', isTurned: true } as const;
  return fitted.map((text) => ({ of: 'more', text, ...place }));
}

/** The name of a part, and its lines, as many as have room; the rest is counted. */
function wordsOf(
  { kind, name }: Pick<TablePart, 'kind' | 'name'>,
  lines: readonly Line[],
  { x, y, w, h }: Box,
  { unit, line }: Letters,
): Word[] {
  const of = kind === 'index' ? 'key' : 'more';
  const widthOf = of === 'key' ? keyWidth : textWidth;
  const fitted = lines.flatMap((each) => cutTo(each, (text) => widthOf(text, unit) <= w));
  // What hangs below the last baseline may stand in the inset.
  const room = Math.max(Math.floor(h / line + 0.28) - 1, 0);
  const isWhole = fitted.length === lines.length && fitted.length <= room;
  const shown = isWhole ? fitted : fitted.slice(0, Math.max(room - 1, 0));
  const hidden = lines.length - shown.length;
  const all = hidden > 0 && room > 0 ? [...shown, `+${count(hidden)}`] : shown;
  const baseline = (at: number) => y + line * (at + 0.72);
  return [
    { of: 'name', text: name, x, y: baseline(0), anchor: 'start' },
    ...all.map((text, at): Word => ({ of, text, x, y: baseline(at + 1), anchor: 'start' })),
  ];
}

/** A line with as much of its name as has room. */
function cutTo({ name, tail }: Line, fits: (text: string) => boolean): string[] {
  for (let letters = [...name].length; letters > 0; letters -= 1) {
    const text = cutInside(name, letters) + tail;
    if (fits(text)) return [text];
  }
  return [];
}

/** Dots closer than this cannot be told apart [px]. */
const DOT_MIN = 3;
const DOT_MAX = 11;

/** The bits of a filter from left to right, row by row, as squares; `null`: they are too many. */
function dotsOf(bytes: Uint8Array, { x, y, w, h }: Box): Part['dots'] {
  const bits = bytes.length * 8;
  let pitch = clamp(Math.sqrt((w * Math.max(h, 0)) / Math.max(bits, 1)), 0, DOT_MAX);
  while (pitch >= DOT_MIN && Math.floor(w / pitch) * Math.floor(h / pitch) < bits) pitch -= 0.25;
  if (bits === 0 || pitch < DOT_MIN) return null;
  const columns = Math.floor(w / pitch);
  const side = (pitch * 0.7).toFixed(2);
  const dots = { set: '', unset: '' };
  for (let bit = 0; bit < bits; bit += 1) {
    const isSet = (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
    const left = (x + (bit % columns) * pitch).toFixed(2);
    const top = (y + Math.floor(bit / columns) * pitch).toFixed(2);
    dots[isSet ? 'set' : 'unset'] += `M${left} ${top}h${side}v${side}h-${side}z`;
  }
  return dots;
}
