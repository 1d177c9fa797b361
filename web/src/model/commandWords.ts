// Words of the command language for what users named and typed: keys, names of files and branches, the text of a field.
// All text is quoted here before it becomes part of a command, so that it can neither end the command nor act as an option.

import type { Fact, ShownKey } from './engine.generated';
import { escapeBytes, headBytes } from './keys';

/** A word that needs no quotes. */
const PLAIN_WORD = /^(?!0x)[A-Za-z0-9_.:/@][A-Za-z0-9_.:/@+=-]*$/;

/** Of a field: also options and comparisons, which its owner may mean. */
const PLAIN_FIELD = /^[^\s;"'\\#{}]+$/;

/** A word as it is typed: its quotes are closed, and hold spaces together. A quote that is never closed is a letter. */
const TYPED_WORD = /(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\\[\s\S]|[^\s"'\\]|["'\\])+/g;

/** A word that is quoted from end to end. */
const QUOTED_WORD = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')$/;

/** Bytes as a word of the command language. */
export function wordOfBytes(bytes: Uint8Array): string {
  return wordOfText(escapeBytes(bytes));
}

/** Text that is escaped as keys are shown (`\xNN`, `\\`), as a word. */
export function wordOfText(shown: string): string {
  return PLAIN_WORD.test(shown) ? shown : quoted(shown);
}

/** Literal text as a word. */
export function wordOfName(name: string): string {
  return wordOfText(name.replaceAll('\\', '\\\\'));
}

/** The text of a field for the words of one command, quoted where needed: nothing in it ends the command. */
export function wordsOfField(text: string): string {
  const typed = text.match(TYPED_WORD) ?? [];
  return typed
    .map((word) => (PLAIN_FIELD.test(word) || QUOTED_WORD.test(word) ? word : quoted(word)))
    .join(' ');
}

/** One word of a line, and whether it stands there without quotes and escapes: only then can it be an option. */
export type Typed = NonNullable<ReturnType<typeof wordsOfLine>>[number];

/** Characters that need quotes in a word. */
const GUARDED = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|\\([\s\S])/g;

/** The words of a line that is one command; `null` when it is several, or one that goes on in the next line. */
export function wordsOfLine(line: string) {
  const text = line.trim();
  if (/[;\n]/.test(text.replace(GUARDED, ''))) return null;
  return (text.match(TYPED_WORD) ?? []).map((word) => {
    const meant = word.replace(GUARDED, (_, double, single, escaped) =>
      (double ?? single ?? escaped).replace(/\\([\s\S])/g, '$1'),
    );
    return { text: meant, isBare: meant === word };
  });
}

/** In quotes. Escapes stay what they are; a backslash at the end is one. */
function quoted(text: string): string {
  const inside = text.replace(/\\[\s\S]|["\\]/g, (found) =>
    found.length > 1 ? found : `\\${found}`,
  );
  return `"${inside}"`;
}

/** A key of the engine as a word; `null` when it was cut. */
export function wordOfKey(key: ShownKey): string | null {
  if (key.bytes > key.head.length) return null;
  return wordOfBytes(headBytes(key));
}

/** The key of the entry that a part of a block holds, as a word; `null` for other keys of a block, and when it was cut. */
export function wordOfFact(fact: Fact | null): string | null {
  return fact?.fact === 'key' && fact.ofEntry ? wordOfKey(fact.key) : null;
}
