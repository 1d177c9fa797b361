// The database that programs use: abstract-level over an engine.

import {
  type AbstractBatchOperation,
  type AbstractBatchOptions,
  type AbstractChainedBatch,
  type AbstractDatabaseOptions,
  type AbstractDelOptions,
  AbstractLevel,
  type AbstractOpenOptions,
  type AbstractPutOptions,
  AbstractSnapshot,
} from 'abstract-level';
import type { Awaitable, Backend, Data, Format, Operation, Pack } from './engine/backend';
import { LevelscopeError, notOpen } from './engine/error';
import { Inspection } from './inspection';
import { EntryIterator, KeyIterator, Pages, ValueIterator } from './iterators';
import { checkOptions, type EngineOptions, inOwnWords, settingsOf } from './options';
import { type Ends, PackedReads, packRange } from './packed';

/** Options of a database; each has a default. */
export interface LevelscopeOptions<K, V> extends AbstractDatabaseOptions<K, V>, EngineOptions {
  /**
   * When a write resolves. Default: `'relaxed'`: it survives the end of the program or tab, but a loss of power may take
   * the last ones. `'strict'`: it survives that, too, and waits for the disk. A write with `{ sync: true }` is always
   * strict, so a program with few precious writes needs no more than that.
   */
  readonly durability?: 'relaxed' | 'strict' | undefined;
  /**
   * Browsers: loads the larger module, which `db.levelscope` needs. Default: `false`. Elsewhere every database can be
   * watched.
   */
  readonly inspect?: boolean | undefined;
}

/** An option of every write. */
export interface SyncOption {
  /** Whether the write is durable when it resolves, even after a loss of power. Default: as `durability` of the database. */
  readonly sync?: boolean | undefined;
}

/** An option of calls that take keys. */
export interface KeyOption<K> {
  /** The encoding of the keys. Default: that of the database. */
  readonly keyEncoding?: AbstractPutOptions<K, unknown>['keyEncoding'];
}

/** Abilities of the engine that abstract-level does not add by itself. */
export interface Place {
  readonly getSync: boolean;
  readonly permanence: boolean;
}

interface Encoded {
  readonly keyEncoding: Format;
  readonly valueEncoding: Format;
  readonly snapshot?: Snapshot | undefined;
}

interface EncodedRange extends Encoded, Ends {
  readonly reverse: boolean;
  readonly limit: number;
  readonly keys?: boolean;
  readonly values?: boolean;
}

/** The number of a snapshot of `backend`; 0: the present. */
function numberOf(snapshot: Snapshot | undefined, backend: Backend): number {
  if (snapshot === undefined || snapshot === null) return 0;
  if (snapshot.backend === backend) return snapshot.number;
  const message = 'this snapshot belongs to another database';
  throw new LevelscopeError({ kind: 'invalidArgument', message });
}

/** A moment of the database, to be read later. */
class Snapshot extends AbstractSnapshot {
  /** @internal */
  readonly number: number;
  /** @internal */
  readonly backend: Backend;

  /** @internal */
  constructor(options: object, backend: Backend, number: number) {
    // @ts-expect-error: its declaration leaves out the constructor.
    super(options);
    this.backend = backend;
    this.number = number;
    backend.takeSnapshot(number);
  }

  /** @internal */
  async _close(): Promise<void> {
    this.backend.releaseSnapshot(this.number);
  }
}

/** A database on the engine; its subclasses decide where the files lie. */
export class Database<K = string, V = string> extends AbstractLevel<Data, K, V> {
  readonly #backend: Backend;
  readonly #strict: boolean;
  readonly #options: EngineOptions;
  #numbers = 0;
  /** The error of the last opening, if it failed. */
  #failure: unknown;

  /** Events, figures and state of the engine, beyond abstract-level. In a browser they need the option `inspect`. */
  readonly levelscope: Inspection;

  /** Reads that give many values or entries as one array of bytes. The database must be open. */
  readonly packed: PackedReads;

  /** @internal */
  constructor(backend: Backend, place: Place, options: LevelscopeOptions<K, V>) {
    checkOptions(options);
    // The type of a manifest does not know `getSync` yet.
    const { getSync } = place;
    super(
      {
        ...{ getSync },
        encodings: { utf8: true, view: true },
        has: true,
        seek: true,
        implicitSnapshots: true,
        explicitSnapshots: true,
        permanence: place.permanence,
        createIfMissing: place.permanence,
        errorIfExists: place.permanence,
        additionalMethods: { sync: true, compactRange: true, approximateSize: true },
      },
      options,
    );
    this.#backend = backend;
    this.#strict = options.durability === 'strict';
    this.#options = options;
    this.levelscope = new Inspection(backend, this, () => this.#failure);
    this.packed = new PackedReads(backend, () => this.#number());
  }

  /** Makes every write so far durable, even after a loss of power. */
  sync(): Promise<void> {
    return this.#whenOpen(() => this.#backend.sync());
  }

  /**
   * Flushes memtables and compacts every table that has keys from `start` to `end`, both included, into one run: deleted
   * and overwritten entries give their space back. Resolves when that is done; reads and writes go on meanwhile.
   */
  compactRange<OwnK = K>(start: OwnK, end: OwnK, options?: KeyOption<OwnK>): Promise<void> {
    const range = this.#between(start, end, options);
    return this.#whenOpen(() => this.#backend.compactRange(range));
  }

  /**
   * Bytes that the entries from `start` to before `end` take in files and memtables, compressed as they are. Too large by
   * at most two blocks at each end, for each run of tables. Reads no entries.
   */
  approximateSize<OwnK = K>(start: OwnK, end: OwnK, options?: KeyOption<OwnK>): Promise<number> {
    const range = this.#between(start, end, options, false);
    return this.#whenOpen(async () => this.#backend.approximateSize(range));
  }

  /** Makes a call of the engine as soon as the database is open. */
  async #whenOpen<T>(call: () => Promise<T>): Promise<T> {
    if (this.status === 'opening') return this.deferAsync(() => this.#whenOpen(call));
    if (this.status !== 'open') throw notOpen();
    return call();
  }

  /** The range of two keys of the program. */
  #between<OwnK>(start: OwnK, end: OwnK, options?: KeyOption<OwnK>, inclusive = true): Pack {
    for (const key of [start, end]) {
      if (key !== undefined && key !== null) continue;
      const message = 'a range takes two keys, of which none is null or undefined';
      throw new LevelscopeError({ kind: 'invalidArgument', message });
    }
    const encoding = this.keyEncoding(options?.keyEncoding as never);
    const [gte, last] = [start, end].map((key) => encoding.encode(key as never) as Data);
    const ends = inclusive ? { gte, lte: last } : { gte, lt: last };
    return packRange(ends, { reverse: false, keys: false, values: false, snapshot: 0 });
  }

  /** Adds an entry, or replaces the one of this key. */
  override put(key: K, value: V): Promise<void>;
  override put<OwnK = K, OwnV = V>(
    key: OwnK,
    value: OwnV,
    options: AbstractPutOptions<OwnK, OwnV> & SyncOption,
  ): Promise<void>;
  override put(key: K, value: V, options?: AbstractPutOptions<K, V>): Promise<void> {
    // Without options there is a shorter way, which its declaration does not know.
    return super.put(key, value, options as AbstractPutOptions<K, V>);
  }

  /** Deletes the entry of this key, if there is one. */
  override del(key: K): Promise<void>;
  override del<OwnK = K>(key: OwnK, options: AbstractDelOptions<OwnK> & SyncOption): Promise<void>;
  override del(key: K, options?: AbstractDelOptions<K>): Promise<void> {
    return super.del(key, options as AbstractDelOptions<K>);
  }

  /** Applies all operations or none; without arguments, begins a batch to which they are added. */
  override batch(operations: Array<AbstractBatchOperation<typeof this, K, V>>): Promise<void>;
  override batch<OwnK = K, OwnV = V>(
    operations: Array<AbstractBatchOperation<typeof this, OwnK, OwnV>>,
    options: AbstractBatchOptions<OwnK, OwnV> & SyncOption,
  ): Promise<void>;
  override batch(): AbstractChainedBatch<typeof this, K, V>;
  override batch(...given: unknown[]) {
    return Reflect.apply(super.batch, this, given);
  }

  #write(operations: readonly Operation[], options: SyncOption | undefined): Promise<void> {
    const pack: Pack = (into) => into.operations(operations);
    return this.#backend.write(pack, options?.sync ?? this.#strict);
  }

  /** Itself, without the types of its own options, which its iterators do not need. */
  get #plain() {
    return this as unknown as AbstractLevel<Data, K, V>;
  }

  /** A number that no other snapshot or iterator of this database has. */
  #number() {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** @internal */
  async _open(options: AbstractOpenOptions): Promise<void> {
    const { createIfMissing = true, errorIfExists = false } = options;
    const settings = settingsOf(this.#options);
    this.#failure = undefined;
    try {
      await this.#backend.open({ createIfMissing, errorIfExists, settings });
    } catch (thrown) {
      this.#failure = inOwnWords(thrown, this.#options);
      throw this.#failure;
    }
  }

  /** @internal */
  _close(): Promise<void> {
    return this.#backend.close();
  }

  /** Closes the database; also where this rejects, because the files have not taken everything. */
  override close(): Promise<void> {
    const closing = super.close();
    // The engine is gone all the same. abstract-level takes the database for open, and would never open it again.
    closing.catch(() => super.close().catch(() => {}));
    return closing;
  }

  /** @internal */
  _put(key: Data, value: Data, options: SyncOption): Promise<void> {
    return this.#write([{ type: 'put', key, value }], options);
  }

  /** @internal */
  _del(key: Data, options: SyncOption): Promise<void> {
    return this.#write([{ type: 'del', key }], options);
  }

  /** @internal */
  _batch(operations: readonly Operation[], options: SyncOption): Promise<void> {
    return this.#write(operations, options);
  }

  /** @internal */
  _get(key: Data, { snapshot, valueEncoding }: Encoded): Awaitable<Data | undefined> {
    return this.#backend.get(key, numberOf(snapshot, this.#backend), valueEncoding);
  }

  /** @internal */
  _getSync(key: Data, { snapshot, valueEncoding }: Encoded): Data | undefined {
    return this.#backend.getSync(key, numberOf(snapshot, this.#backend), valueEncoding);
  }

  /** @internal */
  _getMany(
    keys: readonly Data[],
    { snapshot, valueEncoding }: Encoded,
  ): Awaitable<(Data | undefined)[]> {
    return this.#backend.getMany(keys, numberOf(snapshot, this.#backend), valueEncoding);
  }

  /** @internal */
  _has(key: Data, { snapshot }: Encoded): Awaitable<boolean> {
    return this.#backend.has(key, numberOf(snapshot, this.#backend));
  }

  /** @internal */
  _hasMany(keys: readonly Data[], { snapshot }: Encoded): Awaitable<boolean[]> {
    return this.#backend.hasMany(keys, numberOf(snapshot, this.#backend));
  }

  /** @internal */
  _clear(options: EncodedRange): Promise<void> {
    return this.#backend.clear(this.#range(options, false, false), options.limit);
  }

  /** @internal */
  _snapshot(options: object): Snapshot {
    return new Snapshot(options, this.#backend, this.#number());
  }

  #range(options: EncodedRange, keys: boolean, values: boolean) {
    const snapshot = numberOf(options.snapshot, this.#backend);
    return packRange(options, { reverse: options.reverse, keys, values, snapshot });
  }

  #pages(options: EncodedRange, keys: boolean, values: boolean) {
    const { keyEncoding: key, valueEncoding: value, limit } = options;
    const wanted = { format: { key, value }, limit };
    return new Pages(this.#backend, this.#number(), this.#range(options, keys, values), wanted);
  }

  /** @internal */
  _iterator(options: EncodedRange): EntryIterator<K, V> {
    const { keys = true, values = true } = options;
    return new EntryIterator(this.#plain, options, this.#pages(options, keys, values));
  }

  /** @internal */
  _keys(options: EncodedRange): KeyIterator<K, V> {
    return new KeyIterator(this.#plain, options, this.#pages(options, true, false));
  }

  /** @internal */
  _values(options: EncodedRange): ValueIterator<K, V> {
    return new ValueIterator(this.#plain, options, this.#pages(options, false, true));
  }
}
