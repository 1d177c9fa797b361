// One owner at a time, among all tabs and workers of the origin: a Web Lock, which the browser frees when its holder dies.

import { LevelscopeError } from '../engine/error';

/** How long a holder that is just going away may take [ms]: the page before a reload, for example. */
const PATIENCE_MS = 200;

/** A lock that is held. */
export interface Held {
  /** Resolves when others can have it. */
  release(): Promise<void>;
}

/** Takes the lock `name` of the database in `location`. */
export async function own(name: string, location: string): Promise<Held> {
  const held = (await hold(name, { ifAvailable: true })) ?? (await holdSoon(name));
  if (held !== undefined) return held;
  const message = `the database "${location}" is open in another tab or worker: close it there`;
  throw new LevelscopeError({ kind: 'locked', message });
}

async function holdSoon(name: string): Promise<Held | undefined> {
  try {
    return await hold(name, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return undefined;
  }
}

/** Takes a lock; `undefined` where it is not available now. */
export function hold(name: string, options: LockOptions): Promise<Held | undefined> {
  return new Promise((resolve, reject) => {
    const over = navigator.locks.request(name, options, (lock) => {
      if (lock === null) return resolve(undefined);
      return new Promise<void>((free) => {
        const release = () => {
          free();
          return over.then(() => {});
        };
        resolve({ release });
      });
    });
    over.catch(reject);
  });
}
