// Whether a line goes on: the rules of the engine's lexer (console/src/language/lexer.rs), which the terminal needs before
// the engine has answered. `tests/fixtures/lines.json` and a test on random lines compare the two.

/** The lexer's state in the statement at `at`. */
interface Lexer {
  readonly text: string;
  at: number;
  /** Parts of the statement: words, and what separates the parts of a batch. */
  tokens: 'none' | 'one' | 'several';
  /** The first word, when it has no quotes and escapes. */
  verb: string;
  /** Whether the brace of a batch is open. */
  inBatch: boolean;
  /** Open braces of the commands of compare. */
  depth: number;
}

/** White space as the engine knows it. */
const SPACE = /^\p{White_Space}/u;

/** The end of a part of a batch after a comma. */
const PART_END = /^(?:$|;|\p{White_Space})/u;

/** A line break that a backslash hides. */
const CONTINUED = /^\\(?:$|\r?\n)/;

/** An escape: a byte, a name, or any character that is no letter and no digit. */
const ESCAPE = /^\\(?:x[0-9a-fA-F]{2}|[ntr0]|[^\p{Alphabetic}\p{N}])/su;

/** A word of bytes. */
const HEX_WORD = /^0x(?:[0-9a-fA-F]{2})+$/;

/**
 * Whether a command goes on in the next line: it ends in a backslash, or a brace of a batch or of compare is open. An open quote is
 * a mistake, which the engine reports when it runs the line; so is a wrong escape.
 */
export function isUnfinished(text: string): boolean {
  const lexer: Lexer = { text, at: 0, tokens: 'none', verb: '', inBatch: false, depth: 0 };
  while (lexer.at < text.length) {
    const rest = text.slice(lexer.at);
    if (/^[;\n]/.test(rest)) {
      lexer.at += 1;
      if (lexer.inBatch) lexer.tokens = 'several';
      else if (lexer.depth === 0) lexer.tokens = 'none';
    } else if (isComma(lexer, rest)) {
      lexer.at += 1;
      lexer.tokens = 'several';
    } else if (CONTINUED.test(rest)) {
      lexer.at += CONTINUED.exec(rest)?.[0].length ?? 0;
      if (lexer.at === text.length) return true;
    } else if (
      rest.startsWith('#') &&
      (lexer.tokens === 'none' || /^#(?:$|\p{White_Space})/u.test(rest))
    ) {
      const end = text.indexOf('\n', lexer.at);
      lexer.at = end < 0 ? text.length : end;
    } else if (SPACE.test(rest)) {
      lexer.at += 1;
    } else if (!word(lexer)) {
      return false;
    }
  }
  return lexer.inBatch || lexer.depth > 0;
}

/** Whether a comma is here that ends a part of a batch. */
function isComma({ verb, tokens }: Lexer, rest: string): boolean {
  return (
    verb === 'batch' && tokens !== 'none' && rest.startsWith(',') && PART_END.test(rest.slice(1))
  );
}

/** Reads a word; `false` when it is wrong. */
function word(lexer: Lexer): boolean {
  const { text } = lexer;
  const start = lexer.at;
  let bare = true;
  while (lexer.at < text.length) {
    const rest = text.slice(lexer.at);
    if (/^(?:;|\p{White_Space})/u.test(rest) || CONTINUED.test(rest) || isComma(lexer, rest)) break;
    if (/^["'\\]/.test(rest)) {
      bare = false;
      const length = guarded(rest);
      if (length === 0) return false;
      lexer.at += length;
    } else {
      lexer.at += 1;
    }
  }
  let shown = bare ? text.slice(start, lexer.at) : '';
  if (shown.startsWith('0x')) {
    if (!HEX_WORD.test(shown)) return false;
    shown = '';
  }
  take(lexer, shown);
  return true;
}

/** Takes a word, which is empty when it has quotes or escapes. */
function take(lexer: Lexer, shown: string): void {
  const isFirst = lexer.tokens === 'none';
  if (lexer.depth > 0) {
    // Of the commands of compare only the braces count.
    if (shown === '{') lexer.depth += 1;
    if (shown === '}') lexer.depth -= 1;
    return;
  }
  if (shown === '{' && lexer.verb === 'compare' && !isFirst) {
    lexer.depth = 1;
    return;
  }
  if (shown === '{' && lexer.verb === 'batch' && lexer.tokens === 'one') lexer.inBatch = true;
  if (shown === '}') lexer.inBatch = false;
  if (isFirst) lexer.verb = shown.toLowerCase();
  lexer.tokens = isFirst ? 'one' : 'several';
}

/** The length of the escape or of the quoted text that `rest` begins with; 0 when it is wrong. */
function guarded(rest: string): number {
  if (rest.startsWith('\\')) return ESCAPE.exec(rest)?.[0].length ?? 0;
  const quote = rest.charAt(0);
  for (let at = 1; at < rest.length; ) {
    const character = rest.charAt(at);
    if (character === quote) return at + 1;
    const length = character === '\\' ? (ESCAPE.exec(rest.slice(at))?.[0].length ?? 0) : 1;
    if (length === 0) return 0;
    at += length;
  }
  return 0;
}
