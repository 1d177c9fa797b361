import { useLayoutEffect, useRef } from 'react';
import type { Lens } from '../../lens/lens';
import { addressOf } from '../../lens/names';
import { useStore } from '../shared/useStore';

/** The directory that the address names, and how it comes to name another one. */
export interface Named {
  /** A sample or an own directory as {@link addressOf} names it; empty: none. */
  name: string;
  onDirectory(name: string): void;
}

/**
 * Whether the address names another directory than the open one, whose name there is `open`: objects of the two may have
 * the same numbers. What opens gets the address, and so does what is open where the address names nothing.
 */
export function useAddress({ lens, name, onDirectory }: Named & { lens: Lens }) {
  const open = addressOf(useStore(lens.store), lens.source);
  const known = useRef(open);
  useLayoutEffect(() => {
    const isNew = open !== known.current;
    known.current = open;
    if (open !== null && open !== name && (isNew || name === '')) onDirectory(open);
  }, [open, name, onDirectory]);
  return { open, isOther: name !== '' && open !== null && open !== name };
}
