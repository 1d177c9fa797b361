// What the element draws, and how events change it: with the page's own code.

import type { RecentWrites, View, WireEvent } from '../../../web/src/model/engine.generated';
import { EMPTY_VIEW, reduce } from '../../../web/src/model/reduce';
import { touched } from '../../../web/src/model/touched';
import {
  NOTHING_WRITTEN,
  reconcileWriting,
  reduceWriting,
  type Writing,
} from '../../../web/src/model/writing';
import type { Batch } from '../following';

/** The state of the element's database. */
export type Standing =
  | { readonly is: 'none' | 'waiting' | 'open' | 'closed' }
  | { readonly is: 'failed'; readonly why: string };

/** Everything that is drawn. */
export interface Drawn {
  readonly standing: Standing;
  readonly view: View;
  readonly writing: Writing;
  /** Objects that the last events made or changed. */
  readonly fresh: ReadonlySet<string>;
  readonly recent: readonly RecentWrites[];
  /** The newest event in words. */
  readonly sentence: string;
  /** Number of events before it that were left out. */
  readonly dropped: number;
}

/** Most objects that are marked as new; with more, only those of the last event are marked. */
const FRESH_MAX = 8;

const NOTHING: ReadonlySet<string> = new Set();

/** Before anything is known. */
export const BLANK: Drawn = {
  standing: { is: 'none' },
  view: EMPTY_VIEW,
  writing: NOTHING_WRITTEN,
  fresh: NOTHING,
  recent: [],
  sentence: '',
  dropped: 0,
};

/** Part of an event that the page's code reads; the package's and the page's are made by the same engine. */
type DrawnEvent = Pick<
  WireEvent,
  'id' | 'time' | 'name' | 'patches' | 'touches' | 'landmark' | 'sentence'
>;

const eventsOf = (batch: Batch) => batch.events as unknown as readonly DrawnEvent[];

/** The view after one batch. */
function afterBatch({ view, writing }: Pick<Drawn, 'view' | 'writing'>, batch: Batch) {
  let [next, written] = [view, writing];
  for (const event of eventsOf(batch)) {
    // The state that comes with them has these changes; only the writes, which it lacks, are followed.
    if (batch.view === null) next = reduce(next, event);
    written = reduceWriting(written, event);
  }
  if (batch.view === null) return { view: next, writing: written };
  const now = batch.view as View;
  return { view: now, writing: reconcileWriting(written, now) };
}

/** The picture after batches of events. Pure. */
export function drawnAfter(before: Drawn, batches: readonly Batch[]): Drawn {
  let state: Pick<Drawn, 'view' | 'writing'> = before;
  for (const batch of batches) state = afterBatch(state, batch);
  const events = batches.flatMap(eventsOf);
  const dropped = batches.reduce((sum, batch) => sum + batch.dropped, 0);
  return {
    ...before,
    ...state,
    standing: { is: 'open' },
    fresh: freshAfter(events),
    sentence: captionOf(events)?.sentence ?? before.sentence,
    dropped,
  };
}

/** Every read over a range takes a snapshot and releases it: their sentences would hide those of the engine's work. */
const QUIET: ReadonlySet<string> = new Set(['op.scan', 'op.snapshot', 'op.release']);

/** The event of the caption: the newest landmark, or else the newest event. */
function captionOf(events: readonly DrawnEvent[]): DrawnEvent | undefined {
  const landmark = events.findLast((event) => event.landmark !== null);
  return landmark ?? events.findLast(({ name }) => !QUIET.has(name));
}

function freshAfter(events: readonly DrawnEvent[]): ReadonlySet<string> {
  const of = (event: DrawnEvent) => touched(event as WireEvent);
  const all = new Set(events.flatMap(of));
  if (all.size <= FRESH_MAX) return all;
  const last = events.at(-1);
  return last ? new Set(of(last)) : NOTHING;
}
