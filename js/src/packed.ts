// Values and entries as one array of bytes: for programs that read thousands of them and want no object for each.

import type { Awaitable, Backend, Data, Pack, RangeSpec } from './engine/backend';
import { LevelscopeError } from './engine/error';
import { ABSENT, type Packed } from './engine/packing';

/** Most entries of one page. */
const PAGE_ENTRIES = 1000;

/** The ends of a range. Default of each: none. */
export interface Ends {
  /** After this key. */
  readonly gt?: Data | undefined;
  /** From this key on; goes before `gt`. */
  readonly gte?: Data | undefined;
  /** Before this key. */
  readonly lt?: Data | undefined;
  /** Up to this key, it included; goes before `lt`. */
  readonly lte?: Data | undefined;
}

/** The range of a scan. A key as text stands for its UTF-8. */
export interface PackedRange extends Ends {
  /** From the last to the first. Default: `false`. */
  readonly reverse?: boolean | undefined;
  /** Whether entries have their keys. Default: `true`. */
  readonly keys?: boolean | undefined;
  /** Whether entries have their values; a scan of keys alone is faster. Default: `true`. */
  readonly values?: boolean | undefined;
}

/** Items one after the other in `bytes`, which change with the next call of the database: read them before. */
abstract class PackedItems {
  readonly bytes: Uint8Array;
  readonly count: number;
  protected readonly view: DataView;
  protected at: number;
  #left: number;

  constructor({ bytes, view }: Packed, at: number, count: number) {
    this.bytes = bytes;
    this.view = view;
    this.at = at;
    this.count = count;
    this.#left = count;
  }

  protected abstract step(): void;

  /** Goes to the next item, at first to the first one; false after the last. */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.step();
    return true;
  }
}

/** Values, in the order of their keys. */
export class PackedValues extends PackedItems {
  /** Whether the key has a value. */
  isPresent = false;
  /** The value is `bytes` from `start` to before `end`. */
  start = 0;
  end = 0;

  protected step() {
    const length = this.view.getUint32(this.at, true);
    this.isPresent = length !== ABSENT;
    this.start = this.at + 4;
    this.end = this.isPresent ? this.start + length : this.start;
    this.at = this.end;
  }

  /** A view of the value; `undefined` where there is none. */
  get value(): Uint8Array | undefined {
    return this.isPresent ? this.bytes.subarray(this.start, this.end) : undefined;
  }
}

/** Entries, in the order of the scan. */
export class PackedEntries extends PackedItems {
  /** The key is `bytes` from `keyStart` to before `keyEnd`; the value begins there and ends before `valueEnd`. */
  keyStart = 0;
  keyEnd = 0;
  valueEnd = 0;

  protected step() {
    const { view, at } = this;
    this.keyStart = at + 8;
    this.keyEnd = this.keyStart + view.getUint32(at, true);
    this.valueEnd = this.keyEnd + view.getUint32(at + 4, true);
    this.at = this.valueEnd;
  }

  /** A view of the key. */
  get key(): Uint8Array {
    return this.bytes.subarray(this.keyStart, this.keyEnd);
  }

  /** A view of the value. */
  get value(): Uint8Array {
    return this.bytes.subarray(this.keyEnd, this.valueEnd);
  }
}

/** Entries page by page, of the moment when the scan began. */
export class PackedScan {
  readonly #backend: Backend;
  readonly #number: number;
  #ended = false;

  /** @internal */
  constructor(backend: Backend, number: number, range: Pack) {
    this.#backend = backend;
    this.#number = number;
    backend.openIterator(number, range);
  }

  /** The next entries; `undefined` after the last ones, when the scan has closed itself. */
  next(): Awaitable<PackedEntries | undefined> {
    if (this.#ended) return undefined;
    const page = this.#backend.nextPacked(
      this.#number,
      PAGE_ENTRIES,
      (packed, at, count) => new PackedEntries(packed, at, count),
    );
    const take = ({ entries, ended }: { entries: PackedEntries; ended: boolean }) => {
      if (ended) this.close();
      return entries.count === 0 ? undefined : entries;
    };
    return page instanceof Promise ? page.then(take) : take(page);
  }

  /** Ends a scan before its last entry. */
  close() {
    if (!this.#ended) this.#backend.closeIterator(this.#number);
    this.#ended = true;
  }
}

/** Reads whose answers are packed. Where the engine is in this thread, they are there at once mostly. */
export class PackedReads {
  readonly #backend: Backend;
  readonly #numberOf: () => number;

  /** @internal */
  constructor(backend: Backend, numberOf: () => number) {
    this.#backend = backend;
    this.#numberOf = numberOf;
  }

  /**
   * The values of `keys`, as they are when the answer is made.
   *
   * @throws {LevelscopeError} `LEVEL_INVALID_ARGUMENT` for a key that is neither text nor bytes.
   */
  getMany(keys: readonly Data[]): Awaitable<PackedValues> {
    if (!Array.isArray(keys)) throw new TypeError("The argument 'keys' must be an array");
    for (const key of keys) checkKey(key);
    return this.#backend.getPacked(keys, (packed, at) => new PackedValues(packed, at, keys.length));
  }

  /**
   * A scan of a range of the database as it is now.
   *
   * @throws {LevelscopeError} `LEVEL_INVALID_ARGUMENT` for an end that is neither text nor bytes.
   */
  scan(range: PackedRange = {}): PackedScan {
    const { gt, gte, lt, lte, reverse = false, keys = true, values = true } = range;
    for (const end of [gt, gte, lt, lte]) if (end !== undefined) checkKey(end);
    const pack = packRange(range, { reverse, keys, values, snapshot: 0 });
    return new PackedScan(this.#backend, this.#numberOf(), pack);
  }
}

/** Encodings of abstract-level do not come between here: what is no key would be read as one, or as none. */
function checkKey(key: unknown) {
  if (typeof key === 'string' || (key as Uint8Array | undefined)?.BYTES_PER_ELEMENT === 1) return;
  const message = `a key is a text or a Uint8Array, not ${String(key)}`;
  throw new LevelscopeError({ kind: 'invalidArgument', message });
}

/** Packs a range with these ends. */
export function packRange(
  { gt, gte, lt, lte }: Ends,
  rest: Omit<RangeSpec, 'lower' | 'upper'>,
): Pack {
  const range = { ...rest, lower: bound(gte, gt), upper: bound(lte, lt) };
  return (into) => into.range(range);
}

/** One end of a range. */
function bound(inclusive: Data | undefined, exclusive: Data | undefined) {
  if (inclusive !== undefined) return { key: inclusive, inclusive: true };
  return exclusive === undefined ? undefined : { key: exclusive, inclusive: false };
}
