/** Lines typed before, oldest first; kept across visits. */

import { keep, keptIn, type LineStore } from '../model/kept';

const STORE = 'levelscope.history';
const LINES_MAX = 500;
const LINE_LETTERS_MAX = 2000;

/** The lines of an earlier visit; a value that is not a list has none. */
export function loadHistory(store: LineStore | null): string[] {
  const kept = keptIn(store, STORE);
  if (!Array.isArray(kept)) return [];
  return kept.filter((line): line is string => typeof line === 'string').slice(-LINES_MAX);
}

/** The history with `line`; blank, overlong and repeated lines are left out. */
export function remember(history: readonly string[], line: string): string[] {
  const kept = line.trim() !== '' && line.length <= LINE_LETTERS_MAX && line !== history.at(-1);
  return kept ? [...history, line].slice(-LINES_MAX) : [...history];
}

/** Keeps the history for the next visit, if the browser lets it. */
export function saveHistory(store: LineStore | null, history: readonly string[]): void {
  keep(store, STORE, history);
}

/** The newest line before `from` that holds `query`; -1 when there is none. */
export function searchBack(history: readonly string[], query: string, from: number): number {
  if (query === '') return -1;
  for (let index = Math.min(from, history.length) - 1; index >= 0; index -= 1) {
    if (history[index]?.includes(query)) return index;
  }
  return -1;
}
