import type { AxisTick } from '../../Stage/scene/axis';
import { keyWidth } from '../../Stage/scene/text';
import type { ShownKey } from './answers';

/** The keys of the axis that have room, each with its label. */
export function axisTicks(
  axis: readonly (readonly [number, ShownKey])[],
  { left, right, unit }: { left: number; right: number; unit: number },
  label: (key: ShownKey) => string,
): AxisTick[] {
  const ticks: AxisTick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const [at, key] of axis) {
    const text = label(key);
    const x = left + at * (right - left);
    const width = keyWidth(text, unit);
    const anchor = at < 0.02 ? 'start' : at > 0.98 ? 'end' : 'middle';
    const start = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    // Keys that differ only after the letters that are shown would have equal labels.
    if (start < free || text === ticks[ticks.length - 1]?.label) continue;
    ticks.push({ x, label: text, anchor });
    free = start + width + unit;
  }
  return ticks;
}
