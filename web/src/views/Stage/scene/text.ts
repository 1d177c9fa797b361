/** Widths of letters in the widest of the page's fonts [parts of the font size]. */
const NARROW = /[ijlI.,:;'|!·()[\] ]/;
const SLIM = /[frt"\-/\\*–]/;
const WIDE = /[mwMW%=×▲→…@+]/;

function letterWidth(letter: string): number {
  if (NARROW.test(letter)) return 0.34;
  if (SLIM.test(letter)) return 0.43;
  if (WIDE.test(letter)) return 0.92;
  if (letter >= 'A' && letter <= 'Z') return 0.72;
  return letter <= '\u02ff' ? 0.635 : 1;
}

const widths = new Map<string, number>();
const WIDTHS_MAX = 4000;

/** Width that `text` takes at `unit` pixels, a little generous [px]. */
export function textWidth(text: string, unit: number): number {
  let width = widths.get(text);
  if (width === undefined) {
    width = [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
    if (widths.size >= WIDTHS_MAX) widths.clear();
    widths.set(text, width);
  }
  return width * unit;
}

/** As {@link textWidth}, in bold. */
export function boldWidth(text: string, unit: number): number {
  return textWidth(text, unit) * 1.12;
}

/** As {@link textWidth}, in the font of keys: its letters are 0.6 wide, and some machines draw them whole pixels wide. */
export function keyWidth(text: string, unit: number): number {
  return [...text].length * Math.max(unit * 0.605, Math.round(unit * 0.6));
}

/** The first of several wordings, from the longest to the shortest, that fits into `width`; empty when none does. */
export function fitting(wordings: readonly string[], width: number, unit: number): string {
  return wordings.find((wording) => textWidth(wording, unit) <= width) ?? '';
}
