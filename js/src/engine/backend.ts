// The interface of an engine: one in this thread, or one in a worker that gets messages.

import type { Packed, Packing } from './packing';

/** A key or value: text, or bytes. */
export type Data = string | Uint8Array;

/** The form of a returned key or value. */
export type Format = 'utf8' | 'view';

/** One operation of a batch. */
export interface Operation {
  readonly type: 'put' | 'del';
  readonly key: Data;
  readonly value?: Data;
}

/** One end of a range. */
export interface Bound {
  readonly key: Data;
  readonly inclusive: boolean;
}

/** The range of an iterator, and the snapshot that it reads. */
export interface RangeSpec {
  readonly reverse: boolean;
  readonly keys: boolean;
  readonly values: boolean;
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
  /** Number of a snapshot; 0: the present. */
  readonly snapshot: number;
}

/** The forms of the parts of an entry. */
export interface EntryFormat {
  readonly key: Format;
  readonly value: Format;
}

/** A part of an entry that was not asked for is an empty string. */
export type Entry = [key: Data, value: Data];

/** The entries of one read, and whether there are no more. */
export interface Page {
  readonly entries: Entry[];
  readonly ended: boolean;
}

export type Awaitable<T> = T | Promise<T>;

/** Packs what a call is about; its length [bytes]. */
export type Pack = (into: Packing) => number;

/** Makes something of `count` packed values or entries at `at`. */
export type Take<T> = (packed: Packed, at: number, count: number) => T;

/** The arguments of an opening. */
export interface OpenRequest {
  readonly createIfMissing: boolean;
  readonly errorIfExists: boolean;
  /** Options of the engine, by their names there. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Snapshots and iterators have numbers that the caller gives, so that making one needs no answer. Calls take effect in
 * their order. A call that fails rejects with a LevelscopeError.
 */
export interface Backend {
  /** Whether the engine is in this thread. From another one, entries are read ahead of an iterator. */
  readonly isNear: boolean;

  open(request: OpenRequest): Promise<void>;
  close(): Promise<void>;

  /** Applies all packed operations or none; with `sync` they are durable when it resolves. */
  write(operations: Pack, sync: boolean): Promise<void>;
  /** Makes everything written so far durable. */
  sync(): Promise<void>;

  get(key: Data, snapshot: number, format: Format): Awaitable<Data | undefined>;
  /** As `get`, at once; throws where that is not possible. */
  getSync(key: Data, snapshot: number, format: Format): Data | undefined;
  getMany(keys: readonly Data[], snapshot: number, format: Format): Awaitable<(Data | undefined)[]>;
  /** As `getMany` of now; what `take` is given changes with the next call. */
  getPacked<T>(keys: readonly Data[], take: Take<T>): Awaitable<T>;
  has(key: Data, snapshot: number): Awaitable<boolean>;
  hasMany(keys: readonly Data[], snapshot: number): Awaitable<boolean[]>;
  /** Deletes the entries of a range, at most `limit` of them; -1: all, at once. With a limit or a snapshot, batch by batch. */
  clear(range: Pack, limit: number): Promise<void>;

  /** Flushes and compacts the tables of a range; resolves when both are done. */
  compactRange(range: Pack): Promise<void>;
  /** The bytes of a range in files and in memory. */
  approximateSize(range: Pack): Awaitable<number>;

  takeSnapshot(snapshot: number): void;
  releaseSnapshot(snapshot: number): void;

  openIterator(iterator: number, range: Pack): void;
  /** Up to `count` entries; fewer where they are long. */
  nextPage(iterator: number, count: number, format: EntryFormat): Awaitable<Page>;
  /** The same; what `take` is given changes with the next call. */
  nextPacked<T>(
    iterator: number,
    count: number,
    take: Take<T>,
  ): Awaitable<{ readonly entries: T; readonly ended: boolean }>;
  seek(iterator: number, target: Data): void;
  closeIterator(iterator: number): void;

  /** Copies the database as it is now to another place, and answers with a report as JSON. */
  checkpoint(location: string): Promise<string>;

  /** A question of inspection, and its answer as JSON. */
  inspect(question: Question): Awaitable<string>;
}

/** Questions to the module with inspection. */
export type Question =
  | { readonly ask: 'listen'; readonly wanted: boolean; readonly details: boolean }
  /** The newest `most` events since the last time, with the state after them where it is wanted. */
  | { readonly ask: 'events'; readonly most: number; readonly view: boolean }
  /** The newest entries of each memtable. */
  | { readonly ask: 'recent'; readonly most: number }
  | { readonly ask: 'view' | 'stats' }
  | { readonly ask: 'explain'; readonly key: Data };
