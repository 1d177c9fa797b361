import { useEffect } from 'react';
import { missingOf } from '../model/comparison';
import { messageOf } from '../model/failures';
import type { PageState } from '../model/page';
import type { Store } from '../model/store';
import type { Lab } from './lab';
import type { EnginePort } from './port';
import { take } from './timeTravel';

/** Fetches the events of both sides of a comparison as its cursor needs them. */
class CompareTravel {
  private fetching = false;
  /** Requests that returned nothing: they are not repeated. */
  private readonly failed = new Set<string>();
  readonly dispose: () => void;

  constructor(
    private readonly engine: Pick<EnginePort, 'window'>,
    private readonly store: Store<PageState>,
    private readonly complain: (text: string) => void,
  ) {
    this.dispose = store.subscribe(() => void this.follow());
  }

  private async follow(): Promise<void> {
    const wanted = this.fetching ? null : missingOf(this.store.get());
    if (!wanted) return;
    const { branch, missing } = wanted;
    const question = `${branch} ${missing.from} ${missing.to}`;
    if (this.failed.has(question)) return;
    this.fetching = true;
    try {
      const answer = await this.engine.window(branch, missing.from, missing.to, false);
      if (!take(this.store, branch, answer)) this.failed.add(question);
    } catch (error) {
      this.failed.add(question);
      this.complain(messageOf(error));
    } finally {
      this.fetching = false;
    }
    await this.follow();
  }
}

/** Fetches for the comparison on show while the page is open. */
export function useCompareTravel(lab: Lab): void {
  useEffect(() => {
    const travel = new CompareTravel(lab.engine, lab.store, (text) => lab.note('bad', text));
    return travel.dispose;
  }, [lab]);
}
