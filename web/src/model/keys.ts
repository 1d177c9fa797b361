import type { ShownKey } from './engine.generated';

/** Compares user keys bytewise. `head` holds one character a byte, so strings compare as bytes do. */
export function compareKeys(left: ShownKey, right: ShownKey): number {
  if (left.head < right.head) return -1;
  if (left.head > right.head) return 1;
  return left.bytes - right.bytes;
}

/** A string that equals that of another key exactly when the keys are the same. */
export function keyId(key: ShownKey): string {
  return `${key.bytes}:${key.head}`;
}

/** Bytes of a key that events and views carry. */
const HEAD_MAX = 96;

/** The same string for a key that is known as a whole. */
export function idOfBytes(bytes: Uint8Array): string {
  return `${bytes.length}:${String.fromCharCode(...bytes.subarray(0, HEAD_MAX))}`;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Texts of keys seen lately: a busy engine tells the same keys with every picture. */
const texts = new Map<string, string>();
const TEXTS_MAX = 4000;

/**
 * A key as text: UTF-8 where it is printable, `\xNN` for every other byte, cut to `limit` characters.
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

function makeText(key: ShownKey, limit: number): string {
  const bytes = Uint8Array.from(key.head, (character) => character.charCodeAt(0));
  const text = escapeBytes(bytes);
  const letters = [...text];
  const cut = letters.length > limit || key.bytes > bytes.length;
  if (letters.length === 0) return '""';
  return cut ? `${letters.slice(0, limit - 1).join('')}…` : text;
}

/** Bytes as text: UTF-8 where it is printable, `\xNN` for every other byte. */
export function escapeBytes(bytes: Uint8Array): string {
  try {
    return escapeInvisible(UTF8.decode(bytes));
  } catch {
    return Array.from(bytes, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hexByte(byte),
    ).join('');
  }
}

function hexByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

const ENCODER = new TextEncoder();

/** Controls, format characters (bidirectional ones too) and lone surrogates, as the bytes they are. */
function escapeInvisible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(ENCODER.encode(character), hexByte).join(''),
  );
}
