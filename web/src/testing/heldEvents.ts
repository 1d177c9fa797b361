import { type Timeline, weight } from '../model/timeline';

/** How many events are held, details included. */
export function heldEvents(timeline: Timeline): number {
  return timeline.stretches.reduce((sum, stretch) => sum + weight(stretch), 0);
}
