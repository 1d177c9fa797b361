// Sections of a document that programs write: each replaces its own, between two marks, and leaves the others alone; and
// their tables.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { path } from './lib.mjs';

const begin = (writer) => `<!-- written by ${writer} -->`;
const end = (writer) => `<!-- end of ${writer} -->`;

/** `document` with `text` as the section of `writer`, at its end where it has none yet. */
export function withSection(document, writer, text) {
  const section = `${begin(writer)}\n${text.trim()}\n${end(writer)}`;
  const from = document.indexOf(begin(writer));
  const to = document.indexOf(end(writer), from);
  if (from < 0 || to < 0) return `${document.trimEnd()}\n\n${section}\n`;
  return document.slice(0, from) + section + document.slice(to + end(writer).length);
}

/** Replaces the section of `writer` in a file. */
export function replaceSection(name, writer, text) {
  const file = path(name);
  const document = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(file, withSection(document, writer, text));
}

/** A number with commas. */
export const count = (number) => number.toLocaleString('en-US');

/** A table; all columns but the first are `numbers`. */
export const table = (head, rows, numbers = true) =>
  [head, head.map((_, index) => (index > 0 && numbers ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
