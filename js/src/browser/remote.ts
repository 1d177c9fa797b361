// An engine in a worker of its own: what the main thread has in place of one.

import type {
  Backend,
  Data,
  EntryFormat,
  Format,
  OpenRequest,
  Operation,
  Page,
  Question,
  RangeSpec,
} from '../engine/backend';
import { LevelscopeError, type Trouble } from '../engine/error';
import type { Load } from '../engine/module';
import { answersAt, entriesAt, type Packed, packedIn, valueAt, valuesAt } from '../engine/packing';
import { Ask, Box, type Frame, framesOf, type Head, Told } from './frames';
import { hold } from './lock';
import type { Opened, Opening } from './protocol';

/** A clear without a limit. */
const NO_LIMIT = 0xffff_ffff;
const IDS = 0xffff_ffff;

const encoder = new TextEncoder();

const closed = () => new LevelscopeError({ kind: 'closed', message: 'the database is not open' });

const lost = (why: string) => {
  const message =
    `the worker of the database ${why}: writes under way may or may not have happened. Close the ` +
    'database and open it again';
  return new LevelscopeError({ kind: 'lost', message });
};

/** What waits for an answer. */
interface Waiting {
  readonly take: (answer: Frame, packed: Packed) => void;
  readonly reject: (error: Error) => void;
}

export interface RemoteOptions {
  readonly location: string;
  readonly load: Load;
  readonly inspect: boolean;
  readonly fallback: 'memory' | undefined;
  readonly start: () => Worker;
}

/** A worker and what it has been asked. */
class Connection {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly requests: Box;
  #ids = 0;
  /** Why nothing more can be asked. */
  #ended: Error | undefined;
  readonly #watch = new AbortController();
  readonly #opening: Waiting['reject'][] = [];

  constructor(worker: Worker) {
    this.#worker = worker;
    this.requests = new Box((message, transfer) => worker.postMessage(message, transfer));
  }

  /** Opens the database; resolves to whether it is only in memory. */
  open(opening: () => Promise<Opening>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#opening.push(reject);
      const worker = this.#worker;
      worker.onerror = (event) => {
        event.preventDefault();
        const why = event.message ? `stopped (${event.message})` : 'could not be started';
        this.end(lost(why));
      };
      worker.onmessage = ({ data }: MessageEvent<Opened | Uint8Array<ArrayBuffer>>) => {
        if (data instanceof Uint8Array) this.#receive(data);
        else if (data.state === 'alive') this.#mourn(life);
        else if (data.state === 'open') resolve(data.inMemory);
        else this.end(new LevelscopeError(data.trouble));
      };
      let life = '';
      opening().then(
        (message) => {
          life = message.life;
          worker.postMessage(message);
        },
        (thrown) => this.end(thrown),
      );
    });
  }

  /** Learns when the worker dies: then the browser frees its lock. */
  #mourn(life: string) {
    hold(life, { signal: this.#watch.signal }).then(
      (held) => {
        held?.release();
        this.end(lost('is gone'));
      },
      () => {},
    );
  }

  #receive(message: Uint8Array<ArrayBuffer>) {
    const packed = packedIn(message);
    for (const frame of framesOf(packed.view)) {
      const waiting = this.#waiting.get(frame.id);
      this.#waiting.delete(frame.id);
      if (frame.kind === Told.failed) {
        const trouble: Trouble = JSON.parse(
          packed.texts.utf8Slice(frame.start, frame.start + frame.length),
        );
        waiting?.reject(new LevelscopeError(trouble));
      } else waiting?.take(frame, packed);
    }
  }

  /** Says something that has no answer; `bytes` of the box were packed for it. */
  tell(kind: number, number: number, bytes = 0) {
    if (this.#ended === undefined) this.requests.add(kind, { number }, bytes);
  }

  /** Asks; `pack` packs what it is about, and `take` reads the answer. */
  ask<T>(
    kind: number,
    head: Partial<Head>,
    pack: (box: Box) => number,
    take: (answer: Frame, packed: Packed) => T,
  ): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#ids = (this.#ids % IDS) + 1;
      const id = this.#ids;
      const bytes = pack(this.requests);
      this.#waiting.set(id, {
        take: (answer, packed) => resolve(take(answer, packed)),
        reject,
      });
      this.requests.add(kind, { ...head, id }, bytes);
    });
  }

  /** Ends the worker; what waits is rejected with `error`. */
  end(error: Error) {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#watch.abort();
    this.#worker.terminate();
    for (const reject of this.#opening) reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Whether the worker has gone away by itself. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }
}

const nothing = () => {};
const none = () => 0;

export class RemoteEngine implements Backend {
  readonly isNear = false;
  readonly #options: RemoteOptions;
  #connection: Connection | undefined;
  #inMemory = false;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** Whether storage was denied and the fallback has been taken. */
  get inMemory(): boolean {
    return this.#inMemory;
  }

  async open(request: OpenRequest): Promise<void> {
    const { location, inspect, fallback, load, start } = this.#options;
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
      connection.end(closed());
      this.#inMemory = false;
    }
  }

  #ask<T>(
    kind: number,
    head: Partial<Head>,
    pack: (box: Box) => number,
    take: (answer: Frame, packed: Packed) => T,
  ): Promise<T> {
    return this.#connection?.ask(kind, head, pack, take) ?? Promise.reject(closed());
  }

  #tell(kind: number, number: number, pack: (box: Box) => number = none) {
    const connection = this.#connection;
    if (connection !== undefined) connection.tell(kind, number, pack(connection.requests));
  }

  write(operations: readonly Operation[], sync: boolean): Promise<void> {
    const head = { extra: sync ? 1 : 0 };
    return this.#ask(Ask.write, head, (box) => box.operations(operations), nothing);
  }

  sync(): Promise<void> {
    return this.#ask(Ask.sync, {}, none, nothing);
  }

  get(key: Data, snapshot: number, format: Format): Promise<Data | undefined> {
    return this.#ask(
      Ask.get,
      { number: snapshot },
      (box) => box.key(key),
      ({ kind, start, length }, packed) =>
        kind === Told.absent ? undefined : valueAt(packed, start, length, format),
    );
  }

  getSync(): never {
    const message = 'the main thread cannot read files at once: await get()';
    throw new LevelscopeError({ kind: 'unsupported', message });
  }

  getMany(keys: readonly Data[], snapshot: number, format: Format): Promise<(Data | undefined)[]> {
    return this.#ask(
      Ask.getMany,
      { number: snapshot },
      (box) => box.keys(keys),
      ({ start }, packed) => valuesAt(packed, start, keys.length, format),
    );
  }

  has(key: Data, snapshot: number): Promise<boolean> {
    return this.#ask(
      Ask.has,
      { number: snapshot },
      (box) => box.key(key),
      ({ kind }) => kind === Told.done,
    );
  }

  hasMany(keys: readonly Data[], snapshot: number): Promise<boolean[]> {
    return this.#ask(
      Ask.hasMany,
      { number: snapshot },
      (box) => box.keys(keys),
      ({ start }, packed) => answersAt(packed, start, keys.length),
    );
  }

  clear(range: RangeSpec, limit: number): Promise<void> {
    const number = limit < 0 ? NO_LIMIT : Math.min(limit, NO_LIMIT);
    return this.#ask(Ask.clear, { number }, (box) => box.range(range), nothing);
  }

  takeSnapshot(snapshot: number): void {
    this.#tell(Ask.takeSnapshot, snapshot);
  }

  releaseSnapshot(snapshot: number): void {
    this.#tell(Ask.releaseSnapshot, snapshot);
  }

  openIterator(iterator: number, range: RangeSpec): void {
    this.#tell(Ask.openIterator, iterator, (box) => box.range(range));
  }

  nextPage(iterator: number, count: number, format: EntryFormat): Promise<Page> {
    return this.#ask(
      Ask.nextPage,
      { number: iterator, extra: count },
      none,
      ({ start, extra }, packed) => ({
        entries: entriesAt(packed, start, extra >>> 1, format),
        ended: (extra & 1) === 1,
      }),
    );
  }

  seek(iterator: number, target: Data): void {
    this.#tell(Ask.seek, iterator, (box) => box.key(target));
  }

  closeIterator(iterator: number): void {
    this.#tell(Ask.closeIterator, iterator);
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
