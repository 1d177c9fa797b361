// Watching the engine at work.

import type { Backend, Data } from './engine/backend';

/** Something that the engine did, in words. */
export interface EngineEvent {
  /** Position in the stream of events. */
  readonly id: number;
  /** 0 for operations and phases; details count from 1 after each. */
  readonly detail: number;
  /** Its name, which never changes: `flush.begin`, `table.installed` … */
  readonly name: string;
  /** What happened, as a sentence. */
  readonly sentence: string;
  /** The job that did it, where one did. */
  readonly job: number | null;
  /** The event that made this one happen. */
  readonly cause: number | null;
  /** The objects that it made, changed, removed or read: `table:12`. */
  readonly touches: readonly { readonly object: string; readonly effect: string }[];
  /** How it changes a view. */
  readonly patches: readonly unknown[];
  readonly [field: string]: unknown;
}

/** How often the engine is asked for its events, where they are watched [ms]. */
const PERIOD_MS = 50;

interface Owner {
  readonly status: string;
  once(event: 'closing', listener: () => void): unknown;
  off(event: 'closing', listener: () => void): unknown;
}

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** What the engine does and why: needs a database that was opened with `inspect: true`. */
export class Inspection {
  readonly #backend: Backend;
  readonly #owner: Owner;
  #listeners = 0;

  /** @internal */
  constructor(backend: Backend, owner: Owner) {
    this.#backend = backend;
    this.#owner = owner;
  }

  async #ask<T>(question: Parameters<Backend['inspect']>[0]): Promise<T> {
    return JSON.parse(await this.#backend.inspect(question));
  }

  /** Everything that the engine does from now on, until the loop is left or the database closes. */
  async *events({ details = false } = {}): AsyncGenerator<EngineEvent, void, undefined> {
    let closing = false;
    const close = () => {
      closing = true;
    };
    this.#owner.once('closing', close);
    await this.#ask({ ask: 'listen', wanted: true, details });
    this.#listeners += 1;
    try {
      while (!closing && this.#owner.status === 'open') {
        const { events } = await this.#ask<{ events: EngineEvent[] }>({ ask: 'events' });
        yield* events;
        if (events.length === 0) await wait(PERIOD_MS);
      }
    } finally {
      this.#listeners -= 1;
      this.#owner.off('closing', close);
      if (this.#listeners === 0 && this.#owner.status === 'open') {
        await this.#ask({ ask: 'listen', wanted: false, details: false });
      }
    }
  }

  /** Every stop on the way to the value of `key`: memtables, tables skipped and searched, filters, blocks. */
  explain(key: Data): Promise<{ found: boolean; stops: readonly unknown[] }> {
    return this.#ask({ ask: 'explain', key });
  }

  /** Figures since opening: operations, bytes, amplification with its terms. */
  stats(): Promise<Record<string, unknown>> {
    return this.#ask({ ask: 'stats' });
  }

  /** The whole state: memtables, logs, levels with their tables, jobs. */
  view(): Promise<Record<string, unknown>> {
    return this.#ask({ ask: 'view' });
  }
}
