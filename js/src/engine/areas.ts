// The two areas of the engine's memory in which keys and values travel.

import type { Data, Entry, EntryFormat, Format, Take } from './backend';
import type { EngineDatabase } from './module';
import {
  answersAt,
  entriesAt,
  entryBytes,
  type Packed,
  Packing,
  packedIn,
  valueAt,
  valuesAt,
} from './packing';

/** Reads and writes the areas of one database. */
export class Areas extends Packing {
  readonly #database: EngineDatabase;
  readonly #memory: WebAssembly.Memory;
  #whole: Packed;
  /** Address of the input area. It moves only when it grows. */
  #start = 0;
  #capacity = 0;

  constructor(database: EngineDatabase, memory: WebAssembly.Memory) {
    super();
    this.#database = database;
    this.#memory = memory;
    this.#whole = packedIn(new Uint8Array(memory.buffer as ArrayBuffer));
  }

  protected get bytes() {
    return this.#whole.bytes;
  }

  protected get view() {
    return this.#whole.view;
  }

  /** Any call of the engine may have made the memory larger, which detaches what looks at it. */
  #look() {
    if (this.#whole.bytes.buffer === this.#memory.buffer) return;
    this.#whole = packedIn(new Uint8Array(this.#memory.buffer as ArrayBuffer));
  }

  protected room(bytes: number): number {
    // A large area is given back: the engine keeps one of a MiB.
    if (bytes > this.#capacity || this.#capacity > Math.max(1 << 20, bytes)) {
      this.#start = this.#database.input(Math.max(bytes, 256));
      this.#capacity = this.#database.inputBytes();
    }
    this.#look();
    return this.#start;
  }

  /** Address of the output of the last call. */
  #output(): number {
    const start = this.#database.output();
    this.#look();
    return start;
  }

  /** The output of the last call, as one value of `bytes`. */
  value(bytes: number, format: Format): Data {
    const start = this.#output();
    return valueAt(this.#whole, start, bytes, format);
  }

  /** The output of the last call, as `count` values, some of them absent. */
  values(count: number, format: Format): (Data | undefined)[] {
    const start = this.#output();
    return valuesAt(this.#whole, start, count, format);
  }

  /** The output of the last call, as `count` answers to whether a key is there. */
  answers(count: number): boolean[] {
    const start = this.#output();
    return answersAt(this.#whole, start, count);
  }

  /** The output of the last call, as `count` entries. */
  entries(count: number, format: EntryFormat): Entry[] {
    const start = this.#output();
    return entriesAt(this.#whole, start, count, format);
  }

  /** Makes something of the output of the last call, `count` values or entries, where it lies. */
  take<T>(count: number, take: Take<T>): T {
    const start = this.#output();
    return take(this.#whole, start, count);
  }

  /** The output of the last call as it is: a view, until the next call. */
  packed(bytes: number): Uint8Array {
    const start = this.#output();
    return this.bytes.subarray(start, start + bytes);
  }

  /** The same, of `count` entries. */
  packedEntries(count: number): Uint8Array {
    const start = this.#output();
    return this.bytes.subarray(start, start + entryBytes(this.#whole, start, count));
  }
}
