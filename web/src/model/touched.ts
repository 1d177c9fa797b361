import type { WireEvent } from './engine.generated';
import { eventAt, type Timeline } from './timeline';

/** Most events searched by [`lastTouched`]. */
const LOOK_MAX = 5000;

/** The last step up to `step` that made or changed the object `id`; `null`: none of those held did. */
export function lastTouched(timeline: Timeline, id: string, step: number): number | null {
  for (let at = step; at >= 1 && at > step - LOOK_MAX; at -= 1) {
    const event = eventAt(timeline, at);
    if (!event) return null;
    if (touched(event).includes(id)) return at;
  }
  return null;
}

/** The objects that `event` made or changed, as selections. */
export function touched(event: WireEvent): string[] {
  return [...touchedBy([event])];
}

/** The objects that `events` made or changed and did not remove afterwards, as selections. */
export function touchedBy(events: readonly WireEvent[]): Set<string> {
  const ids = new Set<string>();
  for (const { object, effect } of events.flatMap(({ touches }) => touches)) {
    if (effect === 'made' || effect === 'changed') ids.add(object);
    else if (effect === 'removed') ids.delete(object);
  }
  return ids;
}
