// Packs keys and values for the engine's memory and for other threads: js/wasm/src/packed.rs describes the bytes.

import type { Data, Entry, EntryFormat, Format, Operation, RangeSpec } from './backend';

/** Up to here a loop over characters is faster than the encoder of the platform [characters]. */
const SHORT_TEXT = 48;
/** Most bytes that one UTF-16 unit becomes. */
const UNIT_BYTES_MAX = 3;

/** The length that stands for a value that is not there. */
export const ABSENT = 0xffff_ffff;
const HEADER_BYTES = 9;

const encoder = new TextEncoder();
// A byte order mark at the beginning is part of a key or value.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Most bytes that `data` can take. */
const bytesMax = (data: Data) =>
  typeof data === 'string' ? data.length * UNIT_BYTES_MAX : data.byteLength;

/** Bytes, numbers and text in them. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  readonly texts: Texts;
}

/** Reads the text in [start, end) of some bytes. */
interface Texts {
  utf8Slice(start: number, end: number): string;
}

/** Node's own way is faster than the decoder of the platform. */
function textsIn(bytes: Uint8Array<ArrayBuffer>): Texts {
  const { Buffer } = globalThis as { Buffer?: { from(...part: unknown[]): Partial<Texts> } };
  const found = Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (typeof found?.utf8Slice === 'function') return found as Texts;
  return { utf8Slice: (start, end) => textIn(bytes, start, end) };
}

export const packedIn = (bytes: Uint8Array<ArrayBuffer>): Packed => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  texts: textsIn(bytes),
});

/** Packs keys and values into bytes that a subclass provides. */
export abstract class Packing {
  protected abstract get bytes(): Uint8Array<ArrayBuffer>;
  protected abstract get view(): DataView;

  /** Makes room for `bytes`; the offset where they begin. */
  protected abstract room(bytes: number): number;

  /** Puts `data` at the offset `at`; its length [bytes]. */
  #put(data: Data, at: number): number {
    const bytes = this.bytes;
    if (typeof data !== 'string') {
      bytes.set(data, at);
      return data.byteLength;
    }
    const { length } = data;
    if (length <= SHORT_TEXT) {
      let index = 0;
      for (; index < length; index++) {
        const unit = data.charCodeAt(index);
        if (unit > 0x7f) break;
        bytes[at + index] = unit;
      }
      if (index === length) return length;
    }
    const room = bytes.subarray(at, at + length * UNIT_BYTES_MAX);
    return encoder.encodeInto(data, room).written;
  }

  /** Copies bytes that were packed elsewhere; returns their length [bytes]. */
  copy(packed: Uint8Array): number {
    // Making room may replace the bytes.
    const start = this.room(packed.length);
    this.bytes.set(packed, start);
    return packed.length;
  }

  /** Packs one key as it is; its length [bytes]. */
  key(key: Data): number {
    return this.#put(key, this.room(bytesMax(key)));
  }

  /** Packs keys; the length of all [bytes]. */
  keys(keys: readonly Data[]): number {
    let room = 0;
    for (const key of keys) room += 4 + bytesMax(key);
    const start = this.room(room);
    let at = start;
    for (const key of keys) {
      const length = this.#put(key, at + 4);
      this.view.setUint32(at, length, true);
      at += 4 + length;
    }
    return at - start;
  }

  /** Packs operations; the length of all [bytes]. */
  operations(operations: readonly Operation[]): number {
    let room = 0;
    for (const { key, value } of operations) {
      room += HEADER_BYTES + bytesMax(key) + (value === undefined ? 0 : bytesMax(value));
    }
    const start = this.room(room);
    const { bytes, view } = this;
    let at = start;
    for (const { type, key, value } of operations) {
      const isPut = type === 'put' && value !== undefined;
      const keyBytes = this.#put(key, at + HEADER_BYTES);
      const valueBytes = isPut ? this.#put(value, at + HEADER_BYTES + keyBytes) : 0;
      bytes[at] = isPut ? 1 : 0;
      view.setUint32(at + 1, keyBytes, true);
      view.setUint32(at + 5, valueBytes, true);
      at += HEADER_BYTES + keyBytes + valueBytes;
    }
    return at - start;
  }

  /** Packs a range; its length [bytes]. */
  range({ reverse, keys, values, lower, upper, snapshot }: RangeSpec): number {
    const start = this.room(16 + bytesMax(lower?.key ?? '') + bytesMax(upper?.key ?? ''));
    const { bytes, view } = this;
    let at = start;
    bytes[at] = (reverse ? 1 : 0) | (keys ? 2 : 0) | (values ? 4 : 0);
    view.setUint32(at + 1, snapshot, true);
    at += 5;
    for (const bound of [lower, upper]) {
      bytes[at] = bound === undefined ? 0 : bound.inclusive ? 1 : 2;
      const length = bound === undefined ? 0 : this.#put(bound.key, at + 5);
      view.setUint32(at + 1, length, true);
      at += 5 + length;
    }
    return at - start;
  }
}

function textIn(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT_TEXT) {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > 0x7f) return decoder.decode(bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decoder.decode(bytes.subarray(start, end));
}

/** The `bytes` at `start` as one value. */
export function valueAt(packed: Packed, start: number, bytes: number, format: Format): Data {
  const end = start + bytes;
  return format === 'view' ? packed.bytes.slice(start, end) : packed.texts.utf8Slice(start, end);
}

/** The packed values at `at`: `count` of them, some absent. */
export function valuesAt(packed: Packed, at: number, count: number, format: Format) {
  const values = new Array<Data | undefined>(count).fill(undefined);
  for (let index = 0; index < count; index++) {
    const length = packed.view.getUint32(at, true);
    at += 4;
    if (length === ABSENT) continue;
    values[index] = valueAt(packed, at, length, format);
    at += length;
  }
  return values;
}

/** The answers at `start` to whether each of `count` keys is there. */
export function answersAt({ bytes }: Packed, start: number, count: number): boolean[] {
  const answers = new Array<boolean>(count);
  for (let index = 0; index < count; index++) answers[index] = bytes[start + index] === 1;
  return answers;
}

/** The packed entries at `at`: `count` of them. */
export function entriesAt(packed: Packed, at: number, count: number, format: EntryFormat) {
  const { key, value } = format;
  const entries = new Array<Entry>(count);
  for (let index = 0; index < count; index++) {
    const keyBytes = packed.view.getUint32(at, true);
    const valueBytes = packed.view.getUint32(at + 4, true);
    at += 8;
    const split = at + keyBytes;
    entries[index] = [
      valueAt(packed, at, keyBytes, key),
      valueAt(packed, split, valueBytes, value),
    ];
    at = split + valueBytes;
  }
  return entries;
}

/** The length of `count` packed entries at `start` [bytes]. */
export function entryBytes({ view }: Packed, start: number, count: number): number {
  let at = start;
  for (let index = 0; index < count; index++) {
    at += 8 + view.getUint32(at, true) + view.getUint32(at + 4, true);
  }
  return at - start;
}
