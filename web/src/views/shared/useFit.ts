import { useEffectEvent, useLayoutEffect, useRef } from 'react';

/** A text this much shorter than one that fits does, too, whichever letters it has. */
const SURELY = 0.8;

/**
 * Sets the letters of an element as large as its place allows, from one of the page's sizes to the `least` [px]; a new
 * `text` starts over.
 */
export function useFit(most: '--sentence' | '--text' | '--second', least: number, text: string) {
  const host = useRef<HTMLParagraphElement>(null);
  /** Length of the longest text that was found to fit with the largest letters; a new place begins anew. */
  const fitting = useRef(0);
  const shrink = useEffectEvent(() => {
    const element = host.current;
    const { length } = text;
    if (!element) return;
    if (length <= fitting.current * SURELY) return set(element, `var(${most})`);
    // Each look at the heights lays out the page.
    const usual = Number.parseFloat(getComputedStyle(element).getPropertyValue(most));
    for (let less = 0; less <= usual - least; less += 1) {
      set(element, `calc(var(${most}) - ${less}px)`);
      if (element.scrollHeight > element.clientHeight + 1) continue;
      if (less === 0) fitting.current = Math.max(fitting.current, length);
      return;
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another length
  useLayoutEffect(() => shrink(), [text]);
  useLayoutEffect(() => {
    // Its own size follows from its letters.
    const place = host.current?.parentElement ?? host.current;
    if (!place) return;
    let known = '';
    const observer = new ResizeObserver(() => {
      const size = `${place.clientWidth} ${place.clientHeight}`;
      if (size === known) return;
      known = size;
      fitting.current = 0;
      shrink();
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return host;
}

function set(element: HTMLElement, size: string): void {
  if (element.style.fontSize !== size) element.style.fontSize = size;
}
