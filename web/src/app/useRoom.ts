import { useSyncExternalStore } from 'react';

/** The window in the page's own pixels, before they are scaled. */
export interface Room {
  width: number;
  height: number;
  /** For style sheets. */
  name: 'narrow' | 'usual' | 'wide';
  /** Everything is stacked. */
  isNarrow: boolean;
  /** Has no place for causes. */
  isLow: boolean;
  /** Has a place for the side panel. */
  hasPanel: boolean;
}

/** Widths and heights from which the page changes [px]. */
const STACKED_MAX = 640;
const PANEL_MIN = 1000;
const USUAL_MIN = 1240;
const WIDE_MIN = 1480;
const TALL_MIN = 560;

/** The room that the page has at `scale`. */
export function useRoom(scale: number): Room {
  const size = useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed);
      return () => window.removeEventListener('resize', changed);
    },
    () => `${window.innerWidth} ${window.innerHeight}`,
  );
  const [width = 0, height = 0] = size.split(' ').map((side) => Number(side) / scale);
  return {
    width,
    height,
    name: width < USUAL_MIN ? 'narrow' : width < WIDE_MIN ? 'usual' : 'wide',
    isNarrow: width <= STACKED_MAX,
    isLow: height < TALL_MIN,
    hasPanel: width >= PANEL_MIN,
  };
}
