import type { SVGProps } from 'react';
import type { Box } from './scene/geometry';

interface Props extends Omit<SVGProps<SVGRectElement>, 'x' | 'y' | 'width' | 'height' | 'r'> {
  box: Box;
  /** So much larger on every side [px]. */
  grow?: number;
  /** Radius of its corners [px]. */
  r?: number;
}

/** A box of the picture. */
export function Rect({ box: { x, y, w, h }, grow = 0, r, ...rest }: Props) {
  return (
    <rect {...rest} x={x - grow} y={y - grow} width={w + 2 * grow} height={h + 2 * grow} rx={r} />
  );
}
