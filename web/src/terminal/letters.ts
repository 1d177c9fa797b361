/** Moving in a text by what people take for one letter, and by words. */

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Where the letter before `cursor` begins. */
export function letterBefore(text: string, cursor: number): number {
  let start = 0;
  for (const { index } of SEGMENTER.segment(text.slice(0, cursor))) start = index;
  return start;
}

/** Where the letter after `cursor` ends. */
export function letterAfter(text: string, cursor: number): number {
  for (const { segment } of SEGMENTER.segment(text.slice(cursor))) return cursor + segment.length;
  return text.length;
}

/** Where the word before `cursor` begins. */
export function wordBefore(text: string, cursor: number): number {
  const before = text.slice(0, cursor);
  return /\S*\s*$/.exec(before)?.index ?? 0;
}

/** Where the word after `cursor` ends. */
export function wordAfter(text: string, cursor: number): number {
  const word = /^\s*\S*/.exec(text.slice(cursor));
  return cursor + (word?.[0].length ?? 0);
}
