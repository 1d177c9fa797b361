import type { View } from '../../model/engine.generated';

/** Whether writes wait or slow down, and why, in the engine's words; `null` when they are free. */
export function writesText({ stall, slowdown }: View): { words: string; why: string } | null {
  if (stall) return { words: 'Writes wait', why: stall.why };
  return slowdown && { words: 'Writes slow down', why: slowdown.why };
}
