/** What a terminal reports for each key. */
const REPORTS = {
  enter: ['\r', '\n'],
  tab: ['\t'],
  backspace: ['\x7f', '\b'],
  delete: ['\x04', '\x1b[3~'],
  left: ['\x02', '\x1b[D', '\x1bOD'],
  right: ['\x06', '\x1b[C', '\x1bOC'],
  up: ['\x10', '\x1b[A', '\x1bOA'],
  down: ['\x0e', '\x1b[B', '\x1bOB'],
  home: ['\x01', '\x1b[H', '\x1bOH', '\x1b[1~'],
  end: ['\x05', '\x1b[F', '\x1bOF', '\x1b[4~'],
  wordLeft: ['\x1b[1;5D', '\x1b[1;3D', '\x1bb'],
  wordRight: ['\x1b[1;5C', '\x1b[1;3C', '\x1bf'],
  killToEnd: ['\x0b'],
  killToStart: ['\x15'],
  killWord: ['\x17', '\x1b\x7f'],
  killWordAfter: ['\x1bd'],
  yank: ['\x19'],
  search: ['\x12'],
  cancel: ['\x03'],
  clearScreen: ['\x0c'],
  escape: ['\x1b'],
} as const;

type NamedKey = keyof typeof REPORTS;

/** A key as the line editor reads it. */
export type Key = { key: 'text'; text: string } | { key: NamedKey };

const NAMED: ReadonlyMap<string, NamedKey> = new Map(
  Object.entries(REPORTS).flatMap(([key, reports]) =>
    reports.map((report) => [report, key as NamedKey] as const),
  ),
);

/** An escape sequence, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const PIECE = /\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z]|[a-z\x7f])?|[^\x1b]/gu;

/** The keys in what a terminal reports as typed. Sequences that mean nothing here are dropped. */
export function parseKeys(data: string): Key[] {
  const keys: Key[] = [];
  for (const [piece] of data.matchAll(PIECE)) {
    const named = NAMED.get(piece);
    const last = keys[keys.length - 1];
    if (named) keys.push({ key: named });
    else if (piece < ' ' || /^[\x80-\x9f]/.test(piece)) continue;
    else if (last?.key === 'text') last.text += piece;
    else keys.push({ key: 'text', text: piece });
  }
  return keys;
}
