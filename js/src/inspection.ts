// Watching the engine at work.

import type { Backend, Data, Question } from './engine/backend';
import { LevelscopeError } from './engine/error';
import { type Batch, Follower, Following, type Manner } from './following';
import { wait } from './wait';

/** Something that the engine did, in words. */
export interface EngineEvent {
  /** Position in the stream of events. */
  readonly id: number;
  /** 0 for operations and phases; details count from 1 after each. */
  readonly detail: number;
  /** The name of the event, which never changes: `flush.begin`, `table.installed` … */
  readonly name: string;
  /** The event as a sentence. */
  readonly sentence: string;
  /** The job that did it, where one did. */
  readonly job: number | null;
  /** The event that made this one happen. */
  readonly cause: number | null;
  /** The objects that it made, changed, removed or read: `table:12`. */
  readonly touches: readonly { readonly object: string; readonly effect: string }[];
  /** The changes of a view. */
  readonly patches: readonly unknown[];
  readonly [field: string]: unknown;
}

/** One level of the tree. */
export interface Level {
  readonly level: number;
  readonly tables: readonly {
    readonly table: number;
    readonly bytes: number;
    readonly entries: number;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
}

/** Time between two questions for events [ms]. */
const PERIOD_MS = 50;
/** Most events that are fetched at a time; the engine keeps no more than these. */
const EVENTS_MAX = 10_000;

interface Owner {
  readonly status: string;
  keyEncoding(): { encode(key: unknown): Data };
  open(options: { passive: boolean }): Promise<void>;
  once(event: 'closing', listener: () => void): unknown;
  off(event: 'closing', listener: () => void): unknown;
}

/** Options of a loop over events. */
export interface EventOptions {
  /** Whether comparisons, filter bits and single entries of merges are events, too. Default: `false`. */
  readonly details?: boolean | undefined;
  /** Ends the loop when it is aborted, also while nothing happens. Default: none; the loop ends with the database. */
  readonly signal?: AbortSignal | undefined;
}

/** The way of a lookup. */
export interface Explanation {
  readonly found: boolean;
  /** The entry that decided; a tombstone, where the key was deleted. */
  readonly winner: { readonly sequence: number; readonly entry: string } | null;
  /** Memtables, tables that were skipped by range or filter, and tables that were searched, in their order. */
  readonly stops: readonly { readonly stop: string; readonly [field: string]: unknown }[];
}

/** Figures since opening; the most important ones are named here. Amplifications are `null` while nothing was written or read. */
export interface Stats {
  readonly puts: number;
  readonly deletes: number;
  readonly gets: number;
  /** Keys and values that the program has written [bytes]. */
  readonly userBytes: number;
  readonly walBytes: number;
  readonly flushes: number;
  readonly flushBytes: number;
  readonly compactions: number;
  readonly compactionWriteBytes: number;
  readonly stalls: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  /** Length of all tables [bytes]. */
  readonly tableBytes: number;
  /** Bytes written to files ÷ bytes that the program has written. */
  readonly writeAmplification: number | null;
  /** Tables searched by a lookup, on average. */
  readonly readAmplification: number | null;
  /** Bytes of all tables ÷ estimated bytes of the live data. */
  readonly spaceAmplificationEstimate: number | null;
  readonly [figure: string]: number | null;
}

/** Options of a picture that follows the engine. */
interface PictureOptions {
  /** Ends the following, when it is aborted. */
  readonly signal: AbortSignal;
  /** Where more events than these happen between two pictures, only the newest ones are fetched, with the state. */
  readonly most: number;
  /** Time between two pictures [ms]. */
  readonly periodMs: number;
}

/** Events, figures and state of an engine. In a browser it needs a database that was opened with `inspect: true`. */
export class Inspection {
  readonly #backend: Backend;
  readonly #owner: Owner;
  readonly #following: Following;

  /** @internal */
  constructor(
    backend: Backend,
    owner: Owner,
    private readonly failure: () => unknown,
  ) {
    this.#backend = backend;
    this.#owner = owner;
    this.#following = new Following((question) => this.#ask(question));
  }

  async #ask<T>(question: Question): Promise<T> {
    await this.#opening();
    return JSON.parse(await this.#backend.inspect(question));
  }

  /** Waits for an opening that is under way. */
  async #opening(): Promise<void> {
    if (this.#owner.status !== 'opening') return;
    try {
      await this.#owner.open({ passive: true });
    } catch (error) {
      // abstract-level gives the cause only to the caller who opens.
      if (error instanceof Error) error.cause ??= this.failure();
      throw error;
    }
  }

  /** Batches until the signal is aborted or the database closes. */
  async *#batches(
    manner: Manner,
    periodMs: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Batch[], void, undefined> {
    const closing = new AbortController();
    const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const follower = new Follower(manner);
    const close = () => {
      this.#following.forget(follower);
      closing.abort();
    };
    this.#owner.once('closing', close);
    try {
      await this.#following.join(follower);
      while (!ended.aborted) {
        await this.#following.fetch();
        const batches = follower.take();
        if (batches.length > 0) yield batches;
        else await wait(periodMs, ended);
      }
    } catch (thrown) {
      // A question on its way finds a closed database.
      if (!closing.signal.aborted) throw thrown;
    } finally {
      this.#owner.off('closing', close);
      // An engine that did not open has no events to end; asking it would hide why.
      if (this.#owner.status !== 'open') close();
      if (!closing.signal.aborted) await this.#following.leave(follower);
    }
  }

  /**
   * Everything that the engine does from now on, until the loop is left or the database closes. Where more happens than
   * the loop can take, older events are left out: their numbers are missing. Open the database before: opening
   * itself reports nothing.
   */
  async *events(options: EventOptions = {}): AsyncGenerator<EngineEvent, void, undefined> {
    const { details = false, signal } = options;
    const manner = { details, most: EVENTS_MAX, view: false };
    for await (const batches of this.#batches(manner, PERIOD_MS, signal)) {
      for (const { events } of batches) yield* events;
    }
  }

  /** @internal What pictures follow: the state, then what happens and, where it does not lead there, the state again. */
  async *pictures(options: PictureOptions): AsyncGenerator<Batch[], void, undefined> {
    const { signal, most, periodMs } = options;
    const manner = { details: false, most, view: true };
    for await (const batches of this.#batches(manner, periodMs, signal)) {
      yield batches;
      await wait(periodMs, signal);
    }
  }

  /** @internal The newest entries of each memtable. */
  recent<Entries>(most: number): Promise<Entries> {
    return this.#ask({ ask: 'recent', most });
  }

  /** Every stop on the way to the value of `key`: memtables, tables skipped and searched, filters, blocks. */
  async explain(key: unknown): Promise<Explanation> {
    if (key === undefined || key === null) {
      throw new LevelscopeError({ kind: 'invalidArgument', message: 'a key is missing' });
    }
    return this.#ask({ ask: 'explain', key: this.#owner.keyEncoding().encode(key) });
  }

  /** Figures since opening: operations, bytes, amplification with its terms. */
  stats(): Promise<Stats> {
    return this.#ask({ ask: 'stats' });
  }

  /** The levels of the tree, with their tables: L0, whose tables may overlap, first. */
  async levels(): Promise<readonly Level[]> {
    const { levels } = await this.#ask<{ levels: Omit<Level, 'level'>[] }>({ ask: 'view' });
    return levels.map((found, level) => ({ ...found, level }) as Level);
  }

  /**
   * Copies the database as it is now into the empty or absent `directory`, durably; writes go on after it. The copy is a
   * database of its own. In Node, Deno and Bun only. It holds the thread while it copies the tables.
   */
  async checkpoint(directory: string): Promise<{ sequence: number; tablesCopied: number }> {
    await this.#opening();
    return JSON.parse(await this.#backend.checkpoint(directory));
  }

  /** The whole state: memtables, logs, levels with their tables, jobs. */
  view(): Promise<Record<string, unknown>> {
    return this.#ask({ ask: 'view' });
  }
}
