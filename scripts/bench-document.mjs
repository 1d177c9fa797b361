// What programs that measure write into documents: each replaces its own section, between two marks, and leaves the others alone.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { path, say } from './lib.mjs';

/** Replaces the section of `writer` in a file; at its end where it has none yet. */
export function writeSection(name, writer, text) {
  const [begin, end] = [`<!-- written by ${writer} -->`, `<!-- end of ${writer} -->`];
  const section = `${begin}\n${text.trim()}\n${end}`;
  const document = existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '';
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  writeFileSync(
    path(name),
    from < 0 || to < from
      ? `${document.trimEnd()}\n\n${section}\n`
      : document.slice(0, from) + section + document.slice(to + end.length),
  );
  say(`${name} is written.`);
}

/** A table; all columns but the first are `numbers`. */
export const table = (head, rows, numbers = true) =>
  [head, head.map((_, index) => (index > 0 && numbers ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** A number with commas. */
export const count = (number) => number.toLocaleString('en-US');

/** A ratio, for people; there may be none. */
export function ratio(number) {
  if (!Number.isFinite(number)) return '–';
  return number >= 10 ? number.toFixed(0) : number.toFixed(2);
}

/** The median of those values that there are. */
export function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
