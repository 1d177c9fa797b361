import { useSyncExternalStore } from 'react';
import { TOUCH, useMedia } from '../views/shared/useMedia';

/** The window in the page's own pixels, before they are scaled. */
export type Room = ReturnType<typeof useRoom>;

/** Widths and heights from which the page changes [px]. */
const PHONE_MAX = 640;
const PANEL_MIN = 1000;
const USUAL_MIN = 1240;
const WIDE_MIN = 1480;
const TALL_MIN = 560;
/** A phone on its side [px]. */
const LYING = { width: 960, height: 440 };

/** Width and height of the window [px]. */
export function useWindowSize(): [width: number, height: number] {
  const size = useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed);
      return () => window.removeEventListener('resize', changed);
    },
    () => `${window.innerWidth} ${window.innerHeight}`,
  );
  const [width = 0, height = 0] = size.split(' ').map(Number);
  return [width, height];
}

/** The room that the page has at `scale`. */
export function useRoom(scale: number) {
  const isTouched = useMedia(TOUCH);
  const [width, height] = useWindowSize().map((side) => side / scale) as [number, number];
  const isLow = height <= LYING.height;
  const isLying = isLow && width > PHONE_MAX && width <= LYING.width && isTouched;
  return {
    width,
    height,
    /** For style sheets. */
    name: width < USUAL_MIN ? 'narrow' : width < WIDE_MIN ? 'usual' : 'wide',
    /** A phone: too narrow for columns, or in landscape with a touch screen. */
    isPhone: width <= PHONE_MAX || isLying,
    /** A phone on its side: the sheet has a place of its own. */
    isLying,
    /** No room for causes. */
    isLow: height < TALL_MIN,
    /** Room for the side panel. */
    hasPanel: width >= PANEL_MIN,
  };
}
