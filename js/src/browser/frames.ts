// Requests and answers between two threads: many of them as one array of bytes.

import { Packing } from '../engine/packing';

/** The kind of a request. */
export const Ask = {
  write: 1,
  sync: 2,
  get: 3,
  getMany: 4,
  hasMany: 5,
  clear: 6,
  takeSnapshot: 7,
  releaseSnapshot: 8,
  openIterator: 9,
  nextPage: 10,
  seek: 11,
  closeIterator: 12,
  inspect: 13,
  close: 14,
  has: 15,
  compactRange: 16,
  approximateSize: 17,
} as const;

/** The status of an answer. */
export const Status = {
  done: 0,
  absent: 1,
  /** The bytes are a `Trouble` as JSON. */
  failed: 2,
} as const;

/** The numbers before the bytes of a request or an answer; each has 32 bits. */
export interface Head {
  /** One of `Ask`, or of `Status`. */
  readonly kind: number;
  /** The number of a request, and of its answer; 0: a one-way message. */
  readonly id: number;
  /** A snapshot, an iterator, or a limit. */
  readonly number: number;
  /** A count, or a flag. */
  readonly extra: number;
}

/** A frame of a message: its numbers, and where its bytes are. */
export interface Frame extends Head {
  readonly start: number;
  readonly length: number;
}

/** The number of a clear without a limit. */
export const NO_LIMIT = 0xffff_ffff;

const HEAD_BYTES = 20;
const SMALLEST = 1 << 12;
/** Longer messages are handed over with their whole area; shorter ones are copied out of it [bytes]. */
const HANDED_BYTES = 1 << 16;
/** An area that is longer is not kept [bytes]. */
const KEPT_BYTES = 1 << 20;

/** The request or answers of one turn, until they are sent. */
export class Box extends Packing {
  #bytes = new Uint8Array(SMALLEST);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  readonly #post: (message: Uint8Array, transfer: Transferable[]) => void;

  constructor(post: (message: Uint8Array, transfer: Transferable[]) => void) {
    super();
    this.#post = post;
  }

  protected get bytes() {
    return this.#bytes;
  }

  protected get view() {
    return this.#view;
  }

  protected room(bytes: number): number {
    const start = this.#used + HEAD_BYTES;
    if (start + bytes > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(2 * this.#bytes.length, start + bytes));
      longer.set(this.#bytes.subarray(0, this.#used));
      this.#replace(longer);
    }
    return start;
  }

  #replace(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  /** Adds a frame whose bytes have been packed just now: `length` of them. Sent after this turn. */
  add(kind: number, { id = 0, number = 0, extra = 0 }: Partial<Head>, length = 0) {
    if (length === 0) this.room(0);
    if (this.#used === 0) queueMicrotask(() => this.send());
    const at = this.#used;
    this.#view.setUint32(at, kind, true);
    this.#view.setUint32(at + 4, id, true);
    this.#view.setUint32(at + 8, number, true);
    this.#view.setUint32(at + 12, extra, true);
    this.#view.setUint32(at + 16, length, true);
    this.#used = at + HEAD_BYTES + length;
    if (this.#used >= KEPT_BYTES) this.send();
  }

  /** Sends what there is. */
  send() {
    if (this.#used === 0) return;
    const whole = this.#used >= HANDED_BYTES && this.#used * 2 >= this.#bytes.length;
    const message = whole ? this.#bytes.subarray(0, this.#used) : this.#bytes.slice(0, this.#used);
    if (whole || this.#bytes.length > KEPT_BYTES) this.#replace(new Uint8Array(SMALLEST));
    this.#used = 0;
    this.#post(message, [message.buffer]);
  }
}

/** The frames of a message, in their order. */
export function* framesOf(view: DataView): Generator<Frame, void, undefined> {
  let at = 0;
  while (at < view.byteLength) {
    const number = (offset: number) => view.getUint32(at + offset, true);
    const start = at + HEAD_BYTES;
    const length = number(16);
    yield { kind: number(0), id: number(4), number: number(8), extra: number(12), start, length };
    at = start + length;
  }
}
