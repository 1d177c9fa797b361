import type { ShownKey, ShownRange } from './engine.generated';

/**
 * Compares user keys bytewise, as far as they are carried. `head` holds one character a byte, so strings compare as
 * bytes do. Of keys with the same first `SHOWN_KEY_BYTES_MAX` bytes the shorter one comes first; 0 does not mean that
 * two such keys are equal: compare [`keyId`].
 */
export function compareKeys(left: ShownKey, right: ShownKey): number {
  if (left.head < right.head) return -1;
  if (left.head > right.head) return 1;
  return left.bytes - right.bytes;
}

/** A string that identifies a key: by length, by the bytes carried, and by the checksum of those that are not. */
export function keyId(key: ShownKey): string {
  return `${key.bytes}:${key.rest ?? ''}:${key.head}`;
}

/** The first bytes of a key, as far as they are carried. */
export const headBytes = (key: ShownKey): Uint8Array =>
  Uint8Array.from(key.head, (letter) => letter.charCodeAt(0));

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Texts of keys seen lately: a busy engine sends the same keys with every picture. */
const texts = new Map<string, string>();
const TEXTS_MAX = 4000;

/**
 * A key as text: UTF-8 where it is printable, `\xNN` for every other byte, cut to `limit` characters. The end stays as
 * far as it is known, because it distinguishes neighbouring long keys.
 */
export function keyText(key: ShownKey, limit = 40): string {
  const id = `${limit}:${keyId(key)}`;
  const known = texts.get(id);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_MAX) texts.clear();
  const text = makeText(key, limit);
  texts.set(id, text);
  return text;
}

/** The keys of a range delete, as an interval: the bracket of an end that is not included is round. */
export function rangeText({ begin, end }: ShownRange, limit = 40): string {
  const last = end === null ? 'end of all keys' : keyText(end, limit);
  return `[${keyText(begin, limit)}, ${last})`;
}

function makeText(key: ShownKey, limit: number): string {
  const bytes = headBytes(key);
  const text = escapeBytes(bytes);
  if (text === '') return '""';
  if (key.bytes <= bytes.length) return cutInside(text, limit);
  return `${[...text].slice(0, limit - 1).join('')}…`;
}

/** `text` in at most `limit` letters: what is cut out of it stands before its last two thirds. */
export function cutInside(text: string, limit: number): string {
  const letters = [...text];
  if (letters.length <= limit) return text;
  const front = Math.floor((limit - 1) / 3);
  const back = letters.length - (limit - 1 - front);
  return `${letters.slice(0, front).join('')}…${letters.slice(back).join('')}`;
}

/** A text of more than `limit` letters without its end. */
export function cutEnd(text: string, limit: number): string {
  const letters = [...text];
  return letters.length <= limit ? text : `${letters.slice(0, Math.max(limit - 1, 0)).join('')}…`;
}

/** The bytes of a key that it shares with the one before, and the others. */
export function keyParts(
  { key, shared }: { key: ShownKey; shared: number },
  letters: number,
): { shared: string; rest: string } {
  const front = key.head.slice(0, shared);
  const text = front === '' ? '' : keyText({ head: front, bytes: front.length }, letters);
  const head = key.head.slice(shared);
  const bytes = key.bytes - front.length;
  const room = Math.max(1, letters - text.length);
  return { shared: text, rest: bytes <= 0 && text !== '' ? '' : keyText({ head, bytes }, room) };
}

/** Bytes as text: UTF-8 where it is printable, `\t`, `\n`, `\r` and `\\` as they are typed, `\xNN` for every other byte. */
export function escapeBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    const length = character === null ? 1 : ENCODER.encode(character).length;
    const isShown = character !== null && !INVISIBLE.test(character);
    const word = character === null ? undefined : ESCAPES.get(character);
    if (word !== undefined) text += word;
    else if (isShown) text += character;
    else text += Array.from(bytes.subarray(at, at + length), escapedByte).join('');
    at += length;
  }
  return text;
}

/** Controls, format characters (bidirectional ones too), private and unassigned ones, spaces but the usual. */
const INVISIBLE = /^(?! )[\p{C}\p{Z}]$/u;

/** Characters that have a word of their own after the backslash. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);

/** The bytes that `text` stands for, as {@link escapeBytes} writes them; `null`: a backslash without a word. */
export function bytesOfText(text: string): number[] | null {
  const bytes: number[] = [];
  for (const [part, byte, word] of text.matchAll(/\\x([0-9a-f]{2})|\\([\\tnr])|[^\\]+|\\/gi)) {
    if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
    else if (word !== undefined) bytes.push(WORDS[word] ?? 0x5c);
    else if (part === '\\') return null;
    else bytes.push(...ENCODER.encode(part));
  }
  return bytes;
}

const WORDS: Readonly<Record<string, number>> = { '\\': 0x5c, t: 0x09, n: 0x0a, r: 0x0d };

/** The bytes that are shown as `text`; text that nothing is shown as means itself. */
export function shownBytes(text: string): number[] {
  return bytesOfText(text) ?? [...ENCODER.encode(text)];
}

/** The key that {@link keyText} shows as a whole as `text`. */
export function keyOfText(text: string): ShownKey {
  const bytes = shownBytes(text);
  return { head: String.fromCharCode(...bytes), bytes: bytes.length };
}

const ENCODER = new TextEncoder();

/** The character that begins at `at`; `null`: the byte there is not UTF-8. */
function characterAt(bytes: Uint8Array, at: number): string | null {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return String.fromCharCode(first);
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  try {
    return UTF8.decode(bytes.subarray(at, at + length));
  } catch {
    return null;
  }
}

/** A byte as `\xNN`. */
export function escapedByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
