import { useSyncExternalStore } from 'react';
import type { KeyScale } from './scene/axis';

const STORE = 'levelscope.keyScale';

const listeners = new Set<() => void>();
let scale: KeyScale | null = null;

/** The scale of the key axis, as this browser remembers it; the same in all pictures. */
export function useKeyScale(): KeyScale {
  return useSyncExternalStore(subscribe, get);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function get(): KeyScale {
  scale ??= load();
  return scale;
}

function load(): KeyScale {
  try {
    return window.localStorage.getItem(STORE) === 'position' ? 'position' : 'rank';
  } catch {
    return 'rank';
  }
}

export function setKeyScale(next: KeyScale): void {
  scale = next;
  try {
    window.localStorage.setItem(STORE, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}
