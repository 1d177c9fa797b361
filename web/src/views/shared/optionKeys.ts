import type { KeyboardEvent } from 'react';

/** Handles a key in a line of `count` options, from the one at `at`: arrows, Home and End move, Enter and Space choose. */
export function optionKeys(event: KeyboardEvent, { at, count, onMove, onChoose }: Options): void {
  if (count === 0) return;
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[event.key];
  if (next !== undefined) onMove(Math.min(Math.max(next, 0), count - 1));
  else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) onChoose(at);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

interface Options {
  at: number;
  count: number;
  onMove(to: number): void;
  onChoose(at: number): void;
}
