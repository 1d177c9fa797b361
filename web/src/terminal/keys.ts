/** A key as the line editor reads it. */
export type Key =
  | { key: 'text'; text: string }
  | { key: 'enter' | 'tab' | 'backspace' | 'delete' | 'left' | 'right' | 'up' | 'down' }
  | { key: 'home' | 'end' | 'wordLeft' | 'wordRight' }
  | { key: 'killToEnd' | 'killToStart' | 'killWord' | 'killWordAfter' | 'yank' }
  | { key: 'search' | 'cancel' | 'clearScreen' | 'escape' };

const NAMED: Readonly<Record<string, Exclude<Key['key'], 'text'>>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'cancel',
  '\x04': 'delete',
  '\x05': 'end',
  '\x06': 'right',
  '\x0b': 'killToEnd',
  '\x0c': 'clearScreen',
  '\x0e': 'down',
  '\x10': 'up',
  '\x12': 'search',
  '\x15': 'killToStart',
  '\x17': 'killWord',
  '\x19': 'yank',
  '\x1b': 'escape',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1bOC': 'right',
  '\x1bOD': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1bOH': 'home',
  '\x1bOF': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[3~': 'delete',
  '\x1b[1;5C': 'wordRight',
  '\x1b[1;5D': 'wordLeft',
  '\x1b[1;3C': 'wordRight',
  '\x1b[1;3D': 'wordLeft',
  '\x1bb': 'wordLeft',
  '\x1bf': 'wordRight',
  '\x1bd': 'killWordAfter',
  '\x1b\x7f': 'killWord',
};

/** An escape sequence, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const PIECE = /\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z]|[a-z\x7f])?|[^\x1b]/gu;

/** The keys in what a terminal reports as typed. Sequences that mean nothing here are dropped. */
export function parseKeys(data: string): Key[] {
  const keys: Key[] = [];
  for (const [piece] of data.matchAll(PIECE)) {
    const named = NAMED[piece];
    const last = keys[keys.length - 1];
    if (named) keys.push({ key: named });
    else if (piece < ' ' || /^[\x80-\x9f]/.test(piece)) continue;
    else if (last?.key === 'text') last.text += piece;
    else keys.push({ key: 'text', text: piece });
  }
  return keys;
}
