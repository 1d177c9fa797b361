// Which tab has the database: a Web Lock decides, a channel asks the owner to let go.

import { type HeldLock, hold, holdWithin } from '../../../js/src/origin/lock';
import { fieldsOf } from '../model/kept';
import { DATABASE } from './opfs';

const NAME = `levelscope:${DATABASE}`;

/** [ms] How long an owner may take to close before the lock is taken from it. */
const PATIENCE = 2000;

/** Asks the owner to let go. */
const PLEA = 'let-go';

/** This tab's claim on the database. */
export class Ownership {
  readonly #channel = new BroadcastChannel(NAME);
  readonly #onLoss: () => void;
  #held: HeldLock | undefined;

  /** `onLoss` runs when another tab wants the database or has taken it. */
  constructor(onLoss: () => void) {
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#held !== undefined && fieldsOf(data)?.type === PLEA) onLoss();
    };
    this.#onLoss = onLoss;
  }

  /** Claims the database; `false` when another tab has it and `takeOver` is not set. */
  async acquire(takeOver: boolean): Promise<boolean> {
    const lose = () => {
      this.#held = undefined;
      this.#onLoss();
    };
    this.#held ??= await hold(NAME, { ifAvailable: true }, lose);
    if (this.#held !== undefined || !takeOver) return this.#held !== undefined;
    this.#channel.postMessage({ type: PLEA });
    this.#held =
      (await holdWithin(PATIENCE, NAME, lose)) ?? (await hold(NAME, { steal: true }, lose));
    return true;
  }

  /** Gives the database back. */
  release(): void {
    void this.#held?.release();
    this.#held = undefined;
  }
}
