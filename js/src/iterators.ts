// Iterators over entries, keys and values: pages of the engine, given one by one or many at a time.

import {
  AbstractIterator,
  AbstractKeyIterator,
  type AbstractLevel,
  AbstractValueIterator,
} from 'abstract-level';
import type {
  Awaitable,
  Backend,
  Data,
  Entry,
  EntryFormat,
  Page,
  RangeSpec,
} from './engine/backend';

/** Most entries that one call of the engine gives. */
const PAGE_ENTRIES = 1000;
/** Entries of the first page of an iterator that is read one by one: it may be given up after a few. */
const FIRST_ENTRIES = 16;

/** Entries that have been read and not been given yet. */
export class Pages {
  readonly #backend: Backend;
  readonly #number: number;
  readonly #format: EntryFormat;
  #ready: Entry[] = [];
  #at = 0;
  #ended = false;
  #wanted = FIRST_ENTRIES;

  constructor(backend: Backend, number: number, range: RangeSpec, format: EntryFormat) {
    this.#backend = backend;
    this.#number = number;
    this.#format = format;
    backend.openIterator(number, range);
  }

  /** The next entry, or `undefined` after the last one. */
  next(): Awaitable<Entry | undefined> {
    const ready = this.#ready[this.#at];
    if (ready !== undefined) {
      this.#at++;
      return ready;
    }
    if (this.#ended) return undefined;
    const page = this.#backend.nextPage(this.#number, this.#wanted, this.#format);
    this.#wanted = Math.min(this.#wanted * 4, PAGE_ENTRIES);
    const take = ({ entries, ended }: Page) => {
      this.#ready = entries;
      this.#ended = ended;
      this.#at = 1;
      return entries[0];
    };
    return page instanceof Promise ? page.then(take) : take(page);
  }

  /** Up to `size` entries; none after the last one. */
  async take(size: number): Promise<Entry[]> {
    const ready = this.#ready.slice(this.#at, this.#at + size);
    this.#at += ready.length;
    if (ready.length > 0 || this.#ended) return ready;
    const count = Math.min(size, PAGE_ENTRIES);
    const page = await this.#backend.nextPage(this.#number, count, this.#format);
    this.#ended = page.ended;
    return page.entries;
  }

  seek(target: Data) {
    this.#ready = [];
    this.#at = 0;
    this.#ended = false;
    this.#backend.seek(this.#number, target);
  }

  close() {
    this.#backend.closeIterator(this.#number);
  }
}

const keyPart = (entry: Entry) => entry[0];
const valuePart = (entry: Entry) => entry[1];

/** One part of an entry that may have to be waited for. */
function partOf(entry: Awaitable<Entry | undefined>, part: 0 | 1): Awaitable<Data | undefined> {
  return entry instanceof Promise ? entry.then((found) => found?.[part]) : entry?.[part];
}

export class EntryIterator<K, V> extends AbstractIterator<AbstractLevel<Data, K, V>, K, V> {
  readonly #pages: Pages;

  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    this.#pages = pages;
  }

  /** @internal */
  _next() {
    return this.#pages.next();
  }

  /** @internal */
  _nextv(size: number) {
    return this.#pages.take(size);
  }

  /** @internal */
  _seek(target: Data) {
    this.#pages.seek(target);
  }

  /** @internal */
  async _close() {
    this.#pages.close();
  }
}

export class KeyIterator<K, V> extends AbstractKeyIterator<AbstractLevel<Data, K, V>, K> {
  readonly #pages: Pages;

  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    this.#pages = pages;
  }

  /** @internal */
  _next() {
    return partOf(this.#pages.next(), 0);
  }

  /** @internal */
  async _nextv(size: number) {
    return (await this.#pages.take(size)).map(keyPart);
  }

  /** @internal */
  _seek(target: Data) {
    this.#pages.seek(target);
  }

  /** @internal */
  async _close() {
    this.#pages.close();
  }
}

export class ValueIterator<K, V> extends AbstractValueIterator<AbstractLevel<Data, K, V>, K, V> {
  readonly #pages: Pages;

  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    this.#pages = pages;
  }

  /** @internal */
  _next() {
    return partOf(this.#pages.next(), 1);
  }

  /** @internal */
  async _nextv(size: number) {
    return (await this.#pages.take(size)).map(valuePart);
  }

  /** @internal */
  _seek(target: Data) {
    this.#pages.seek(target);
  }

  /** @internal */
  async _close() {
    this.#pages.close();
  }
}
