import type { Rows } from './geometry';
import { RISE, type WalShape } from './logs';
import { textWidth } from './text';

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

/** At the end of the line. */
const WORDS = ['not durable above · durable below', 'durable below'];

/** The words at the right end of the line, and where it ends before them; `null`: no room beside logs that reach up to it. */
export function durableWords(
  wals: readonly WalShape[],
  { right, unit, wal, durableY }: Pick<Rows, 'right' | 'unit' | 'wal' | 'durableY'>,
) {
  const isClose = wal.y - durableY < unit * 0.5;
  const reach = wals.map(({ unsynced, whole }) => (isClose || unsynced ? whole.x + whole.w : 0));
  const ends = WORDS.map((text) => ({ text, end: right - textWidth(text, unit) - unit * 0.5 }));
  return ends.find(({ end }) => end > Math.max(...reach, 0)) ?? null;
}
