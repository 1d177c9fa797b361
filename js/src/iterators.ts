// Iterators over entries, keys and values: pages of the engine, given one by one or many at a time.

import {
  AbstractIterator,
  AbstractKeyIterator,
  type AbstractLevel,
  AbstractValueIterator,
} from 'abstract-level';
import type { Awaitable, Backend, Data, Entry, EntryFormat, Pack, Page } from './engine/backend';

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
  /** Entries up to the limit of the program. */
  #left: number;
  /** The next page, asked for before it is needed. */
  #ahead: Promise<Page> | undefined;

  constructor(
    backend: Backend,
    number: number,
    range: Pack,
    { format, limit }: { readonly format: EntryFormat; readonly limit: number },
  ) {
    this.#backend = backend;
    this.#number = number;
    this.#format = format;
    this.#left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    backend.openIterator(number, range);
  }

  /** The next entry, or `undefined` after the last one. */
  next(): Awaitable<Entry | undefined> {
    const ready = this.#ready[this.#at];
    if (ready !== undefined) {
      // A program that takes a second entry goes on, probably.
      if (this.#at === 1) this.#readAhead();
      this.#at++;
      return ready;
    }
    if (this.#ended) return undefined;
    const take = (page: Page) => {
      this.#keep(page);
      this.#at = 1;
      return page.entries[0];
    };
    const page = this.#page(this.#grown());
    return page instanceof Promise ? page.then(take) : take(page);
  }

  /** Up to `size` entries; none after the last one. */
  async take(size: number): Promise<Entry[]> {
    if (this.#at >= this.#ready.length) {
      if (this.#ended) return [];
      this.#keep(await this.#page(Math.min(size, PAGE_ENTRIES)));
      if (size >= PAGE_ENTRIES) this.#readAhead();
    }
    const given = this.#ready.slice(this.#at, this.#at + size);
    this.#at += given.length;
    return given;
  }

  seek(target: Data) {
    this.#left += this.#ready.length - this.#at;
    this.#ready = [];
    this.#at = 0;
    this.#ended = false;
    this.#ahead = undefined;
    this.#backend.seek(this.#number, target);
  }

  close() {
    this.#backend.closeIterator(this.#number);
  }

  #keep({ entries, ended }: Page) {
    this.#ready = entries;
    this.#at = 0;
    this.#ended = ended;
    this.#left -= entries.length;
  }

  /** Entries of the next page, one by one: more each time. */
  #grown() {
    const wanted = this.#wanted;
    this.#wanted = Math.min(wanted * 4, PAGE_ENTRIES);
    return wanted;
  }

  #page(wanted: number): Awaitable<Page> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const count = Math.max(1, Math.min(wanted, this.#left));
    return ahead ?? this.#backend.nextPage(this.#number, count, this.#format);
  }

  #readAhead() {
    if (this.#backend.isNear || this.#ended || this.#left <= 0 || this.#ahead) return;
    const page = Promise.resolve(this.#page(this.#grown()));
    // The read that asks for this page reports its failure.
    page.catch(() => {});
    this.#ahead = page;
  }
}

/** The methods by which an iterator gives `part` of each entry of `pages`. */
function methodsOf<T>(pages: Pages, part: (entry: Entry) => T) {
  const partOf = (entry: Entry | undefined) => (entry === undefined ? undefined : part(entry));
  return {
    _next(): Awaitable<T | undefined> {
      const entry = pages.next();
      return entry instanceof Promise ? entry.then(partOf) : partOf(entry);
    },
    async _nextv(size: number) {
      return (await pages.take(size)).map(part);
    },
    _seek: (target: Data) => pages.seek(target),
    _close: async () => pages.close(),
  };
}

export class EntryIterator<K, V> extends AbstractIterator<AbstractLevel<Data, K, V>, K, V> {
  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    Object.assign(
      this,
      methodsOf(pages, (entry) => entry),
    );
  }
}

export class KeyIterator<K, V> extends AbstractKeyIterator<AbstractLevel<Data, K, V>, K> {
  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    Object.assign(
      this,
      methodsOf(pages, ([key]) => key),
    );
  }
}

export class ValueIterator<K, V> extends AbstractValueIterator<AbstractLevel<Data, K, V>, K, V> {
  constructor(db: AbstractLevel<Data, K, V>, options: object, pages: Pages) {
    super(db, options);
    Object.assign(
      this,
      methodsOf(pages, ([, value]) => value),
    );
  }
}
