import type { KeyboardEvent } from 'react';

interface Options {
  /** The option with the keyboard focus; -1: none. */
  at: number;
  count: number;
  /** Where a key leads from it; without this, along a line. */
  to?(key: string): number | null | undefined;
  /** The actions of more keys. */
  keys?: Readonly<Record<string, () => void>>;
  onMove(to: number): void;
  onChoose(at: number): void;
}

/** Handles a key among `count` options of which one has the focus: some keys move it, Enter and Space choose. */
export function optionKeys(event: KeyboardEvent, options: Options): void {
  const { at, count, keys = {}, onMove, onChoose } = options;
  const line: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: count - 1,
  };
  const { to = (key) => line[key] } = options;
  if (count === 0 || event.altKey || event.metaKey) return;
  const next = to(event.key);
  const action = keys[event.key];
  if (typeof next === 'number') onMove(Math.min(Math.max(next, 0), count - 1));
  else if (action) action();
  else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) onChoose(at);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
