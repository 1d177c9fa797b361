import type { Rows } from './geometry';
import { RISE, type WalShape } from './logs';

/** Distance of the line below a record [px]. */
const BELOW = 4;

/** The line between what a power failure can lose and what is durable, up to `right`: it passes below unsynced records. */
export function durableLine(wals: readonly WalShape[], rows: Rows, right: number): string {
  const { durableY, unit } = rows;
  const parts = wals
    .flatMap(({ unsynced, box }) =>
      unsynced ? [{ ...unsynced, low: box.y + box.h - RISE + BELOW }] : [],
    )
    .sort((a, b) => a.from - b.from);
  const ways = parts.map(({ from, to, low }) => `H${from}V${low}H${to}V${durableY}`);
  return `M${unit} ${durableY}${ways.join('')}H${right}`;
}
