// Background work of an engine in this thread: flushes and compactions, in slices between events.

import { blockedOn, errorOf, LevelscopeError, notOpen, type Trouble, troubleOf } from './error';
import type { EngineDatabase } from './module';
import type { Place } from './place';
import { soon } from './soon';

/** Longest slice of background work [ms]. */
const SLICE_MS = 4;
/** Work between two looks at the clock [entries]. */
const STEP_ENTRIES = 64;

/** Works for a few milliseconds; whether there is more to do. */
function slice(database: EngineDatabase): boolean {
  const end = performance.now() + SLICE_MS;
  do {
    if (!database.step(STEP_ENTRIES)) return false;
  } while (performance.now() < end);
  return true;
}

export class Maintenance {
  #database: EngineDatabase | undefined;
  #working: Promise<void> | undefined;
  /** The error that ended background work. */
  #trouble: Error | undefined;
  /** The failure of a job: since then the database takes no writes. */
  #failure: Trouble | undefined;

  constructor(private readonly place: Place) {}

  /** From now on there is work for `database`. */
  begin(database: EngineDatabase) {
    this.#database = database;
    this.#failure = undefined;
    this.go();
  }

  /** Resolves when no slice runs any more; an unfinished job is given up with the database. */
  async stop(): Promise<void> {
    this.#database = undefined;
    await this.#working;
  }

  /** Works until there is nothing to do; resolves then, and never rejects. */
  go(): Promise<void> {
    if (this.#working === undefined && this.#database?.hasWork()) {
      this.#working = this.#slices().finally(() => {
        this.#working = undefined;
      });
    }
    return this.#working ?? Promise.resolve();
  }

  /** The error of a write: where a job has failed before, of the kind of that failure. */
  errorOf(thrown: unknown): Error {
    const trouble = troubleOf(thrown);
    if (this.#failure === undefined || trouble.kind !== 'readOnly') return errorOf(thrown);
    return new LevelscopeError({ ...this.#failure, message: trouble.message });
  }

  /** Works as long as there is something to do; resolves then, and after `milliseconds` at the latest. */
  async goFor(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([this.go(), late]);
    clearTimeout(timer);
  }

  /** As `go`, for a write that waits for the work; throws when a needed file cannot be opened. */
  async goForWrite(): Promise<void> {
    await this.go();
    const trouble = this.#trouble;
    this.#trouble = undefined;
    if (trouble !== undefined) throw trouble;
  }

  /** As `go`, for a call that requests the work itself; throws when the work has failed or was given up. */
  async finish(): Promise<void> {
    await this.goForWrite();
    if (this.#failure !== undefined) throw new LevelscopeError(this.#failure);
    if (this.#database === undefined) throw notOpen();
  }

  async #slices(): Promise<void> {
    for (;;) {
      await soon();
      const database = this.#database;
      if (database === undefined) return;
      try {
        const more = slice(database);
        await this.place.tidy(() => database.filesWantedSoon());
        if (!more) return;
      } catch (thrown) {
        const file = blockedOn(thrown);
        // A job that failed has made the database read-only: the next write reports the reason.
        if (file === undefined) {
          this.#failure = troubleOf(thrown);
          return;
        }
        try {
          await this.place.ahead(file);
        } catch (refused) {
          this.#trouble = errorOf(refused);
          return;
        }
      }
    }
  }
}
