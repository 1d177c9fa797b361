import { compare, compareMove } from '../model/comparison';
import { narrated } from '../model/narration';
import type { PageState } from '../model/page';

import { shown } from '../model/shown';
import type { Store } from '../model/store';
import { isHidden, verdictAt, walkLookup } from '../model/verdicts';

/** Controls the lookup, the comparison and the hidden verdicts of the stage. */
export class StageControls {
  constructor(private readonly store: Store<PageState>) {}

  /** Hides verdicts until they are revealed, or shows them at once. */
  readonly predict = (predicts: boolean): void => this.change({ predicts, revealed: null });

  readonly togglePredict = (): void => this.predict(!this.store.get().predicts);

  /** Reveals the verdict that is hidden. */
  readonly reveal = (): void => this.change({ revealed: verdictAt(shown(this.store.get())) });

  /** Shows a stop of the lookup. */
  readonly readStop = (readingStop: number): void => {
    const page = { ...this.store.get(), readingStop };
    const announcement = page.predicts ? '' : (narrated(shown(page)).sentence ?? '');
    this.change({ readingStop, announcement });
  };

  /** Moves the cursor of the comparison; `null` shows the comparison again at its former place. */
  readonly compare = (at: number | null): void => this.store.update((page) => compare(page, at));

  /**
   * One step within the picture: a comparison goes on, a verdict is revealed, a lookup goes on to its next stop; returns
   * whether there was one.
   */
  walk(count: number): boolean {
    const { grain } = this.store.get();
    const compared = compareMove(this.store.get(), { to: 'walk', grain, count });
    if (compared) {
      this.change(compared);
      return true;
    }
    const page = shown(this.store.get());
    if (count === 1 && isHidden(page)) {
      this.reveal();
      return true;
    }
    const walked = walkLookup(page, count);
    if (walked !== null) this.readStop(walked);
    return walked !== null;
  }

  private change(part: Partial<PageState>): void {
    this.store.update((page) => ({ ...page, ...part }));
  }
}
