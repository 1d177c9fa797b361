/** One word, from `at` on: where it ends, and whether it has no quotes and escapes. */
interface WordEnd {
  end: number;
  bare: boolean;
}

/**
 * Whether a command goes on in the next line: it ends in a backslash, or the brace of a batch or of compare is open. An open quote is
 * a mistake, which the engine tells when the line is run.
 */
export function isUnfinished(text: string): boolean {
  let words = 0;
  let verb = '';
  let open = 0;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (/[;\n]/.test(character) && open === 0) words = 0;
    if (/[;\s]/.test(character)) {
      at += 1;
      continue;
    }
    if (character === '#') {
      const end = text.indexOf('\n', at);
      if (end < 0) return open > 0;
      at = end;
      continue;
    }
    const word = wordEnd(text, at);
    if (word === 'goes on') return true;
    const shown = word.bare ? text.slice(at, word.end) : '';
    if (words === 0) verb = shown.toLowerCase();
    // The commands of compare may have braces of their own.
    if (shown === '{' && (verb === 'compare' || (verb === 'batch' && words === 1))) open += 1;
    if (shown === '}') open = verb === 'batch' ? 0 : Math.max(open - 1, 0);
    words += 1;
    at = word.end;
  }
  return open > 0;
}

function wordEnd(text: string, from: number): WordEnd | 'goes on' {
  let quote = '';
  let bare = true;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') {
      if (at === text.length - 1) return quote === '' ? 'goes on' : { end: text.length, bare };
      bare = false;
      at += 2;
      continue;
    }
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (/["']/.test(character)) {
      quote = character;
      bare = false;
    } else if (/[;\s]/.test(character)) {
      break;
    }
    at += 1;
  }
  return { end: at, bare };
}
