import { useEffect } from 'react';
import { missingOf } from '../model/comparison';
import { messageOf } from '../model/failures';
import type { Lab } from './lab';
import { take } from './timeTravel';

/** Fetches the events of both sides of a comparison as its cursor needs them; returns a function that ends this. */
function fetchSides({ engine, store, note }: Pick<Lab, 'engine' | 'store' | 'note'>): () => void {
  let isFetching = false;
  /** Requests that returned nothing: they are not repeated. */
  const failed = new Set<string>();
  const follow = async (): Promise<void> => {
    const wanted = isFetching ? null : missingOf(store.get());
    if (!wanted) return;
    const { branch, missing } = wanted;
    const question = `${branch} ${missing.from} ${missing.to}`;
    if (failed.has(question)) return;
    isFetching = true;
    try {
      const answer = await engine.ask({ type: 'window', branch, ...missing, details: false });
      if (!take(store, branch, answer)) failed.add(question);
    } catch (error) {
      failed.add(question);
      note('bad', messageOf(error));
    } finally {
      isFetching = false;
    }
    await follow();
  };
  return store.subscribe(() => void follow());
}

/** Fetches for the comparison on show while the page is open. */
export function useCompareTravel(lab: Lab): void {
  useEffect(() => fetchSides(lab), [lab]);
}
