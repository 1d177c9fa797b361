import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSize } from '../shared/useSize';
import {
  type HexScroll,
  scaleOf,
  scrollHeight,
  scrollTopOf,
  topShowing,
  virtualTop,
  visibleRows,
} from './scene/hex';

const FIRST_SIZE = { width: 0, height: 480 };
const SIZE_MIN = { width: 0, height: 0 };

/**
 * Which rows of `rowHeight` are on screen, by scroll bar and wheel, also when there are too many for a scroll bar. The row
 * with the keyboard focus stays in sight.
 */
export function useRowScroll(
  host: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
  focusRow: number,
) {
  const viewport = Math.max(useSize(host, FIRST_SIZE, SIZE_MIN).height, rowHeight);
  const [top, setTop] = useState(0);
  const scroll: HexScroll = { rows, rowHeight, viewport };
  // With a scaled scroll bar, a place of it stands for several rows: the exact one is kept here.
  const exact = useRef({ scrollTop: 0, top: 0 });
  const show = (wanted: number) => {
    const element = host.current;
    if (!element) return;
    const next = Math.min(Math.max(wanted, 0), Math.max(0, rows * rowHeight - viewport));
    const scrollTop = scrollTopOf(scroll, next);
    exact.current = { scrollTop, top: next };
    element.scrollTop = scrollTop;
    setTop(next);
  };
  const onScroll = () => {
    const scrollTop = host.current?.scrollTop ?? 0;
    const kept = Math.abs(scrollTop - exact.current.scrollTop) <= 1;
    const next = kept ? exact.current.top : virtualTop(scroll, scrollTop);
    exact.current = { scrollTop, top: next };
    setTop(next);
  };
  // The wheel moves by rows also where the scroll bar cannot.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (scaleOf(scroll) === 1 || event.ctrlKey) return;
    event.preventDefault();
    show(exact.current.top + (event.deltaMode === 0 ? event.deltaY : event.deltaY * rowHeight));
  });
  useEffect(() => {
    const element = host.current;
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [host]);
  const showFocus = useEffectEvent(() => {
    if (rows > 0) show(topShowing(scroll, exact.current.top, focusRow));
  });
  const isEmpty = rows === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling away from it is allowed
  useEffect(showFocus, [focusRow, isEmpty, viewport]);
  const shift = scaleOf(scroll) === 1 ? 0 : exact.current.scrollTop - top;
  const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
  return { ...visibleRows(scroll, top), height: scrollHeight(scroll), shift, page, onScroll };
}
