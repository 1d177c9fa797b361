// Writes in the order of their calls; those of one turn share a write to the log, and a sync if one of them asked for it.

import type { Pack } from './backend';
import { blockedOn, errorOf, isStalled } from './error';
import type { Maintenance } from './maintenance';
import type { Turn } from './soon';

/** The writes of one turn: they resolve together. */
interface Group {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  sync: boolean;
}

/** A write that waits for the ones before it. */
interface WaitingWrite {
  readonly pack: Pack;
  readonly sync: boolean;
  readonly resolve: (done: Promise<void>) => void;
  readonly reject: (error: Error) => void;
}

/** The part of an engine that a queue calls. */
interface Needs {
  /** Applies operations in memory, as one. */
  readonly apply: (pack: Pack) => void;
  /** Hands what was applied to the files, durably or not. */
  readonly settle: (sync: boolean) => void;
  /** Makes a call until no file has to be opened for it. */
  readonly unblocked: <T>(call: () => T) => Promise<T>;
  readonly turn: Turn;
  readonly maintenance: Maintenance;
}

export class WriteQueue {
  readonly #waiting: WaitingWrite[] = [];
  /** While the waiting writes are being written. */
  #draining: Promise<void> | undefined;
  #group: Group | undefined;

  constructor(private readonly needs: Needs) {}

  write(pack: Pack, sync: boolean): Promise<void> {
    if (this.#draining === undefined) {
      try {
        this.needs.apply(pack);
        return this.#settling(sync);
      } catch (thrown) {
        if (blockedOn(thrown) === undefined && !isStalled(thrown)) {
          return Promise.reject(this.needs.maintenance.errorOf(thrown));
        }
      }
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ pack, sync, resolve, reject });
      this.#draining ??= this.#drain().finally(() => {
        this.#draining = undefined;
      });
    });
  }

  /** Resolves when every write so far is in memory. */
  async applied(): Promise<void> {
    await this.#draining;
  }

  /** Resolves when every write so far is in the files, with `sync` durably. */
  async settled(sync: boolean): Promise<void> {
    await this.#draining;
    await this.#settling(sync);
  }

  /** Resolves when no write is under way; never rejects. */
  async ended(): Promise<void> {
    await this.#draining;
    await this.#group?.promise.catch(() => {});
  }

  /** Makes a call that writes: as often as a file has to be opened, or background work done, before it can. */
  async whenPossible<T>(call: () => T): Promise<T> {
    for (;;) {
      try {
        return await this.needs.unblocked(call);
      } catch (thrown) {
        if (!isStalled(thrown)) throw this.needs.maintenance.errorOf(thrown);
        await this.needs.maintenance.goForWrite();
      }
    }
  }

  /** Writes what waits, in its order. */
  async #drain(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      try {
        await this.whenPossible(() => this.needs.apply(next.pack));
        next.resolve(this.#settling(next.sync));
      } catch (thrown) {
        next.reject(errorOf(thrown));
      }
      this.#waiting.shift();
    }
  }

  /** The end of this turn, at which its writes reach the files. */
  #settling(sync: boolean): Promise<void> {
    this.#group ??= this.#newGroup();
    this.#group.sync ||= sync;
    return this.#group.promise;
  }

  #newGroup(): Group {
    let resolve = () => {};
    let reject: Group['reject'] = () => {};
    const promise = new Promise<void>((fulfil, refuse) => {
      resolve = fulfil;
      reject = refuse;
    });
    const end = this.needs.turn.overdue();
    if (end === undefined) queueMicrotask(() => this.#settle());
    else void end.then(() => this.#settle());
    return { promise, resolve, reject, sync: false };
  }

  #settle() {
    const group = this.#group;
    this.#group = undefined;
    if (group === undefined) return;
    try {
      this.needs.settle(group.sync);
      group.resolve();
    } catch (thrown) {
      group.reject(this.needs.maintenance.errorOf(thrown));
    }
    this.needs.maintenance.go();
  }
}
