// Play: background work that goes on by itself, at a pace.

import { type CallState, PLAY_RATE, type PlayGrain } from '../model/engine.generated';
import { SLICE } from './slices';
import type { WasmEngine } from './wasm';

/** The pace when `play` was typed without a speed and no other one was set before. */
export const PLAY_DEFAULT = { grain: 'phase' as PlayGrain, stepsPerSecond: PLAY_RATE };
export type Play = Readonly<typeof PLAY_DEFAULT>;

/** Most steps of one call. */
const COUNT_MAX = 256;

/** One step at a pace; without one, as many as fit into a slice. Returns the result of the last one. */
export function playSome(engine: WasmEngine, play: Play, now: () => number): CallState {
  const start = now();
  let count = 1;
  for (;;) {
    const step = JSON.parse(engine.step(play.grain, count)) as CallState;
    const taken = now() - start;
    if (step.state !== 'more' || play.stepsPerSecond > 0 || taken > SLICE / 2) return step;
    if (taken < SLICE / 4 && play.grain !== 'job') count = Math.min(count * 2, COUNT_MAX);
  }
}
