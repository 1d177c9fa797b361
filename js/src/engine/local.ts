// An engine in this thread.

import { Areas } from './areas';
import type {
  Awaitable,
  Backend,
  Data,
  EntryFormat,
  Format,
  OpenRequest,
  Operation,
  Page,
  Question,
  RangeSpec,
} from './backend';
import { blockedOn, errorOf, LevelscopeError, troubleOf } from './error';
import { Maintenance } from './maintenance';
import { type EngineDatabase, engine, isInspected, type Load } from './module';
import type { Place } from './place';
import { soon } from './soon';
import { WriteQueue } from './writes';

/** Most bytes of a page of entries. */
const PAGE_BYTES = 1 << 18;
/** Entries that a clear deletes as one batch. */
const CLEAR_ENTRIES = 1000;
/** Iterators of clears have numbers that no program gives. */
const CLEAR_ITERATORS = 0x8000_0000;

/** What the log may hold in memory before it is written to its file [bytes]: writes of one turn share a write. */
const WAL_BUFFER = '64k';

export interface LocalOptions {
  readonly place: Place;
  readonly load: Load;
  readonly inspect: boolean;
}

export class LocalEngine implements Backend {
  readonly #place: Place;
  readonly #load: Load;
  readonly #inspect: boolean;
  #opened: { database: EngineDatabase; areas: Areas } | undefined;
  readonly #maintenance: Maintenance;
  readonly #writes: WriteQueue;
  #clears = 0;

  constructor({ place, load, inspect }: LocalOptions) {
    this.#place = place;
    this.#load = load;
    this.#inspect = inspect;
    this.#maintenance = new Maintenance(place);
    this.#writes = new WriteQueue({
      apply: (operations) => {
        const { database, areas } = this.#open();
        database.write(areas.operations(operations));
      },
      settle: (sync) => {
        const { database } = this.#open();
        if (sync) database.sync();
        else database.writeOut();
      },
      unblocked: (call) => this.#unblocked(call),
      maintenance: this.#maintenance,
    });
  }

  async open({ createIfMissing, errorIfExists, settings }: OpenRequest): Promise<void> {
    const loaded = await engine(this.#inspect, this.#load);
    const files = await this.#place.open(loaded, { createIfMissing });
    const all = { wal_buffer_bytes: WAL_BUFFER, ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    try {
      const database = await this.#unblocked(() =>
        loaded.Database.open(files, lines.join('\n'), createIfMissing, errorIfExists),
      );
      this.#opened = { database, areas: new Areas(database, loaded.memory) };
      this.#maintenance.begin(database);
    } catch (thrown) {
      await this.#place.close();
      const trouble = troubleOf(thrown);
      if (createIfMissing || trouble.kind !== 'notFound') throw errorOf(thrown);
      const message = `the database does not exist: ${trouble.message}`;
      throw new LevelscopeError({ ...trouble, message });
    }
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
      await this.#place.close();
    }
  }

  #open() {
    if (this.#opened === undefined) {
      throw new LevelscopeError({ kind: 'closed', message: 'the database is not open' });
    }
    return this.#opened;
  }

  /** Makes a call until no file has to be opened for it. */
  async #unblocked<T>(call: () => T, first?: unknown): Promise<T> {
    let thrown = first;
    for (;;) {
      const file = blockedOn(thrown);
      if (file !== undefined) await this.#place.ahead(file);
      else if (thrown !== undefined) throw errorOf(thrown);
      try {
        return call();
      } catch (error) {
        thrown = error;
      }
    }
  }

  /** Makes a call: at once where that is possible. */
  #call<T>(call: () => T): Awaitable<T> {
    try {
      return call();
    } catch (thrown) {
      if (blockedOn(thrown) !== undefined) return this.#unblocked(call, thrown);
      throw errorOf(thrown);
    }
  }

  write(operations: readonly Operation[], sync: boolean): Promise<void> {
    return this.#writes.write(operations, sync);
  }

  async sync(): Promise<void> {
    await this.#writes.settled(true);
  }

  async clear(range: RangeSpec, limit: number): Promise<void> {
    await this.#writes.applied();
    const number = CLEAR_ITERATORS + (this.#clears++ % CLEAR_ITERATORS);
    this.openIterator(number, { ...range, keys: false, values: false });
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

  /** Twice the count of entries that were deleted, and 1 more after the last ones. */
  #deletePage(number: number, count: number): Promise<number> {
    return this.#writes.whenPossible(() => this.#open().database.deletePage(number, count));
  }

  get(key: Data, snapshot: number, format: Format): Awaitable<Data | undefined> {
    return this.#call(() => this.getSync(key, snapshot, format));
  }

  /** As `get`, at once; throws where a file has to be opened first. */
  getSync(key: Data, snapshot: number, format: Format): Data | undefined {
    const { database, areas } = this.#open();
    const bytes = database.get(areas.key(key), snapshot);
    return bytes < 0 ? undefined : areas.value(bytes, format);
  }

  getMany(
    keys: readonly Data[],
    snapshot: number,
    format: Format,
  ): Awaitable<(Data | undefined)[]> {
    return this.#call(() => {
      const { database, areas } = this.#open();
      database.getMany(areas.keys(keys), snapshot);
      return areas.values(keys.length, format);
    });
  }

  has(key: Data, snapshot: number): Awaitable<boolean> {
    return this.#call(() => {
      const { database, areas } = this.#open();
      return database.get(areas.key(key), snapshot) >= 0;
    });
  }

  hasMany(keys: readonly Data[], snapshot: number): Awaitable<boolean[]> {
    return this.#call(() => {
      const { database, areas } = this.#open();
      database.hasMany(areas.keys(keys), snapshot);
      return areas.answers(keys.length);
    });
  }

  takeSnapshot(snapshot: number): void {
    this.#open().database.takeSnapshot(snapshot);
  }

  releaseSnapshot(snapshot: number): void {
    this.#opened?.database.releaseSnapshot(snapshot);
  }

  openIterator(iterator: number, range: RangeSpec): void {
    const { database, areas } = this.#open();
    try {
      database.openIterator(iterator, areas.range(range));
    } catch {
      // Its snapshot is closed: reads of the iterator fail.
    }
  }

  nextPage(iterator: number, count: number, format: EntryFormat): Awaitable<Page> {
    return this.#call(() => {
      const { database, areas } = this.#open();
      const page = database.nextPage(iterator, count, PAGE_BYTES);
      return { entries: areas.entries(page >>> 1, format), ended: (page & 1) === 1 };
    });
  }

  seek(iterator: number, target: Data): void {
    const { database, areas } = this.#open();
    try {
      database.seek(iterator, areas.key(target));
    } catch (thrown) {
      throw errorOf(thrown);
    }
  }

  closeIterator(iterator: number): void {
    this.#opened?.database.closeIterator(iterator);
  }

  inspect(question: Question): Awaitable<string> {
    const { database, areas } = this.#open();
    if (!isInspected(database)) {
      const message = 'open the database with { inspect: true } to watch it';
      throw new LevelscopeError({ kind: 'unsupported', message });
    }
    switch (question.ask) {
      case 'listen':
        database.listen(question.wanted, question.details);
        return 'null';
      case 'events':
        return database.takeEvents();
      case 'view':
        return database.view();
      case 'stats':
        return database.stats();
      case 'explain':
        return this.#call(() => database.explain(areas.key(question.key)));
    }
  }
}
