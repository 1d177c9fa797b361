// An engine in a worker of its own: what the main thread has in place of one.

import type {
  Backend,
  Data,
  EntryFormat,
  Format,
  OpenRequest,
  Pack,
  Page,
  Question,
  Take,
} from '../engine/backend';
import { LevelscopeError, notOpen } from '../engine/error';
import type { Load } from '../engine/module';
import { answersAt, entriesAt, type Packed, valueAt, valuesAt } from '../engine/packing';
import { Connection } from './connection';
import { Ask, type Box, type Frame, type Head, NO_LIMIT, Status } from './frames';

const encoder = new TextEncoder();

export interface RemoteOptions {
  readonly location: string;
  readonly load: Load;
  readonly inspect: boolean;
  readonly fallback: 'memory' | undefined;
  readonly start: () => Worker;
}

const nothing = () => {};
const none = () => 0;

function one(key: Data): Pack {
  return (into) => into.key(key);
}

function many(keys: readonly Data[]): Pack {
  return (into) => into.keys(keys);
}

export class RemoteEngine implements Backend {
  readonly isNear = false;
  #connection: Connection | undefined;
  #inMemory = false;

  constructor(private readonly options: RemoteOptions) {}

  /** Whether storage was denied and the fallback has been taken. */
  get inMemory(): boolean {
    return this.#inMemory;
  }

  async open(request: OpenRequest): Promise<void> {
    const { location, inspect, fallback, load, start } = this.options;
    const life = `levelscope-worker-${crypto.randomUUID()}`;
    const connection = new Connection(this.#started(start));
    this.#inMemory = await connection.open(async () => {
      const module = await load(inspect ? 'levelscope-inspect' : 'levelscope');
      return { levelscope: 'open', location, inspect, fallback, module, request, life };
    });
    this.#connection = connection;
  }

  #started(start: () => Worker): Worker {
    if (typeof Worker === 'undefined') {
      const message =
        'a database with files needs a page or a dedicated worker: shared and service workers cannot have one';
      throw new LevelscopeError({ kind: 'unsupported', message });
    }
    return start();
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined || connection.isEnded) return;
    try {
      await connection.ask(Ask.close, {}, none, nothing);
    } finally {
      connection.end(notOpen());
      this.#inMemory = false;
    }
  }

  #ask<T>(
    kind: number,
    head: Partial<Head>,
    pack: (box: Box) => number,
    take: (answer: Frame, packed: Packed) => T,
  ): Promise<T> {
    return this.#connection?.ask(kind, head, pack, take) ?? Promise.reject(notOpen());
  }

  #send(kind: number, number: number, pack: (box: Box) => number = none) {
    const connection = this.#connection;
    if (connection !== undefined) connection.send(kind, number, pack(connection.requests));
  }

  write(operations: Pack, sync: boolean): Promise<void> {
    return this.#ask(Ask.write, { extra: sync ? 1 : 0 }, operations, nothing);
  }

  sync(): Promise<void> {
    return this.#ask(Ask.sync, {}, none, nothing);
  }

  get(key: Data, snapshot: number, format: Format): Promise<Data | undefined> {
    return this.#ask(Ask.get, { number: snapshot }, one(key), ({ kind, start, length }, packed) =>
      kind === Status.absent ? undefined : valueAt(packed, start, length, format),
    );
  }

  getSync(): never {
    const message = 'the main thread cannot read files at once: await get()';
    throw new LevelscopeError({ kind: 'unsupported', message });
  }

  getMany(keys: readonly Data[], snapshot: number, format: Format): Promise<(Data | undefined)[]> {
    return this.#ask(Ask.getMany, { number: snapshot }, many(keys), ({ start }, packed) =>
      valuesAt(packed, start, keys.length, format),
    );
  }

  getPacked<T>(keys: readonly Data[], take: Take<T>): Promise<T> {
    return this.#ask(Ask.getMany, { number: 0 }, many(keys), ({ start }, packed) =>
      take(packed, start, keys.length),
    );
  }

  has(key: Data, snapshot: number): Promise<boolean> {
    const isThere = ({ kind }: Frame) => kind === Status.done;
    return this.#ask(Ask.has, { number: snapshot }, one(key), isThere);
  }

  hasMany(keys: readonly Data[], snapshot: number): Promise<boolean[]> {
    return this.#ask(Ask.hasMany, { number: snapshot }, many(keys), ({ start }, packed) =>
      answersAt(packed, start, keys.length),
    );
  }

  clear(range: Pack, limit: number): Promise<void> {
    const number = limit < 0 ? NO_LIMIT : Math.min(limit, NO_LIMIT);
    return this.#ask(Ask.clear, { number }, range, nothing);
  }

  compactRange(range: Pack): Promise<void> {
    return this.#ask(Ask.compactRange, {}, range, nothing);
  }

  approximateSize(range: Pack): Promise<number> {
    return this.#ask(Ask.approximateSize, {}, range, ({ start }, packed) =>
      packed.view.getFloat64(start, true),
    );
  }

  takeSnapshot(snapshot: number): void {
    this.#send(Ask.takeSnapshot, snapshot);
  }

  releaseSnapshot(snapshot: number): void {
    this.#send(Ask.releaseSnapshot, snapshot);
  }

  openIterator(iterator: number, range: Pack): void {
    this.#send(Ask.openIterator, iterator, range);
  }

  nextPage(iterator: number, count: number, format: EntryFormat): Promise<Page> {
    return this.nextPacked(iterator, count, (packed, at, given) =>
      entriesAt(packed, at, given, format),
    );
  }

  nextPacked<T>(iterator: number, count: number, take: Take<T>) {
    return this.#ask(
      Ask.nextPage,
      { number: iterator, extra: count },
      none,
      ({ start, extra }, packed) => ({
        entries: take(packed, start, extra >>> 1),
        ended: (extra & 1) === 1,
      }),
    );
  }

  seek(iterator: number, target: Data): void {
    this.#send(Ask.seek, iterator, one(target));
  }

  closeIterator(iterator: number): void {
    this.#send(Ask.closeIterator, iterator);
  }

  checkpoint(): Promise<string> {
    const message = 'checkpoints are made in Node, Deno and Bun';
    return Promise.reject(new LevelscopeError({ kind: 'unsupported', message }));
  }

  inspect(question: Question): Promise<string> {
    const bytes = (key: Data) => (typeof key === 'string' ? key : [...key]);
    const plain = question.ask === 'explain' ? { ...question, key: bytes(question.key) } : question;
    return this.#ask(
      Ask.inspect,
      {},
      (box) => box.copy(encoder.encode(JSON.stringify(plain))),
      ({ start, length }, packed) => packed.texts.utf8Slice(start, start + length),
    );
  }
}
