import type { Marker, Pulse } from '../model/touched';

/** A bar of the strip. */
export interface StripBar {
  /** 0 to 1, from the oldest kept event to now. */
  x: number;
  /** 0 to 1. */
  height: number;
}

/** A landmark of the strip. */
export interface StripMark {
  x: number;
  marker: Exclude<Marker, null>;
  time: number;
}

const BARS_MAX = 240;
const MARKS_MAX = 40;

/** The strip: at most [`BARS_MAX`] bars however many events there are. */
export function activityStrip(pulses: readonly Pulse[]): { bars: StripBar[]; marks: StripMark[] } {
  if (pulses.length === 0) return { bars: [], marks: [] };
  const perBar = Math.max(1, Math.ceil(pulses.length / BARS_MAX));
  const slots = Math.max(Math.ceil(pulses.length / perBar), 60);
  const bars: StripBar[] = [];
  for (let from = 0; from < pulses.length; from += perBar) {
    const group = pulses.slice(from, from + perBar);
    const weight = group.reduce((sum, pulse) => sum + pulse.weight, 0) / group.length;
    bars.push({ x: from / perBar / slots, height: 0.25 + 0.75 * weight });
  }
  const marks = pulses.flatMap((pulse, index): StripMark[] =>
    pulse.marker ? [{ x: index / perBar / slots, marker: pulse.marker, time: pulse.time }] : [],
  );
  return { bars, marks: marks.slice(-MARKS_MAX) };
}
