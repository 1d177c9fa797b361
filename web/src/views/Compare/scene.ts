import type { Axis } from '../../model/comparison';

/** Kept free at both ends [px]. */
const MARGIN = 10;
/** Width of a character of a label, roughly [px]. */
const CHARACTER = 9.6;
/** Space around a label [px]. */
const AROUND = 14;

/** Where the place `at` of `total` places stands on a strip of `width` pixels. */
export function placeX(at: number, total: number, width: number): number {
  return MARGIN + (at / Math.max(total, 1)) * Math.max(width - 2 * MARGIN, 1);
}

/** The place at `x`. */
export function placeAtX(x: number, total: number, width: number): number {
  const share = (x - MARGIN) / Math.max(width - 2 * MARGIN, 1);
  return Math.round(Math.min(Math.max(share, 0), 1) * total);
}

/** The slider of a comparison: commands as stretches, and a tick for each change of a side's tables. */
export function compareScene({ parts, total, changes }: Axis, at: number, width: number) {
  const placed = parts.map(({ text, from, to }, index) => {
    const x = placeX(from, total, width);
    const w = placeX(to, total, width) - x;
    const room = Math.floor((w - AROUND) / CHARACTER);
    // A label that does not fit is left out: the command at the cursor is named above.
    return { key: `${index} ${text}`, text, label: text.length <= room ? text : '', x, w };
  });
  // Ticks nearer than a pixel are one.
  const pixels = (places: readonly number[]) => [
    ...new Set(places.map((place) => Math.round(placeX(place, total, width)))),
  ];
  return { cursor: placeX(at, total, width), parts: placed, ticks: changes.map(pixels) };
}

/** One figure of both sides; `missing` is shown for a missing value, and `text` is how a value is written. */
export type FigureRow = readonly [
  name: string,
  values: readonly (number | null)[],
  missing: string,
  text: (value: number) => string,
];

/** The side with the lower figure, if they differ; figures are costs. */
export function lessOf(values: readonly (number | null)[]): number | null {
  const [first = null, second = null] = values;
  if (first === null || second === null || first === second) return null;
  return first < second ? 0 : 1;
}

/** `0.66×`: the other value as a multiple of the first one. */
export function timesOf(values: readonly (number | null)[]): string {
  const [first = null, second = null] = values;
  if (first === null || second === null || first === 0) return '';
  return `${(second / first).toFixed(2)}×`;
}
