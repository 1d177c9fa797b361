/**
 * How many columns a character takes. The terminal and the line editor both ask here, so that they
 * never disagree about where the cursor is.
 */
export function codePointWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x20) return 0;
  if (codePoint < 0x7f) return 1;
  if (codePoint < 0xa0) return 0;
  if (codePoint < 0x300) return codePoint === 0xad ? 0 : 1;
  if (codePoint >= 0xd800 && codePoint < 0xe000) return 1;
  const character = String.fromCodePoint(codePoint);
  if (ZERO.test(character)) return 0;
  return isWide(codePoint) || EMOJI.test(character) ? 2 : 1;
}

const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3040, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

function isWide(codePoint: number): boolean {
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** A place on the screen, counted from where the text begins. */
export interface Place {
  row: number;
  column: number;
}

/** The place of the cursor after `text` that begins in `column`, on a screen of `columns`. */
export function placeAfter(text: string, column: number, columns: number): Place {
  let place = { row: 0, column };
  for (const character of text) {
    const width = codePointWidth(character.codePointAt(0) ?? 0);
    if (place.column + width > columns) place = { row: place.row + 1, column: 0 };
    place.column += width;
  }
  return place.column >= columns ? { row: place.row + 1, column: 0 } : place;
}
