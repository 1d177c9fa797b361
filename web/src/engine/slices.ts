// Sizes the engine's calls, so that messages are handled in between.

import type { OutputLine, Work } from '../model/engine.generated';
import type { WasmEngine } from './wasm';

/** [ms] Longest time without handling messages. */
export const SLICE = 12;
/** Operations tried in one call at first, and at most. */
const UNITS_FIRST = 32;
const UNITS_MAX = 1 << 14;

/** Finds the number of operations that take a few milliseconds. */
export class Slices {
  #units = UNITS_FIRST;

  constructor(private readonly now: () => number) {}

  /** One slice of the command at work; stops early when there is something to send. */
  advance(engine: WasmEngine): Work {
    const start = this.now();
    const lines: OutputLine[] = [];
    let play: Work['play'] = null;
    for (;;) {
      const before = this.now();
      const progress = JSON.parse(engine.advance(this.#units)) as Work;
      const after = this.now();
      this.#adapt(after - before);
      for (const line of progress.lines) lines.push(line);
      play = progress.play ?? play;
      const over = progress.state !== 'more' || progress.turns;
      if (over || after - start > SLICE / 2) return { ...progress, lines, play };
    }
  }

  /** Aims at calls of a few milliseconds. */
  #adapt(taken: number): void {
    if (taken > SLICE / 3) this.#units = Math.max(1, this.#units >> 1);
    else if (taken < SLICE / 12) this.#units = Math.min(UNITS_MAX, this.#units * 2);
  }
}
