/**
 * Whether a command goes on in the next line: it ends in a backslash, or a brace is open. Quotes,
 * escapes and comments are seen as the command language sees them.
 */
export function isUnfinished(text: string): boolean {
  let depth = 0;
  let quote = '';
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') {
      if (at === text.length - 1) return quote === '';
      at += 2;
      continue;
    }
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '#' && /^$|\s$/.test(text.slice(0, at))) {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      at = end;
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
    }
    at += 1;
  }
  return depth > 0;
}
