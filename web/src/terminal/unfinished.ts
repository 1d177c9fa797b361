// Whether a line goes on: the rules of the engine's lexer (console/src/language/lexer.rs), which the terminal needs before
// the engine has answered. `tests/fixtures/lines.json` and a test on random lines compare the two.

/** The statement that is read. */
interface Statement {
  /** Its parts: words, and what separates the parts of a batch. */
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

/** The end of a statement, or of a part of a batch. */
const END = /^[;\n]/;

/** A comma that ends a part of a batch. */
const COMMA = /^,(?=$|;|\p{White_Space})/u;

/** A line break that a backslash hides. */
const CONTINUED = /^\\(?:$|\r?\n)/;

/** A comment where a statement begins, and one after its words. */
const FIRST_COMMENT = /^#[^\n]*/;
const COMMENT = /^#(?=$|\p{White_Space})[^\n]*/u;

/** An escape: a byte, a name, or any character that is no letter and no digit. */
const ESCAPE = String.raw`\\(?:x[0-9a-fA-F]{2}|[ntr0]|[^\p{Alphabetic}\p{N}])`;
const QUOTED = String.raw`"(?:[^"\\]|${ESCAPE})*"|'(?:[^'\\]|${ESCAPE})*'`;
const wordOf = (letter: string) =>
  new RegExp(String.raw`^(?:${QUOTED}|(?!\\(?:$|\r?\n))${ESCAPE}|${letter})+`, 'su');

/** A word, and one in a batch: there a comma may end it. */
const LETTER = String.raw`[^;"'\\\p{White_Space}]`;
const WORD = wordOf(LETTER);
const BATCH_WORD = wordOf(String.raw`(?!,(?:$|;|\p{White_Space}))${LETTER}`);

/** A word of bytes. */
const HEX_WORD = /^0x(?:[0-9a-fA-F]{2})+$/;

/**
 * Whether a command goes on in the next line: it ends in a backslash, or a brace of a batch or of compare is open. An open quote is
 * a mistake, which the engine reports when it runs the line; so is a wrong escape.
 */
export function isUnfinished(text: string): boolean {
  const statement: Statement = { tokens: 'none', verb: '', inBatch: false, depth: 0 };
  let rest = text;
  const take = (form: RegExp): string => {
    const [found = ''] = form.exec(rest) ?? [];
    rest = rest.slice(found.length);
    return found;
  };
  while (rest !== '') {
    const isBatch = statement.verb === 'batch' && statement.tokens !== 'none';
    if (take(END)) {
      if (statement.inBatch) statement.tokens = 'several';
      else if (statement.depth === 0) statement.tokens = 'none';
    } else if (isBatch && take(COMMA)) {
      statement.tokens = 'several';
    } else if (take(CONTINUED)) {
      if (rest === '') return true;
    } else if (!take(statement.tokens === 'none' ? FIRST_COMMENT : COMMENT) && !take(SPACE)) {
      const word = take(isBatch ? BATCH_WORD : WORD);
      const isWrong = /^["'\\]/.test(rest) && !CONTINUED.test(rest);
      const isHex = word.startsWith('0x') && !/["'\\]/.test(word);
      if (isWrong || (isHex && !HEX_WORD.test(word))) return false;
      addWord(statement, isHex || /["'\\]/.test(word) ? '' : word);
    }
  }
  return statement.inBatch || statement.depth > 0;
}

/** Adds a word, which is empty when it has quotes or escapes, or is one of bytes. */
function addWord(statement: Statement, shown: string): void {
  const isFirst = statement.tokens === 'none';
  if (statement.depth > 0) {
    // Of the commands of compare only the braces count.
    if (shown === '{') statement.depth += 1;
    if (shown === '}') statement.depth -= 1;
    return;
  }
  if (shown === '{' && statement.verb === 'compare' && !isFirst) {
    statement.depth = 1;
    return;
  }
  if (shown === '{' && statement.verb === 'batch' && statement.tokens === 'one') {
    statement.inBatch = true;
  }
  if (shown === '}') statement.inBatch = false;
  if (isFirst) statement.verb = shown.toLowerCase();
  statement.tokens = isFirst ? 'one' : 'several';
}
