// A history of inserts, as long as a test needs it.

import type { View, WireEvent } from '../model/engine.generated';
import { reduce } from '../model/reduce';
import { emptyTimeline, type Limits, type Timeline } from '../model/timeline';
import { NOTHING_WRITTEN, reconcileWriting } from '../model/writing';
import { PLAIN } from './plainEvent';
import { busyView } from './sample';

/** An event that every state shows: the entries of the active memtable are the step. */
export function insert(step: number): WireEvent {
  const entries = 24 + step;
  return {
    id: step,
    detail: 0,
    time: step,
    job: null,
    cause: null,
    step,
    ...PLAIN,
    kind: 'memtable.insert',
    sentence: `Step ${step}.`,
    patches: [
      { of: 'memtable', edit: { change: [7, { bytes: step, entries, tombstones: 0 }] } },
      { of: 'lastSequence', sequence: busyView().lastSequence + step },
    ],
  };
}

/** The events of steps `from` to `to`. */
export const run = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => insert(from + index));

/** A history before its first step. */
export function begun(limits: Limits): Timeline {
  const view = { ...busyView(), time: 0 };
  return {
    ...emptyTimeline(limits),
    now: { view, writing: reconcileWriting(NOTHING_WRITTEN, view) },
  };
}

/** The state after `step`, without folding: only the active memtable moves. */
export function base(step: number): View {
  return reduce({ ...busyView(), time: 0 }, insert(step));
}
