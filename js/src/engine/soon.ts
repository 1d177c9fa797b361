// Giving way to other events.

/** Resolves after the events that wait now. */
export const soon: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () => new Promise((resolve) => setImmediate(resolve))
    : throughChannel();

/** Longest time that consecutive calls keep other events waiting [ms]. */
const TURN_MS = 5;
/** Calls between two looks at the clock. */
const CALLS = 16;

/**
 * The turn of the event loop that calls are made in. A loop that awaits answers which are there at once never ends its turn
 * by itself, and timers, messages and background work would wait for all of it.
 */
export class Turn {
  #end: Promise<void> | undefined;
  #start = 0;
  #calls = 0;

  /** The end of a turn that has lasted long enough: to be awaited before the call is answered. */
  overdue(): Promise<void> | undefined {
    if (this.#end === undefined) {
      this.#start = performance.now();
      this.#calls = 0;
      this.#end = soon().then(() => {
        this.#end = undefined;
      });
      return undefined;
    }
    this.#calls += 1;
    if (this.#calls % CALLS !== 0) return undefined;
    return performance.now() - this.#start > TURN_MS ? this.#end : undefined;
  }
}

/** A browser delays timers by milliseconds, but not messages. */
function throughChannel(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
