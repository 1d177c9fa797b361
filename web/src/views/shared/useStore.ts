import { useSyncExternalStore } from 'react';
import type { Store } from '../../model/store';

/** The value of a store, followed. */
export function useStore<Value>({ subscribe, get }: Omit<Store<Value>, 'update'>): Value {
  return useSyncExternalStore(subscribe, get);
}
