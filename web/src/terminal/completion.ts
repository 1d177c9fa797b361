import type { Completion } from '../model/engine.generated';
import { type EditorState, replaced } from './editor';

const CHOICES_MAX = 60;

/**
 * Inserts the common beginning of all `items`; a single item is followed by a space. `choices` are shown below the line when
 * several fit.
 */
export function completeLine(
  state: EditorState,
  items: readonly Completion[],
): { state: EditorState; choices: string[] } {
  const first = items[0];
  if (!first) return { state, choices: [] };
  const same = items.filter((item) => item.from === first.from);
  if (same.length === 1) {
    const space = state.text[state.cursor] === ' ' ? '' : ' ';
    return { state: replaced(state, first.from, first.text + space), choices: [] };
  }
  const shared = same.map((item) => item.text).reduce(commonStart);
  const typed = state.text.slice(first.from, state.cursor);
  if (shared.length > typed.length) {
    return { state: replaced(state, first.from, shared), choices: [] };
  }
  const shown = same.slice(0, CHOICES_MAX).map((item) => item.text);
  const more = same.length - shown.length;
  return { state, choices: more > 0 ? [...shown, `… ${more} more`] : shown };
}

function commonStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}

/** Choices in columns, as lines of at most `columns` letters. */
export function inColumns(choices: readonly string[], columns: number): string[] {
  const width = Math.max(...choices.map((choice) => choice.length), 1) + 2;
  const perLine = Math.max(1, Math.floor(columns / width));
  const lines: string[] = [];
  for (let from = 0; from < choices.length; from += perLine) {
    const row = choices.slice(from, from + perLine).map((choice) => choice.padEnd(width));
    lines.push(row.join('').trimEnd());
  }
  return lines;
}
