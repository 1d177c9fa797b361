import type { Store } from '../model/store';

/** A value that React can subscribe to, but not change. */
export type Readable<Value> = Omit<Store<Value>, 'update'>;

/** A store's value, told less often; {@link Calm.stop} ends it. */
export interface Calm<Value> extends Readable<Value> {
  stop(): void;
}

/**
 * Follows `store`: at once, but changes that `mayWait` at most every `pauseMs`, the newest of them at last.
 * What costs much to draw and cannot be read that fast is drawn from this one.
 */
export function calm<Value>(
  store: Readable<Value>,
  mayWait: (before: Value, after: Value) => boolean,
  pauseMs: number,
): Calm<Value> {
  let value = store.get();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const listeners = new Set<() => void>();
  const rest = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const take = () => {
    rest();
    value = store.get();
    for (const listener of [...listeners]) listener();
  };
  const leave = store.subscribe(() => {
    if (!mayWait(value, store.get())) take();
    else timer ??= setTimeout(take, pauseMs);
  });
  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      rest();
      leave();
    },
  };
}
