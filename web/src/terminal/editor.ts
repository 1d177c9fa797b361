import { searchBack } from './history';
import type { Key } from './keys';
import { letterAfter, letterBefore, wordAfter, wordBefore } from './letters';

/** The line being typed. */
export interface EditorState {
  text: string;
  /** UTF-16 units before the cursor. */
  cursor: number;
  /** Line of the history on show; its length means the line being typed. */
  at: number;
  /** The line being typed, kept while a line of the history is shown. */
  draft: string;
  /** Cut out last. */
  killed: string;
  search: { query: string; index: number } | null;
}

/** What the surroundings of the editor have to do. */
type EditorAction = 'none' | 'submit' | 'complete' | 'cancel' | 'leave' | 'clearScreen';

interface Edited {
  state: EditorState;
  effect: EditorAction;
}

/** Longest line that can be typed or pasted [UTF-16 units]. */
export const LINE_MAX = 64 * 1024;

/** An empty line after the last line of `history`. */
export function emptyLine(history: readonly string[], killed = ''): EditorState {
  return { text: '', cursor: 0, at: history.length, draft: '', killed, search: null };
}

/** The line after one key. Pure. */
export function edit(state: EditorState, key: Key, history: readonly string[]): Edited {
  if (state.search) return searching(state, state.search, key, history);
  switch (key.key) {
    case 'text':
      return done(inserted(state, key.text));
    case 'enter':
      return { state, effect: 'submit' };
    case 'tab':
      return { state, effect: 'complete' };
    case 'cancel':
      return { state, effect: 'cancel' };
    case 'escape':
      return { state, effect: 'leave' };
    case 'clearScreen':
      return { state, effect: 'clearScreen' };
    case 'search':
      return done({ ...state, search: { query: '', index: history.length } });
    case 'up':
      return done(recalled(state, state.at - 1, history));
    case 'down':
      return done(recalled(state, state.at + 1, history));
    default:
      return done(moved(state, key.key) ?? cut(state, key.key));
  }
}

function done(state: EditorState): Edited {
  return { state, effect: 'none' };
}

/** The line with `text` put in at the cursor. */
export function inserted(state: EditorState, text: string): EditorState {
  const { cursor } = state;
  const room = Math.max(LINE_MAX - state.text.length, 0);
  const added = text.slice(0, room);
  const whole = state.text.slice(0, cursor) + added + state.text.slice(cursor);
  return { ...state, text: whole, cursor: cursor + added.length };
}

/** The line with everything from `from` to the cursor replaced. */
export function replaced(state: EditorState, from: number, text: string): EditorState {
  const start = Math.min(Math.max(from, 0), state.cursor);
  const whole = state.text.slice(0, start) + text + state.text.slice(state.cursor);
  return { ...state, text: whole, cursor: start + text.length };
}

function moved(state: EditorState, key: Key['key']): EditorState | null {
  const { text, cursor } = state;
  switch (key) {
    case 'left':
      return { ...state, cursor: letterBefore(text, cursor) };
    case 'right':
      return { ...state, cursor: letterAfter(text, cursor) };
    case 'home':
      return { ...state, cursor: 0 };
    case 'end':
      return { ...state, cursor: text.length };
    case 'wordLeft':
      return { ...state, cursor: wordBefore(text, cursor) };
    case 'wordRight':
      return { ...state, cursor: wordAfter(text, cursor) };
    default:
      return null;
  }
}

function cut(state: EditorState, key: Key['key']): EditorState {
  const { text, cursor } = state;
  switch (key) {
    case 'backspace':
      return without(state, letterBefore(text, cursor), cursor, false);
    case 'delete':
      return without(state, cursor, letterAfter(text, cursor), false);
    case 'killToEnd':
      return without(state, cursor, text.length, true);
    case 'killToStart':
      return without(state, 0, cursor, true);
    case 'killWord':
      return without(state, wordBefore(text, cursor), cursor, true);
    case 'killWordAfter':
      return without(state, cursor, wordAfter(text, cursor), true);
    case 'yank':
      return inserted(state, state.killed);
    default:
      return state;
  }
}

function without(state: EditorState, from: number, to: number, keep: boolean): EditorState {
  if (from >= to) return state;
  const { text } = state;
  const killed = keep ? text.slice(from, to) : state.killed;
  return { ...state, text: text.slice(0, from) + text.slice(to), cursor: from, killed };
}

function recalled(state: EditorState, at: number, history: readonly string[]): EditorState {
  if (at < 0 || at > history.length) return state;
  const draft = state.at === history.length ? state.text : state.draft;
  const text = at === history.length ? draft : (history[at] ?? '');
  return { ...state, text, cursor: text.length, at, draft };
}

function searching(
  state: EditorState,
  search: { query: string; index: number },
  key: Key,
  history: readonly string[],
): Edited {
  switch (key.key) {
    case 'text':
      return done(found(state, search.query + key.text, history.length, history));
    case 'backspace': {
      const query = search.query.slice(0, letterBefore(search.query, search.query.length));
      return done(found(state, query, history.length, history));
    }
    case 'search':
      return done(found(state, search.query, search.index, history));
    case 'cancel':
    case 'escape':
      return done({ ...state, search: null });
    default: {
      const line = history[search.index];
      const text = line ?? state.text;
      const taken = { ...state, text, cursor: text.length, search: null };
      return key.key === 'enter' ? done(taken) : edit(taken, key, history);
    }
  }
}

function found(
  state: EditorState,
  query: string,
  from: number,
  history: readonly string[],
): EditorState {
  const index = searchBack(history, query, from);
  const kept = state.search?.query === query ? state.search.index : history.length;
  return { ...state, search: { query, index: index < 0 ? kept : index } };
}
