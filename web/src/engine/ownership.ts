// Which tab has the database: a Web Lock decides, a channel asks the owner to let go.

import { DATABASE } from './opfs';

/** [ms] How long an owner may take to close before the lock is taken from it. */
const PATIENCE = 2000;

type Plea = { readonly type: 'let-go' };

function isPlea(value: unknown): value is Plea {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'let-go';
}

/** This tab's claim on the database. */
export class Ownership {
  readonly #name = `levelscope:${DATABASE}`;
  readonly #channel: BroadcastChannel;
  readonly #onLoss: () => void;
  #release: (() => void) | null = null;

  /** `onLoss` runs when another tab wants the database or has taken it. */
  constructor(onLoss: () => void) {
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#release !== null && isPlea(data)) onLoss();
    };
    this.#onLoss = onLoss;
  }

  /** Claims the database; `false` when another tab has it and `takeOver` is not set. */
  async acquire(takeOver: boolean): Promise<boolean> {
    if (this.#release !== null) return true;
    if (await this.#request({ ifAvailable: true })) return true;
    if (!takeOver) return false;
    this.#channel.postMessage({ type: 'let-go' } satisfies Plea);
    try {
      return await this.#request({ signal: AbortSignal.timeout(PATIENCE) });
    } catch {
      return this.#request({ steal: true });
    }
  }

  /** Gives the database back. */
  release(): void {
    this.#release?.();
    this.#release = null;
  }

  /** Resolves once the lock is decided; holds it until `release`. */
  #request(options: LockOptions): Promise<boolean> {
    return new Promise<boolean>((decide, fail) => {
      let release: (() => void) | null = null;
      navigator.locks
        .request(this.#name, options, (lock) => {
          if (lock === null) {
            decide(false);
            return;
          }
          return new Promise<void>((resolve) => {
            release = resolve;
            this.#release = resolve;
            decide(true);
          });
        })
        .catch((error: unknown) => {
          // Refused before it was ours, or stolen while it was.
          if (release === null) fail(error);
          else if (this.#release === release) {
            this.#release = null;
            this.#onLoss();
          }
        });
    });
  }
}
