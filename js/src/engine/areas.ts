// The two areas of the engine's memory in which keys and values travel; js/wasm/src/packed.rs describes the bytes.

import type { Data, Entry, EntryFormat, Format, Operation, RangeSpec } from './backend';
import type { EngineDatabase } from './module';

/** Up to here a loop over characters is faster than the encoder of the platform [characters]. */
const SHORT_TEXT = 48;
/** Most bytes that one UTF-16 unit becomes. */
const UNIT_BYTES_MAX = 3;

const ABSENT = 0xffff_ffff;
const HEADER_BYTES = 9;

const encoder = new TextEncoder();
// A byte order mark at the beginning is part of a key or value.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads text out of memory. */
interface Texts {
  utf8Slice(start: number, end: number): string;
}

/** Node's own way is faster than the decoder of the platform. */
function textsIn(memory: ArrayBufferLike): Texts {
  const buffers = (globalThis as { Buffer?: { from(memory: ArrayBufferLike): Partial<Texts> } })
    .Buffer;
  const found = buffers?.from(memory);
  if (typeof found?.utf8Slice === 'function') return found as Texts;
  const bytes = new Uint8Array(memory);
  return {
    utf8Slice: (start, end) => {
      const part = bytes.subarray(start, end);
      const isShort = part.length <= SHORT_TEXT && part.every((byte) => byte <= 0x7f);
      return isShort ? String.fromCharCode(...part) : decoder.decode(part);
    },
  };
}

/** Most bytes that `data` can take. */
const bytesMax = (data: Data) =>
  typeof data === 'string' ? data.length * UNIT_BYTES_MAX : data.byteLength;

/** Reads and writes the areas of one database. */
export class Areas {
  readonly #database: EngineDatabase;
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #texts: Texts;
  /** Where the input area lies. It moves only when it is made larger. */
  #start = 0;
  #capacity = 0;

  constructor(database: EngineDatabase, memory: WebAssembly.Memory) {
    this.#database = database;
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer as ArrayBuffer);
    this.#view = new DataView(memory.buffer);
    this.#texts = textsIn(memory.buffer);
  }

  /** Any call of the engine may have made the memory larger, which detaches what looks at it. */
  #look() {
    if (this.#bytes.buffer === this.#memory.buffer) return;
    this.#bytes = new Uint8Array(this.#memory.buffer as ArrayBuffer);
    this.#view = new DataView(this.#memory.buffer);
    this.#texts = textsIn(this.#memory.buffer);
  }

  #room(bytes: number) {
    // A large area is given back: the engine keeps one of a MiB.
    if (bytes > this.#capacity || this.#capacity > Math.max(1 << 20, bytes)) {
      this.#start = this.#database.input(Math.max(bytes, 256));
      this.#capacity = this.#database.inputBytes();
    }
    this.#look();
  }

  /** Puts `data` at `at` in memory; how long it is [bytes]. */
  #put(data: Data, at: number): number {
    const bytes = this.#bytes;
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

  /** Packs one key as it is; its length. */
  key(key: Data): number {
    this.#room(bytesMax(key));
    return this.#put(key, this.#start);
  }

  /** Packs keys; the length of all. */
  keys(keys: readonly Data[]): number {
    let room = 0;
    for (const key of keys) room += 4 + bytesMax(key);
    this.#room(room);
    let at = this.#start;
    for (const key of keys) {
      const length = this.#put(key, at + 4);
      this.#view.setUint32(at, length, true);
      at += 4 + length;
    }
    return at - this.#start;
  }

  /** Packs operations; the length of all. */
  operations(operations: readonly Operation[]): number {
    let room = 0;
    for (const { key, value } of operations) {
      room += HEADER_BYTES + bytesMax(key) + (value === undefined ? 0 : bytesMax(value));
    }
    this.#room(room);
    let at = this.#start;
    for (const { type, key, value } of operations) {
      const isPut = type === 'put' && value !== undefined;
      const keyBytes = this.#put(key, at + HEADER_BYTES);
      const valueBytes = isPut ? this.#put(value, at + HEADER_BYTES + keyBytes) : 0;
      this.#bytes[at] = isPut ? 1 : 0;
      this.#view.setUint32(at + 1, keyBytes, true);
      this.#view.setUint32(at + 5, valueBytes, true);
      at += HEADER_BYTES + keyBytes + valueBytes;
    }
    return at - this.#start;
  }

  /** Packs a range; its length. */
  range({ reverse, keys, values, lower, upper, snapshot }: RangeSpec): number {
    this.#room(16 + bytesMax(lower?.key ?? '') + bytesMax(upper?.key ?? ''));
    let at = this.#start;
    this.#bytes[at] = (reverse ? 1 : 0) | (keys ? 2 : 0) | (values ? 4 : 0);
    this.#view.setUint32(at + 1, snapshot, true);
    at += 5;
    for (const bound of [lower, upper]) {
      this.#bytes[at] = bound === undefined ? 0 : bound.inclusive ? 1 : 2;
      const length = bound === undefined ? 0 : this.#put(bound.key, at + 5);
      this.#view.setUint32(at + 1, length, true);
      at += 5 + length;
    }
    return at - this.#start;
  }

  /** The output of the last call, as one value of `bytes`. */
  value(bytes: number, format: Format): Data {
    const start = this.#database.output();
    this.#look();
    return this.#take(start, bytes, format);
  }

  #take(start: number, bytes: number, format: Format): Data {
    const end = start + bytes;
    return format === 'view' ? this.#bytes.slice(start, end) : this.#texts.utf8Slice(start, end);
  }

  /** The output of the last call, as `count` values, some of them absent. */
  values(count: number, format: Format): (Data | undefined)[] {
    let at = this.#database.output();
    this.#look();
    const values = new Array<Data | undefined>(count).fill(undefined);
    for (let index = 0; index < count; index++) {
      const length = this.#view.getUint32(at, true);
      at += 4;
      if (length === ABSENT) continue;
      values[index] = this.#take(at, length, format);
      at += length;
    }
    return values;
  }

  /** The output of the last call, as `count` answers to whether a key is there. */
  answers(count: number): boolean[] {
    const start = this.#database.output();
    this.#look();
    const answers = new Array<boolean>(count);
    for (let index = 0; index < count; index++) answers[index] = this.#bytes[start + index] === 1;
    return answers;
  }

  /** The output of the last call, as `count` entries. */
  entries(count: number, { key, value }: EntryFormat): Entry[] {
    let at = this.#database.output();
    this.#look();
    const entries = new Array<Entry>(count);
    for (let index = 0; index < count; index++) {
      const keyBytes = this.#view.getUint32(at, true);
      const valueBytes = this.#view.getUint32(at + 4, true);
      at += 8;
      const split = at + keyBytes;
      entries[index] = [this.#take(at, keyBytes, key), this.#take(split, valueBytes, value)];
      at = split + valueBytes;
    }
    return entries;
  }
}
