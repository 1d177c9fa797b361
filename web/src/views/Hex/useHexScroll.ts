import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useSize } from '../shared/useSize';
import {
  type HexScroll,
  scaleOf,
  scrollHeight,
  scrollTopOf,
  topShowing,
  virtualTop,
  visibleRows,
} from './scene';

/** [px] */
export const ROW_HEIGHT = 24;
const FIRST_SIZE = { width: 0, height: 480 };
const SIZE_MIN = { width: 0, height: 0 };

/** Which rows are on screen, by scroll bar, wheel and cursor, also in files too long for a scroll bar. */
export function useHexScroll(host: RefObject<HTMLElement | null>, rows: number, cursorRow: number) {
  const viewport = Math.max(useSize(host, FIRST_SIZE, SIZE_MIN).height, ROW_HEIGHT);
  const [top, setTop] = useState(0);
  const scroll: HexScroll = { rows, rowHeight: ROW_HEIGHT, viewport };
  // In a scaled file a place of the scroll bar stands for several rows: the exact one is kept here.
  const exact = useRef({ scrollTop: 0, top: 0 });
  const scrolled = useRef(scroll);
  scrolled.current = scroll;
  const show = useCallback(
    (wanted: number) => {
      const element = host.current;
      if (!element) return;
      const last = Math.max(0, scrolled.current.rows * ROW_HEIGHT - scrolled.current.viewport);
      const next = Math.min(Math.max(wanted, 0), last);
      const scrollTop = scrollTopOf(scrolled.current, next);
      exact.current = { scrollTop, top: next };
      element.scrollTop = scrollTop;
      setTop(next);
    },
    [host],
  );
  const onScroll = () => {
    const scrollTop = host.current?.scrollTop ?? 0;
    const kept = Math.abs(scrollTop - exact.current.scrollTop) <= 1;
    const next = kept ? exact.current.top : virtualTop(scroll, scrollTop);
    exact.current = { scrollTop, top: next };
    setTop(next);
  };
  // The wheel moves by rows also where the scroll bar cannot.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (scaleOf(scrolled.current) === 1 || event.ctrlKey) return;
      event.preventDefault();
      show(exact.current.top + (event.deltaMode === 0 ? event.deltaY : event.deltaY * ROW_HEIGHT));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [host, show]);
  // The byte with the keyboard focus stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling away from the cursor is allowed
  useEffect(() => {
    if (rows > 0) show(topShowing(scroll, exact.current.top, cursorRow));
  }, [cursorRow, rows, viewport, show]);
  const shift = scaleOf(scroll) === 1 ? 0 : exact.current.scrollTop - top;
  const page = Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1);
  return { ...visibleRows(scroll, top), height: scrollHeight(scroll), shift, page, onScroll };
}
