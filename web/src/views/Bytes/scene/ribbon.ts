import type { Stretch } from '../../../model/engine.generated';
import { count } from '../../../model/words';

/** Least width of a part [shares of the ribbon]. */
const WIDTH_MIN = 0.003;

/** One stretch where it is drawn; `x` and `width` are shares of the whole ribbon. */
export type RibbonPart = ReturnType<typeof ribbonParts>[number];

/** The ribbon of a file of `total` bytes: to scale, except that narrow parts get a visible width. */
export function ribbonParts(stretches: readonly Stretch[], total: number) {
  const whole = Math.max(total, 1);
  const least = Math.min(WIDTH_MIN, 0.5 / Math.max(stretches.length, 1));
  const share = (stretch: Stretch) => stretch.bytes / whole;
  const small = stretches.filter((stretch) => share(stretch) < least);
  const rest = 1 - small.reduce((sum, stretch) => sum + share(stretch), 0);
  const left = 1 - small.length * least;
  const factor = rest > 0 ? left / rest : 1;
  let x = 0;
  return stretches.map((stretch) => {
    const width = share(stretch) < least ? least : share(stretch) * factor;
    const part = { stretch, x, width };
    x += width;
    return part;
  });
}

/** Where the byte at `offset` is in the ribbon, as a share. */
export function ribbonX(parts: readonly RibbonPart[], offset: number): number {
  const part = parts.findLast(({ stretch }) => stretch.offset <= offset);
  if (!part) return 0;
  const { stretch, x, width } = part;
  const within = Math.min(1, (offset - stretch.offset) / Math.max(stretch.bytes, 1));
  return x + within * width;
}

/** The screen reader's text for a stretch. */
export function stretchLabel({ name, bytes, offset }: Stretch): string {
  return `${name}: ${count(bytes)} bytes at ${count(offset)}`;
}
