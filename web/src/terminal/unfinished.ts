/** One word, from `at` on: where it ends, and whether it has no quotes and escapes. */
interface WordEnd {
  end: number;
  bare: boolean;
}

/**
 * Whether a command goes on in the next line: it ends in a backslash, or the brace of a batch is open. An open quote is
 * a mistake, which the engine tells when the line is run.
 */
export function isUnfinished(text: string): boolean {
  let words = 0;
  let isBatch = false;
  let inBlock = false;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (/[;\n]/.test(character) && !inBlock) words = 0;
    if (/[;\s]/.test(character)) {
      at += 1;
      continue;
    }
    if (character === '#') {
      const end = text.indexOf('\n', at);
      if (end < 0) return inBlock;
      at = end;
      continue;
    }
    const word = wordEnd(text, at);
    if (word === 'goes on') return true;
    const shown = word.bare ? text.slice(at, word.end) : '';
    if (words === 0) isBatch = shown.toLowerCase() === 'batch';
    if (shown === '{' && isBatch && words === 1) inBlock = true;
    if (shown === '}') inBlock = false;
    words += 1;
    at = word.end;
  }
  return inBlock;
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
