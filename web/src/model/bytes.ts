/** Bytes of files as the page holds and shows them. Pure. */

import type { Node } from './engine.generated';
import { escapeBytes } from './keys';
import { countBefore } from './search';
import { below } from './tree';
import { counted } from './words';

/** Decodes two hexadecimal digits for each byte; `null` for any other text. */
export function decodeHex(digits: string): Uint8Array | null {
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16);
  }
  return bytes;
}

/** Two digits. */
export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** `61 70 70 6c 65`. */
export function asHexText(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}

/** `[0x61, 0x70]`, twelve bytes a line. */
export function asRustArray(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 12) {
    const line = Array.from(bytes.subarray(at, at + 12), (byte) => `0x${hexByte(byte)},`);
    lines.push(`    ${line.join(' ')}`);
  }
  return `const BYTES: [u8; ${bytes.length}] = [\n${lines.join('\n')}\n];\n`;
}

/** One leaf of a file, and the way to it. */
export interface Leaf {
  node: Node;
  /** `block:2/entry:5/key:1`. */
  path: string;
  /** From the part of the file that it is in down to itself. */
  trail: readonly Node[];
}

/** The leaves of a tree that hold bytes, in order; `above` is the path of `root`. */
export function leavesOf(root: Node, above = ''): Leaf[] {
  const found: Leaf[] = [];
  const visit = (node: Node, path: string, trail: readonly Node[]) => {
    for (const child of node.children) {
      const own = below(path, child);
      const way = [...trail, child];
      if (child.children.length > 0) visit(child, own, way);
      else if (child.bytes > 0) found.push({ node: child, path: own, trail: way });
    }
  };
  visit(root, above, []);
  return found;
}

/** The leaf that has the byte at `offset`. */
export function leafAt(leaves: readonly Leaf[], offset: number): Leaf | null {
  const leaf = leaves[countBefore(leaves, ({ node }) => node.offset <= offset) - 1];
  return leaf && offset < leaf.node.offset + leaf.node.bytes ? leaf : null;
}

/** The family of each kind of node; each family has a colour. */
const FAMILIES = {
  key: 'key',
  value: 'value',
  sequence: 'sequence',
  kind: 'sequence',
  number: 'number',
  count: 'number',
  length: 'number',
  offset: 'number',
  checksum: 'checksum',
  bits: 'bits',
  compressed: 'compressed',
  magic: 'magic',
  identity: 'magic',
  zeros: 'zeros',
  damaged: 'damaged',
} as const;

export type Family = (typeof FAMILIES)[keyof typeof FAMILIES] | 'wrong';

const FAMILY_OF: Readonly<Partial<Record<string, Family>>> = FAMILIES;

/** The family of a leaf. A checksum that does not match has one of its own. */
export function familyOf(node: Node): Family {
  const { fact } = node;
  if (fact?.fact === 'checksum' && fact.stored !== fact.computed) return 'wrong';
  return FAMILY_OF[node.kind] ?? 'zeros';
}

/** The same bytes read as different numbers: unsigned, and signed where this differs. */
export interface Reading {
  name: string;
  plain: string;
  signed: string;
}

/** The first bytes as numbers, little-endian. */
export function readings(bytes: Uint8Array): Reading[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Reading[] = [];
  const add = (name: string, length: number, read: () => readonly (number | bigint)[]) => {
    if (bytes.length < length) return;
    const [plain, signed] = read();
    found.push({ name, plain: String(plain), signed: String(signed ?? '') });
  };
  add('8 bit', 1, () => [view.getUint8(0), view.getInt8(0)]);
  add('16 bit', 2, () => [view.getUint16(0, true), view.getInt16(0, true)]);
  add('32 bit', 4, () => [view.getUint32(0, true), view.getInt32(0, true)]);
  add('64 bit', 8, () => [view.getBigUint64(0, true), view.getBigInt64(0, true)]);
  add('float 32', 4, () => [view.getFloat32(0, true)]);
  add('float 64', 8, () => [view.getFloat64(0, true)]);
  const varint = readVarint(bytes);
  if (varint) {
    const signed = counted(varint.bytes, 'byte');
    found.push({ name: 'varint', plain: String(varint.value), signed });
  }
  return found;
}

/** A varint at the start, seven bits a byte, the lowest first. */
export function readVarint(bytes: Uint8Array): { value: bigint; bytes: number } | null {
  let value = 0n;
  for (let index = 0; index < Math.min(bytes.length, 10); index += 1) {
    const byte = bytes[index] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return value < 1n << 64n ? { value, bytes: index + 1 } : null;
  }
  return null;
}

/** Bytes as text: UTF-8 where it is printable, `\xNN` for every other byte. */
export function textOf(bytes: Uint8Array, most = 256): string {
  const text = escapeBytes(bytes.subarray(0, most));
  return bytes.length > most ? `${text}…` : text;
}

/** One byte in the column of letters; a byte that is not printable ASCII becomes a dot. */
export function letter(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte === 0x20 ? ' ' : '·';
}

/** An offset as people type it: `64`, `0x40`, `1 024`. */
export function parseOffset(text: string): number | null {
  const plain = text.replace(/[\s_,]/g, '');
  if (!/^(0x[0-9a-f]{1,13}|\d{1,15})$/i.test(plain)) return null;
  return Number(plain);
}

/** The bytes that people search for: they type text, or `0x61 62 63`. */
export function needle(text: string): Uint8Array | null {
  const digits = /^0x([0-9a-f\s]+)$/i.exec(text.trim())?.[1]?.replace(/\s/g, '');
  const bytes =
    digits !== undefined && digits.length % 2 === 0
      ? decodeHex(digits)
      : new TextEncoder().encode(text);
  if (!bytes || bytes.length === 0 || bytes.length > 1024) return null;
  return bytes;
}
