import type { View } from '../../model/engine.generated';
import type { Writing } from '../../model/writing';
import { runsOf } from '../Stage/scene/tree';

/** Runs that stand below each other in each level with data, or written to by a job: the needs of a picture of `view`. */
export function lanesOf(view: View, writing: Writing): number[] {
  const filled = view.levels.findLastIndex(({ tables }) => tables.length > 0) + 1;
  const written = [...writing.values()].map(({ level }) => level + 1);
  const depth = Math.max(filled, ...written, 1);
  return Array.from({ length: depth }, (_, number) => {
    const level = view.levels[number];
    // L0 changes with every flush: its row stays the same.
    const runs = number === 0 || !level ? 1 : runsOf(level).length;
    // One more, for the run that is written next.
    return runs > 1 ? runs + 1 : 1;
  });
}

/** The most of each level. */
export function mostLanes(pictures: readonly (readonly number[])[]): number[] {
  const depth = Math.max(1, ...pictures.map(({ length }) => length));
  return Array.from({ length: depth }, (_, level) =>
    Math.max(1, ...pictures.map((lanes) => lanes[level] ?? 1)),
  );
}
