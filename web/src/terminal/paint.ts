import type { OutputLine, Style } from '../model/engine.generated';
import { sanitize } from '../model/sanitize';
import { leadsSomewhere, parseSelection } from '../model/selection';
import type { EditorState } from './editor';
import type { LogEntry } from './session';
import { codePointWidth, placeAfter } from './width';

/*
 * Text for xterm.js. The control sequences in this file are the only ones that reach it: everything that
 * comes from outside passes through sanitize().
 */

const ESC = '\x1b';
const CSI = `${ESC}[`;
const RESET = `${CSI}0m`;

const COLOURS: Readonly<Record<Exclude<Style, object>, string>> = {
  plain: '',
  dim: `${CSI}90m`,
  strong: `${CSI}1m`,
  key: `${CSI}36m`,
  value: `${CSI}33m`,
  number: `${CSI}97m`,
  good: `${CSI}32m`,
  bad: `${CSI}91m`,
};

/** Links have the colours of their objects: names of the page's colours, from the first extended one of the terminal on. */
export const LINK_COLOURS = [
  { token: '--mem-text', of: ['memtable'] },
  { token: '--wal-text', of: ['wal'] },
  { token: '--l1', of: ['table'] },
  { token: '--dim', of: ['manifest', 'current', 'lock'] },
] as const;

/** Prefix of the addresses of links. */
export const LINK_SCHEME = 'levelscope:';

/** One line in as many rows as it takes, with its line end; a row ends between two words. */
export function paintLine({ spans }: OutputLine, columns: number): string {
  const safe = spans.map(({ text, style }) => ({ text: sanitize(text), style }));
  const whole = safe.map(({ text }) => text).join('');
  const indent = INDENT.exec(whole)?.[0].length ?? 0;
  const next = `\r\n${' '.repeat(indent < columns / 3 ? indent : 0)}`;
  const ends = rowEnds(whole, columns, next.length - 2);
  let start = 0;
  const painted = safe.map(({ text, style }) => {
    const end = start + text.length;
    let from = start;
    let data = '';
    for (const row of ends.filter(({ at }) => at >= start && at < end)) {
      data += `${paintSpan(whole.slice(from, row.at), style)}${next}`;
      from = row.begin;
    }
    start = end;
    return data + paintSpan(whole.slice(from, end), style);
  });
  return `${painted.join('')}\r\n`;
}

/** The first column of a line that has columns: the rows after its first begin below the second. */
const INDENT = /^ *(?:\S+(?: \S+)*)? {2,}/;

/** Where rows of `text` end, and the next ones begin, when all but the first are indented; the space between is left out. */
function rowEnds(text: string, columns: number, indent: number): { at: number; begin: number }[] {
  const ends: { at: number; begin: number }[] = [];
  let [width, space, index] = [0, -1, 0];
  for (const character of text) {
    const letter = codePointWidth(character.codePointAt(0) ?? 0);
    if (character === ' ') space = index;
    if (width + letter > columns) {
      const end = space < 0 ? { at: index, begin: index } : { at: space, begin: space + 1 };
      ends.push(end);
      width = indent + placeAfter(text.slice(end.begin, index), 0, Infinity).column;
      space = -1;
    }
    if (!(character === ' ' && space === -1)) width += letter;
    index += character.length;
  }
  return ends;
}

function paintSpan(safe: string, style: Style): string {
  if (safe === '') return '';
  if (typeof style !== 'object') {
    const colour = COLOURS[style] ?? '';
    return colour === '' ? safe : `${colour}${safe}${RESET}`;
  }
  if (!leadsSomewhere(style.link)) return safe;
  const kind = parseSelection(style.link)?.kind;
  const colour = LINK_COLOURS.findIndex(({ of }) => of.some((each) => each === kind));
  return `${ESC}]8;;${LINK_SCHEME}${style.link}${ESC}\\${colour < 0 ? `${CSI}94m` : `${CSI}38;5;${16 + colour}m`}${safe}${RESET}${ESC}]8;;${ESC}\\`;
}

/** One entry of the log. */
export function paintEntry(entry: LogEntry, columns: number): string {
  if (entry.kind === 'output') return paintLine(entry.line, columns);
  return `${paintPrompt(entry.prompt)}${sanitize(entry.text)}\r\n`;
}

function paintPrompt(prompt: string): string {
  return `${CSI}92m${sanitize(prompt)}${RESET}`;
}

/** Lines of the queue that are shown: a long one must not push the output off the screen. */
const WAITING_MAX = 5;

/** Paints the lines that were typed ahead, one row each, above the line being typed. */
export function paintWaiting(
  waiting: readonly string[],
  columns: number,
): { data: string; rows: number } {
  const shown = waiting.slice(0, WAITING_MAX).map((text) => `waiting: ${text}`);
  const more = waiting.length - shown.length;
  if (more > 0) shown.push(`… and ${more} more`);
  const rows = shown.map((text) => `${CSI}90m${fitting(sanitize(text), columns)}${RESET}\r\n`);
  return { data: rows.join(''), rows: rows.length };
}

/** The beginning of `text` that leaves the last column of a row free. */
function fitting(text: string, columns: number): string {
  let kept = '';
  for (const character of text) {
    if (placeAfter(`${kept}${character}…`, 0, columns).row > 0) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** Goes back to where the line being typed begins, so many rows above the cursor, and erases it. */
export function erase(rows: number): string {
  return `${rows > 0 ? `${CSI}${rows}A` : ''}\r${CSI}0J`;
}

/** Paints the line being typed and leaves the cursor where it belongs; `rows`: between its first one and the cursor. */
export function paintEditor(
  prompt: string,
  state: EditorState,
  history: readonly string[],
  columns: number,
): { data: string; rows: number } {
  const { search } = state;
  const shown = search ? `search: ${search.query}` : prompt;
  const typed = search ? '' : sanitize(state.text.slice(0, state.cursor));
  const after = sanitize(
    search ? `  ${history[search.index] ?? ''}` : state.text.slice(state.cursor),
  );
  const before = sanitize(shown) + typed;
  const end = placeAfter(before + after, 0, columns);
  const at = placeAfter(before, 0, columns);
  const text = `${paintPrompt(shown)}${typed}${search ? `${CSI}90m${after}${RESET}` : after}`;
  // A text that fills its last row leaves the cursor in that row until something follows.
  const wrap = end.column === 0 && end.row > 0 ? '\r\n' : '';
  const up = end.row > at.row ? `${CSI}${end.row - at.row}A` : '';
  const right = at.column > 0 ? `${CSI}${at.column}C` : '';
  return { data: `${text}${wrap}${up}\r${right}`, rows: at.row };
}
