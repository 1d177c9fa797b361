// The connection of a database to its worker: requests, their answers, and the end of either side.

import { LevelscopeError, type Trouble } from '../engine/error';
import { type Packed, packedIn } from '../engine/packing';
import { hold } from '../origin/lock';
import { Box, type Frame, framesOf, type Head, Status } from './frames';
import type { Opened, Opening } from './protocol';

const IDS = 0xffff_ffff;

const lost = (why: string) => {
  const message =
    `the worker of the database ${why}: writes under way may or may not have happened. Close the ` +
    'database and open it again';
  return new LevelscopeError({ kind: 'lost', message });
};

/** A request that waits for its answer. */
interface Waiting {
  readonly take: (answer: Frame, packed: Packed) => void;
  readonly reject: (error: Error) => void;
}

/** A worker and what it has been asked. */
export class Connection {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly requests: Box;
  #ids = 0;
  /** The end of the connection: every later request fails with it. */
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
      if (frame.kind === Status.failed) {
        const trouble: Trouble = JSON.parse(
          packed.texts.utf8Slice(frame.start, frame.start + frame.length),
        );
        waiting?.reject(new LevelscopeError(trouble));
      } else waiting?.take(frame, packed);
    }
  }

  /** Sends a one-way message; `bytes` of the box were packed for it. */
  send(kind: number, number: number, bytes = 0) {
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
