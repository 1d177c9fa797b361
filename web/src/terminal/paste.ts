import { isUnfinished } from './unfinished';

/** Longest text that is taken from the clipboard [bytes of UTF-8]. */
const PASTE_BYTES_MAX = 64 * 1024;

/** The use of a pasted text. */
export type Pasted =
  | { kind: 'refused'; why: string }
  /** Goes into the line being typed. */
  | { kind: 'text'; text: string }
  /** Whole commands, to be run one by one after asking. */
  | { kind: 'lines'; lines: string[] };

/** Takes a text from the clipboard apart: controls go, line ends separate commands. */
export function readPaste(raw: string): Pasted {
  const bytes = new TextEncoder().encode(raw).length;
  if (bytes > PASTE_BYTES_MAX) {
    const why = `the pasted text has ${bytes} bytes; at most ${PASTE_BYTES_MAX} can be pasted`;
    return { kind: 'refused', why };
  }
  const clean = raw
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '');
  if (!clean.includes('\n')) return { kind: 'text', text: clean };
  const lines = commands(clean.split('\n'));
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && !only.includes('\n')) {
    return { kind: 'text', text: only };
  }
  return { kind: 'lines', lines };
}

/** Joins the lines of one command; drops blank ones. */
function commands(lines: readonly string[]): string[] {
  const out: string[] = [];
  let open = '';
  for (const line of lines) {
    const whole = open === '' ? line : `${open}\n${line}`;
    if (isUnfinished(whole)) {
      open = whole;
    } else {
      if (whole.trim() !== '') out.push(whole);
      open = '';
    }
  }
  if (open.trim() !== '') out.push(open);
  return out;
}
