/** A value that React can subscribe to. */
export interface Store<Value> {
  get(): Value;
  update(change: (value: Value) => Value): void;
  subscribe(listener: () => void): () => void;
}

/** Makes a store; a change that returns the same value calls no listener. */
export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    update(change) {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
