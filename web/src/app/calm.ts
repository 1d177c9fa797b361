import { createStore, type Store } from '../model/store';

/** A value that React can subscribe to, but not change. */
export type Readable<Value> = Omit<Store<Value>, 'update'>;

/** A store's value at a lower rate; its `stop` ends it. */
export type Calm<Value> = ReturnType<typeof calm<Value>>;

/**
 * Follows `store` at once, except for changes that `mayWait`: of these it publishes the newest, at most every `pauseMs`.
 * It throttles pictures that are costly to draw and too fast to read.
 */
export function calm<Value>(
  store: Readable<Value>,
  mayWait: (before: Value, after: Value) => boolean,
  pauseMs: number,
) {
  const shown = createStore(store.get());
  let timer: ReturnType<typeof setTimeout> | null = null;
  const rest = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const take = () => {
    rest();
    shown.update(store.get);
  };
  const leave = store.subscribe(() => {
    if (!mayWait(shown.get(), store.get())) take();
    else timer ??= setTimeout(take, pauseMs);
  });
  return {
    get: shown.get,
    subscribe: shown.subscribe,
    stop() {
      rest();
      leave();
    },
  };
}
