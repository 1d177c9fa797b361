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

/** An action for the surroundings of the editor. */
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
      return done(inserted(state, state.text === '' ? withoutSlash(key.text) : key.text));
    case 'search':
      return done({ ...state, search: { query: '', index: history.length } });
    case 'up':
      return done(recalled(state, state.at - 1, history));
    case 'down':
      return done(recalled(state, state.at + 1, history));
    case 'yank':
      return done(inserted(state, state.killed));
    default:
      return { state: changed(state, key.key), effect: EFFECTS[key.key] ?? 'none' };
  }
}

/** Keys that leave the line as it is. */
const EFFECTS: Readonly<Partial<Record<Key['key'], EditorAction>>> = {
  enter: 'submit',
  tab: 'complete',
  cancel: 'cancel',
  escape: 'leave',
  clearScreen: 'clearScreen',
};

type Move = (text: string, cursor: number) => number;
const toStart: Move = () => 0;
const toEnd: Move = (text) => text.length;

/** Where each key moves the cursor. */
const MOVES: Readonly<Partial<Record<Key['key'], Move>>> = {
  left: letterBefore,
  right: letterAfter,
  home: toStart,
  end: toEnd,
  wordLeft: wordBefore,
  wordRight: wordAfter,
};

/** Up to where each key cuts text out, and whether that is kept for another place. */
const CUTS: Readonly<Partial<Record<Key['key'], readonly [to: Move, keep: boolean]>>> = {
  backspace: [letterBefore, false],
  delete: [letterAfter, false],
  killToEnd: [toEnd, true],
  killToStart: [toStart, true],
  killWord: [wordBefore, true],
  killWordAfter: [wordAfter, true],
};

function changed(state: EditorState, key: Key['key']): EditorState {
  const { text, cursor } = state;
  const move = MOVES[key];
  if (move) return { ...state, cursor: move(text, cursor) };
  const [to, keep] = CUTS[key] ?? [];
  if (!to) return state;
  const end = to(text, cursor);
  return without(state, Math.min(end, cursor), Math.max(end, cursor), keep === true);
}

/** The beginning of a line without the key `/` that leads into the terminal: no command begins with it. */
export function withoutSlash(text: string): string {
  return text.replace(/^\/+/, '');
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
