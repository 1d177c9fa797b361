// An engine in this thread.

import { Areas } from './areas';
import type {
  Awaitable,
  Backend,
  Data,
  EntryFormat,
  Format,
  OpenRequest,
  Pack,
  Page,
  Question,
  Take,
} from './backend';
import { blockedOn, errorOf, LevelscopeError, notOpen, openingError } from './error';
import { Maintenance } from './maintenance';
import { type Engine, type EngineDatabase, engine, type Load } from './module';
import type { Place } from './place';
import { soon, Turn } from './soon';
import { WriteQueue } from './writes';

/** Most bytes of a page of entries. */
export const PAGE_BYTES = 1 << 18;
/** Entries that a clear deletes as one batch. */
const CLEAR_ENTRIES = 1000;
/** Iterators of clears have numbers that no program gives. */
const CLEAR_ITERATORS = 0x8000_0000;

/** Longest time that opening spends on the background work that earlier, short uses have left [ms]. */
const CATCH_UP_MS = 300;

/** Memory for decompressed blocks, unless the program sets another. */
const CACHE = '16m';

/** Size of the log buffer in memory [bytes]: the records of one turn share a write to the file. */
const WAL_BUFFER = '64k';

export interface LocalOptions {
  readonly place: Place;
  readonly load: Load;
  readonly inspect: boolean;
  /** The place of a copy; absent where copies cannot be made. */
  readonly copyTo?: (location: string) => Place;
}

/** An open database and its areas. */
interface Opened {
  readonly database: EngineDatabase;
  readonly areas: Areas;
}

export class LocalEngine implements Backend {
  readonly isNear = true;
  /** The module's instance. One that has the only copy of the files stays when the database is closed. */
  #engine: Engine | undefined;
  #opened: Opened | undefined;
  readonly #turn = new Turn();
  readonly #maintenance: Maintenance;
  readonly #writes: WriteQueue;
  #clears = 0;

  constructor(private readonly options: LocalOptions) {
    this.#maintenance = new Maintenance(options.place);
    this.#writes = new WriteQueue({
      apply: (pack) => {
        const { database, areas } = this.opened();
        database.write(pack(areas));
      },
      settle: (sync) => {
        const { database } = this.opened();
        if (sync) database.sync();
        else database.writeOut();
      },
      unblocked: (call) => this.#unblocked(call),
      turn: this.#turn,
      maintenance: this.#maintenance,
    });
  }

  async open({ createIfMissing, errorIfExists, settings }: OpenRequest): Promise<void> {
    const { place, load, inspect } = this.options;
    this.#engine ??= await engine(inspect, load);
    const loaded = this.#engine;
    const files = await place.open(loaded, { createIfMissing });
    const all = { wal_buffer_bytes: WAL_BUFFER, cache_bytes: CACHE, ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    try {
      const database = await this.#unblocked(() =>
        loaded.Database.open(files, lines.join('\n'), createIfMissing, errorIfExists),
      );
      this.#opened = { database, areas: new Areas(database, loaded.memory) };
      this.#maintenance.begin(database);
      if (place.isCrowded) await this.#maintenance.goFor(CATCH_UP_MS);
    } catch (thrown) {
      await this.#leave();
      throw openingError(thrown, createIfMissing);
    }
  }

  async #leave() {
    const { place } = this.options;
    if (!place.isInMemory) this.#engine = undefined;
    await place.close();
  }

  async close(): Promise<void> {
    await this.#writes.ended();
    await this.#maintenance.stop();
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      opened?.database.close();
    } catch (thrown) {
      throw errorOf(thrown);
    } finally {
      opened?.database.free();
      await this.#leave();
    }
  }

  /** The database; throws where it is not open. */
  opened(): Opened {
    if (this.#opened === undefined) throw notOpen();
    return this.#opened;
  }

  /** Makes a call until no file has to be opened for it. */
  async #unblocked<T>(call: () => T, first?: unknown): Promise<T> {
    let thrown = first;
    for (;;) {
      const file = blockedOn(thrown);
      if (file !== undefined) await this.options.place.ahead(file);
      else if (thrown !== undefined) throw errorOf(thrown);
      try {
        return call();
      } catch (error) {
        thrown = error;
      }
    }
  }

  /** As `call`, for an answer that lies in the engine's memory: other events get their turn before. */
  #inPlace<T>(call: (opened: Opened) => T): Awaitable<T> {
    const end = this.#turn.overdue();
    if (end !== undefined) return end.then(() => this.#unblocked(() => call(this.opened())));
    return this.#atOnce(call);
  }

  /** Makes a call that reads: at once where that is possible. */
  call<T>(call: (opened: Opened) => T): Awaitable<T> {
    const answer = this.#atOnce(call);
    if (answer instanceof Promise) return answer;
    const end = this.#turn.overdue();
    return end === undefined ? answer : end.then(() => answer);
  }

  #atOnce<T>(call: (opened: Opened) => T): Awaitable<T> {
    try {
      return call(this.opened());
    } catch (thrown) {
      if (blockedOn(thrown) === undefined) throw errorOf(thrown);
      return this.#unblocked(() => call(this.opened()), thrown);
    }
  }

  /** Operations are packed when it is their turn. */
  write(operations: Pack, sync: boolean): Promise<void> {
    return this.#writes.write(operations, sync);
  }

  async sync(): Promise<void> {
    await this.#writes.settled(true);
  }

  async clear(range: Pack, limit: number): Promise<void> {
    await this.#writes.applied();
    if (limit < 0 && (await this.#clearAtOnce(range))) return this.#writes.settled(false);
    const number = CLEAR_ITERATORS + (this.#clears++ % CLEAR_ITERATORS);
    this.openIterator(number, range);
    try {
      let left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
      while (left > 0) {
        const count = Math.min(left, CLEAR_ENTRIES);
        const page = await this.#deletePage(number, count);
        left -= page >>> 1;
        if ((page & 1) === 1) break;
        // Other work gets its turn.
        await soon();
      }
    } finally {
      this.closeIterator(number);
    }
    await this.#writes.settled(false);
  }

  /** Deletes a range by one range tombstone, where that is possible. */
  #clearAtOnce(range: Pack): Promise<boolean> {
    return this.#writes.whenPossible(() => {
      const { database, areas } = this.opened();
      return database.clearRange(range(areas));
    });
  }

  /** Twice the count of entries that were deleted, and 1 more after the last ones. */
  #deletePage(number: number, count: number): Promise<number> {
    return this.#writes.whenPossible(() => this.opened().database.deletePage(number, count));
  }

  async compactRange(range: Pack): Promise<void> {
    await this.#writes.applied();
    await this.#writes.whenPossible(() => this.opened().database.requestFlush());
    await this.#maintenance.finish();
    await this.#writes.whenPossible(() => {
      const { database, areas } = this.opened();
      return database.requestCompaction(range(areas));
    });
    await this.#maintenance.finish();
  }

  approximateSize(range: Pack): Awaitable<number> {
    return this.call(({ database, areas }) => database.approximateSize(range(areas)));
  }

  get(key: Data, snapshot: number, format: Format): Awaitable<Data | undefined> {
    return this.call((opened) => valueFor(opened, key, snapshot, format));
  }

  /** As `get`, at once; throws where a file has to be opened first. */
  getSync(key: Data, snapshot: number, format: Format): Data | undefined {
    try {
      return valueFor(this.opened(), key, snapshot, format);
    } catch (thrown) {
      throw errorOf(thrown);
    }
  }

  getPacked<T>(keys: readonly Data[], take: Take<T>): Awaitable<T> {
    return this.#inPlace(({ database, areas }) => {
      database.getMany(areas.keys(keys), 0);
      return areas.take(keys.length, take);
    });
  }

  getMany(
    keys: readonly Data[],
    snapshot: number,
    format: Format,
  ): Awaitable<(Data | undefined)[]> {
    return this.call(({ database, areas }) => {
      database.getMany(areas.keys(keys), snapshot);
      return areas.values(keys.length, format);
    });
  }

  has(key: Data, snapshot: number): Awaitable<boolean> {
    return this.call(({ database, areas }) => database.get(areas.key(key), snapshot) >= 0);
  }

  hasMany(keys: readonly Data[], snapshot: number): Awaitable<boolean[]> {
    return this.call(({ database, areas }) => {
      database.hasMany(areas.keys(keys), snapshot);
      return areas.answers(keys.length);
    });
  }

  takeSnapshot(snapshot: number): void {
    this.opened().database.takeSnapshot(snapshot);
  }

  releaseSnapshot(snapshot: number): void {
    this.#opened?.database.releaseSnapshot(snapshot);
  }

  openIterator(iterator: number, range: Pack): void {
    const { database, areas } = this.opened();
    try {
      database.openIterator(iterator, range(areas));
    } catch {
      // Its snapshot is closed: reads of the iterator fail.
    }
  }

  nextPage(iterator: number, count: number, format: EntryFormat): Awaitable<Page> {
    return this.call(({ database, areas }) => {
      const page = database.nextPage(iterator, count, PAGE_BYTES);
      return { entries: areas.entries(page >>> 1, format), ended: (page & 1) === 1 };
    });
  }

  nextPacked<T>(iterator: number, count: number, take: Take<T>) {
    return this.#inPlace(({ database, areas }) => {
      const page = database.nextPage(iterator, count, PAGE_BYTES);
      return { entries: areas.take(page >>> 1, take), ended: (page & 1) === 1 };
    });
  }

  seek(iterator: number, target: Data): void {
    const { database, areas } = this.opened();
    try {
      database.seek(iterator, areas.key(target));
    } catch (thrown) {
      throw errorOf(thrown);
    }
  }

  closeIterator(iterator: number): void {
    this.#opened?.database.closeIterator(iterator);
  }

  async checkpoint(location: string): Promise<string> {
    const opened = this.opened();
    const loaded = this.#engine as Engine;
    const target = this.options.copyTo?.(location);
    if (target === undefined) {
      const message = 'checkpoints are made of databases in directories, in Node, Deno and Bun';
      throw new LevelscopeError({ kind: 'unsupported', message });
    }
    await this.#writes.applied();
    const files = await target.open(loaded, { createIfMissing: true });
    try {
      if (this.#opened !== opened) throw notOpen();
      return opened.database.checkpoint(files);
    } catch (thrown) {
      throw errorOf(thrown);
    } finally {
      await target.close();
    }
  }

  inspect(question: Question): Awaitable<string> {
    const { database, areas } = this.opened();
    if (!this.options.inspect) {
      const message = 'Open the database with { inspect: true } to watch it.';
      throw new LevelscopeError({ kind: 'unsupported', message });
    }
    switch (question.ask) {
      case 'listen':
        database.listen(question.wanted, question.details);
        return 'null';
      case 'events':
        return database.takeEvents(question.most, question.view);
      case 'recent':
        return database.recent(question.most);
      case 'view':
        return database.view();
      case 'stats':
        return database.stats();
      case 'explain':
        return this.call(() => database.explain(areas.key(question.key)));
    }
  }
}

function valueFor({ database, areas }: Opened, key: Data, snapshot: number, format: Format) {
  const bytes = database.get(areas.key(key), snapshot);
  return bytes < 0 ? undefined : areas.value(bytes, format);
}
