// The text in the file LOCK: whether a program has locked the file, and the lease of a program that cannot.

import { Buffer } from 'node:buffer';
import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { setInterval } from 'node:timers';

const SLOT_BYTES = 64;
const LOCKED = 0;
const LEASED = 1;

/** Time between two renewals of a lease [ms]. */
const RENEWAL_MS = 1000;
/** Time after which a lease that does not change counts as ended [ms]. */
const WATCH_MS = 5000;
/** Between two looks at it [ms]. */
const PAUSE_MS = 100;

/** The file LOCK, in two slots. */
export class LockFile {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(SLOT_BYTES);

  constructor(file: string) {
    this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT);
  }

  read(slot: number): string {
    const count = readSync(this.#descriptor, this.#buffer, 0, SLOT_BYTES, slot * SLOT_BYTES);
    return this.#buffer.toString('latin1', 0, count);
  }

  write(slot: number, text: string): void {
    writeSync(this.#descriptor, `${text.padEnd(SLOT_BYTES - 1)}\n`, slot * SLOT_BYTES, 'latin1');
  }

  /** For programs that cannot see the lock itself. A full disk must not refuse an opening. */
  markLocked(): void {
    try {
      this.write(LOCKED, 'locked');
    } catch {}
  }

  isLocked(): boolean {
    return this.read(LOCKED).startsWith('locked');
  }

  /** Whether a lease is renewed while it is watched; one that is not is ended. */
  async isLeaseAlive(): Promise<boolean> {
    const first = this.read(LEASED);
    if (!isLease(first)) return false;
    for (let watched = 0; watched < WATCH_MS; watched += PAUSE_MS) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const now = this.read(LEASED);
      if (now !== first) return isLease(now);
    }
    this.write(LEASED, 'free');
    return false;
  }

  /** Removes the mark, and nothing of a lease. Where there was never a lease, the file is empty again. */
  unmarkLocked(): void {
    if (this.read(LEASED) === '') ftruncateSync(this.#descriptor);
    else this.write(LOCKED, 'free');
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const isLease = (text: string) => text.startsWith('leased ');

/** The lease of this program. */
export class Lease {
  readonly #file: LockFile;
  readonly #refusal: string;
  readonly #name =
    `leased ${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`;
  readonly #timer: ReturnType<typeof setInterval>;
  #beat = 0;

  /** Takes it over; `refusal` is the message for the time after another program has done the same. */
  constructor(file: LockFile, refusal: string) {
    this.#file = file;
    this.#refusal = refusal;
    this.#write();
    this.#timer = setInterval(() => {
      try {
        if (this.#isOurs()) this.#write();
      } catch {
        // Without renewals another program may take it: the check finds that out.
      }
    }, RENEWAL_MS);
    this.#timer.unref();
  }

  #write(): void {
    this.#beat++;
    this.#file.write(LEASED, `${this.#name} ${this.#beat}`);
  }

  #isOurs(): boolean {
    return this.#file.read(LEASED).startsWith(this.#name);
  }

  /** Throws if another program has taken the database. */
  check(): void {
    if (this.#isOurs()) return;
    // The engine's module turns this name into an error of the kind `locked`.
    throw Object.assign(new Error(this.#refusal), { code: 'NoModificationAllowedError' });
  }

  /** Gives it back. */
  release(): void {
    clearInterval(this.#timer);
    if (this.#isOurs()) this.#file.write(LEASED, 'free');
  }
}
