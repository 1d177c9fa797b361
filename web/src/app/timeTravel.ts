import { withFilled } from '../model/branchHistory';
import { compareMove } from '../model/comparison';
import { messageOf } from '../model/failures';
import { neededFor } from '../model/needs';
import { historyOf, isFast, type PageState } from '../model/page';
import { shown } from '../model/shown';
import type { Store } from '../model/store';
import type { Missing } from '../model/timeline';
import { fill } from '../model/timelineGrow';
import { type Goal, glimpse, type Manner, travel } from '../model/travel';
import type { EnginePort, Reply } from './port';

/** Highest speed of a replay: faster pictures cannot be seen [steps a second]. */
const REPLAY_MAX = 30;
/** A drag without movement for this time counts as at rest [ms]. */
const REST = 120;

/** Moves the cursor through history; fetches events that the page no longer holds from the engine. */
export class TimeTravel {
  private request: { goal: Goal; manner: Manner } | null = null;
  private fetching = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private arrived: (() => void) | null = null;
  private resting: ReturnType<typeof setTimeout> | null = null;
  /** The events asked for last to complete the picture: an engine without them is not asked again. */
  private unanswered = '';
  private readonly stop: () => void;

  constructor(
    private readonly engine: Pick<EnginePort, 'ask'>,
    private readonly store: Store<PageState>,
    private readonly complain: (text: string) => void,
  ) {
    this.stop = store.subscribe(() => this.complete());
  }

  /**
   * Goes there, in the comparison while that is on show; a newer request replaces one that still waits for its events.
   */
  go(goal: Goal, manner: Manner): void {
    const compared = compareMove(this.store.get(), goal);
    if (compared) {
      this.store.update(() => compared);
      return;
    }
    const { last } = historyOf(this.store.get()).timeline;
    if (goal.to === 'step' && manner === 'jump' && goal.step > last) {
      this.complain(`There is no step ${goal.step}; the newest is ${last}.`);
    }
    this.request = { goal, manner };
    this.stopResting();
    const near = manner === 'scrub' ? glimpse(this.store.get(), goal) : null;
    if (near) {
      this.store.update(() => near);
      this.rest();
    } else {
      this.arrive();
      if (!this.fetching) void this.pursue();
    }
  }

  /** Fetches the step under a drag when the drag rests; until then a nearby checkpoint is shown. */
  private rest(): void {
    this.resting = setTimeout(() => {
      this.resting = null;
      if (!this.fetching) void this.pursue();
    }, REST);
  }

  /** Plays the history up to now, then calls `arrived`; or stops playing. */
  toggleReplay(arrived: (() => void) | null = null): void {
    const isOn = this.store.get().replaying;
    this.arrived = isOn ? null : arrived;
    this.store.update((page) => ({ ...page, replaying: !isOn }));
    if (!isOn) this.schedule();
  }

  /**
   * Fetches missing events, so that the step on show is drawn as it was when it happened. It fetches nothing while work
   * is too fast to be read.
   */
  private complete(): void {
    const page = this.store.get();
    const isAtRest = page.busy === null && !isFast(page) && this.resting === null;
    if (!isAtRest || this.fetching || page.connection.state !== 'open') return;
    const needed = neededFor(shown(page));
    if (!needed) return;
    const name = `${page.branch} ${JSON.stringify(needed)} ${historyOf(page).timeline.last}`;
    if (this.unanswered === name) return;
    this.unanswered = name;
    void this.fetch(needed, true).then(() => {
      void this.pursue();
      this.complete();
    });
  }

  /** The last step of the call of `step`: a fork begins there, because a state is defined only between two calls. */
  async endOfCall(step: number): Promise<number> {
    try {
      // Windows are made of whole calls.
      return (await this.window(step, step, false)).to;
    } catch {
      return step;
    }
  }

  dispose(): void {
    this.stop();
    if (this.timer) clearTimeout(this.timer);
    this.stopResting();
    this.request = null;
  }

  private stopResting(): void {
    if (this.resting) clearTimeout(this.resting);
    this.resting = null;
  }

  private schedule(): void {
    if (this.timer) clearTimeout(this.timer);
    const { stepsPerSecond } = this.store.get();
    const pace = stepsPerSecond === 0 ? REPLAY_MAX : stepsPerSecond;
    this.timer = setTimeout(() => {
      const { replaying, grain, cursor } = this.store.get();
      if (!replaying) {
        if (cursor === null) this.arrived?.();
        this.arrived = null;
        return;
      }
      // While events are fetched the earlier request stays valid.
      if (!this.fetching) {
        this.go({ to: 'walk', grain, count: 1 }, pace > 2 ? 'jump' : 'step');
      }
      this.schedule();
    }, 1000 / pace);
  }

  /** Moves to the requested step if its events are held; returns the missing ones otherwise. */
  private arrive(): { missing: Missing; step: number } | null {
    if (this.request === null) return null;
    const { goal, manner } = this.request;
    const journey = travel(this.store.get(), goal, manner);
    if ('missing' in journey) return journey;
    this.request = null;
    this.store.update(() => journey.page);
    return null;
  }

  private async pursue(): Promise<void> {
    for (let tries = 0; this.request !== null && tries < 1000; tries += 1) {
      if (this.resting !== null) return;
      const { goal, manner } = this.request;
      const journey = this.arrive();
      if (journey === null) return;
      this.store.update((page) => ({ ...page, wanted: journey.step }));
      if (await this.fetch(journey.missing)) continue;
      if (journey.missing.details && goal.to === 'walk') {
        // Without a replica of the past there are no details: it goes by whole events.
        this.request = { goal: { ...goal, grain: 'phase' }, manner };
      } else {
        this.request = null;
        this.store.update((page) => ({ ...page, wanted: null, replaying: false }));
      }
    }
  }

  private window(from: number, to: number, details: boolean): Promise<Reply<'window'>> {
    return this.engine.ask({ type: 'window', branch: this.store.get().branch, from, to, details });
  }

  /** Fetches events that are not held; true if they arrived. */
  private async fetch({ from, to, details }: Missing, quiet = false): Promise<boolean> {
    const { branch } = this.store.get();
    this.fetching = true;
    try {
      const answer = await this.window(from, to, details);
      const changed = take(this.store, branch, answer, details);
      if (!changed && !quiet) this.complain('The engine does not know these steps any more.');
      return changed;
    } catch (error) {
      const { branches } = this.store.get();
      if (quiet) return false;
      const why = branches.find(({ id }) => id === branch)?.pastless;
      this.complain(why ?? messageOf(error));
      return false;
    } finally {
      this.fetching = false;
    }
  }
}

/** Adds fetched events to the history of their branch; returns whether they were missing. */
export function take(
  store: Store<PageState>,
  branch: number,
  { events, view }: Pick<Reply<'window'>, 'events' | 'view'>,
  details = false,
): boolean {
  let changed = false;
  store.update((page) => {
    const history = page.histories.get(branch);
    const timeline = history && fill(history.timeline, events, view, details);
    if (!timeline || timeline === history.timeline) return page;
    changed = true;
    const filled = withFilled(history, timeline, events);
    return { ...page, histories: new Map(page.histories).set(branch, filled) };
  });
  return changed;
}

/** The step at which commands are to be answered; `null` for now. */
export function askedAt(page: PageState): number | null {
  return page.cursor === null || historyOf(page).timeline.last === 0 ? null : page.cursor.step;
}
