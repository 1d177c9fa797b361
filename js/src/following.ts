// Several loops and pictures follow one engine: its events are fetched once, and each follower gets them.

import type { Question } from './engine/backend';
import type { EngineEvent } from './inspection';

/** The events since the last batch. */
export interface Batch {
  /** The oldest first. */
  readonly events: readonly EngineEvent[];
  /** Number of older events that were dropped. */
  readonly dropped: number;
  /** The state after the events, where it was wanted or does not follow from them. */
  readonly view: unknown;
}

/** The wishes of a follower. */
export interface Manner {
  /** Events of the finest grain, too. */
  readonly details: boolean;
  /** More events than these are not worth their words, when the state comes with them. */
  readonly most: number;
  /** Whether the state is wanted first, and whenever events are missing. */
  readonly view: boolean;
}

/** Asks an engine. */
export type Ask = <T>(question: Question) => Promise<T>;

/** Most events that are kept until a follower takes them; then the older ones are dropped. */
const KEPT_MAX = 10_000;

/** One loop over events, or one picture. */
export class Follower {
  /** Whether the state is wanted with the next events: nothing is known before. */
  wantsView: boolean;
  #batches: Batch[] = [];
  #kept = 0;

  constructor(readonly manner: Manner) {
    this.wantsView = manner.view;
  }

  add({ events, dropped, view }: Batch) {
    const wanted = this.manner.details ? events : events.filter(({ detail }) => detail === 0);
    if (view) this.wantsView = false;
    if (this.#kept + wanted.length > KEPT_MAX) {
      this.#batches = [{ events: [], dropped: this.#kept, view: null }];
      this.#kept = 0;
      this.wantsView = this.manner.view && view === null;
    }
    if (wanted.length === 0 && dropped === 0 && view === null) return;
    this.#batches.push({ events: wanted, dropped, view });
    this.#kept += wanted.length;
  }

  /** Takes the pending batches. */
  take(): Batch[] {
    const batches = this.#batches;
    this.#batches = [];
    this.#kept = 0;
    return batches;
  }
}

/** All followers of one engine. */
export class Following {
  readonly #followers = new Set<Follower>();
  #fetching: Promise<void> | undefined;

  constructor(private readonly ask: Ask) {}

  async join(follower: Follower): Promise<void> {
    // Earlier events are for the followers who were there.
    if (this.#followers.size > 0) await this.fetch();
    this.#followers.add(follower);
    await this.#listen();
  }

  /** The follower gets nothing more; without followers the engine keeps no events. */
  async leave(follower: Follower): Promise<void> {
    if (this.#followers.delete(follower)) await this.#listen();
  }

  /** As `leave`, when the engine is gone. */
  forget(follower: Follower) {
    this.#followers.delete(follower);
  }

  #listen(): Promise<null> {
    const manners = [...this.#followers].map(({ manner }) => manner);
    const details = manners.some((manner) => manner.details);
    return this.ask({ ask: 'listen', wanted: manners.length > 0, details });
  }

  /** Fetches the events so far for every follower. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetched().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetched(): Promise<void> {
    const asking = [...this.#followers];
    const most = Math.max(0, ...asking.map(({ manner }) => manner.most));
    const view = asking.some(({ wantsView }) => wantsView);
    const batch = await this.ask<Batch>({ ask: 'events', most, view });
    for (const follower of asking) follower.add(batch);
  }
}
