// One owner at a time, among all tabs and workers of the origin: a Web Lock, which the browser frees when its holder dies.

/** A lock that is held. */
export interface HeldLock {
  /** Resolves when others can have it. */
  release(): Promise<void>;
}

/** Takes a lock; `undefined` where it is not available now. `onLoss` runs when another one steals it. */
export function hold(
  name: string,
  options: LockOptions,
  onLoss = () => {},
): Promise<HeldLock | undefined> {
  return new Promise((resolve, reject) => {
    let isHeld = false;
    const over = navigator.locks.request(name, options, (lock) => {
      if (lock === null) return resolve(undefined);
      isHeld = true;
      return new Promise<void>((free) => {
        const release = async () => {
          isHeld = false;
          free();
          await over.catch(() => {});
        };
        resolve({ release });
      });
    });
    over.catch((thrown) => {
      if (isHeld) onLoss();
      reject(thrown);
    });
  });
}

/** As `hold`, for a lock whose holder may need a moment to go; `undefined` where it stays. */
export function holdWithin(
  milliseconds: number,
  name: string,
  onLoss?: () => void,
): Promise<HeldLock | undefined> {
  return hold(name, { signal: AbortSignal.timeout(milliseconds) }, onLoss).catch(() => undefined);
}
