import type { View } from '../../model/engine.generated';

/** Whether writes stall or slow down, and why, in the engine's words; `null` when they are free. */
export function writesText({ stall, slowdown }: View): { words: string; why: string } | null {
  if (stall) return { words: 'Stall', why: stall.why };
  return slowdown && { words: 'Slowdown', why: slowdown.why };
}
