import { useEffect } from 'react';
import { withFilled } from '../model/branchHistory';
import { missingOf } from '../model/comparison';
import { messageOf } from '../model/failures';
import type { PageState } from '../model/page';
import type { Store } from '../model/store';
import { fill } from '../model/timelineGrow';
import { line } from '../terminal/session';
import type { Lab } from './lab';
import type { EnginePort } from './port';

/** Fetches the events of both sides of a comparison as its cursor needs them. */
class CompareTravel {
  private fetching = false;
  /** Questions that brought nothing: they are not asked again. */
  private readonly failed = new Set<string>();
  private readonly stop: () => void;

  constructor(
    private readonly engine: Pick<EnginePort, 'window'>,
    private readonly store: Store<PageState>,
    private readonly complain: (text: string) => void,
  ) {
    this.stop = store.subscribe(() => void this.follow());
  }

  dispose(): void {
    this.stop();
  }

  private async follow(): Promise<void> {
    const wanted = this.fetching ? null : missingOf(this.store.get());
    if (!wanted) return;
    const { branch, missing } = wanted;
    const question = `${branch} ${missing.from} ${missing.to}`;
    if (this.failed.has(question)) return;
    this.fetching = true;
    try {
      const { events, view } = await this.engine.window(branch, missing.from, missing.to, false);
      this.store.update((page) => {
        const history = page.histories.get(branch);
        const timeline = history && fill(history.timeline, events, view);
        if (!timeline || timeline === history.timeline) {
          this.failed.add(question);
          return page;
        }
        const filled = withFilled(history, timeline, events);
        return { ...page, histories: new Map(page.histories).set(branch, filled) };
      });
    } catch (error) {
      this.failed.add(question);
      this.complain(messageOf(error));
    } finally {
      this.fetching = false;
    }
    await this.follow();
  }
}

/** Fetches for the comparison on show as long as the page is there. */
export function useCompareTravel(lab: Lab): void {
  useEffect(() => {
    const complain = (text: string) => lab.terminal.print([line(text, 'bad')]);
    const travel = new CompareTravel(lab.engine, lab.store, complain);
    return () => travel.dispose();
  }, [lab]);
}
