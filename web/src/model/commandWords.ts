// Words of the command language for what users named: keys, names. Text that goes into a command goes through here, so that no
// key can end the command or be taken for an option.

import type { Fact, ShownKey } from './engine.generated';

/** A word that the console takes as it is. */
const PLAIN_WORD = /^(?!0x)[A-Za-z0-9_.:/][A-Za-z0-9_.:/-]*$/;

/** Bytes as a word of the command language. */
export function wordOfBytes(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  if (PLAIN_WORD.test(text)) return text;
  const escaped = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  return `"${escaped.join('')}"`;
}

/** Text that is escaped as keys are shown (`\xNN`, `\\`), as a word. */
export function wordOfText(shown: string): string {
  return PLAIN_WORD.test(shown) ? shown : `"${shown.replaceAll('"', '\\"')}"`;
}

/** A key of the engine as a word; `null` when it was cut. */
export function wordOfKey(key: ShownKey): string | null {
  if (key.bytes > key.head.length) return null;
  return wordOfBytes(Uint8Array.from(key.head, (letter) => letter.charCodeAt(0)));
}

/** The key that a part of a block holds, as a word. */
export function wordOfFact(fact: Fact | null): string | null {
  return fact?.fact === 'key' ? wordOfText(fact.shared + fact.suffix) : null;
}
