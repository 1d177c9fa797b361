import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react';
import { scaleOf } from './placeIn';
import type { Size } from './useSize';

/** How much larger than usual the page is around `host`, which gets another `size` with it. */
export function usePageScale(host: RefObject<HTMLElement | null>, size: Size): number {
  const [scale, setScale] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scale is seen by the size alone
  useLayoutEffect(() => {
    if (host.current) setScale(scaleOf(host.current));
  }, [host, size]);
  return scale;
}

/** A magnified page: units of the window are magnified in it, too, unless they are divided by `--zoom`. */
export const zoomed = (scale: number) => ({ zoom: scale, '--zoom': scale }) as CSSProperties;
