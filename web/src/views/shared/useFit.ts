import { useLayoutEffect, useRef } from 'react';

/** Sizes of letters, from the usual one to the least [px]. */
interface LetterSizes {
  most: number;
  least: number;
}

/** A text this much shorter than one that fits does, too, whichever letters it has. */
const SURELY = 0.8;

/** Sets the letters of an element as large as its place allows; `text` says when to try again. */
export function useFit({ most, least }: LetterSizes, text: string) {
  const host = useRef<HTMLParagraphElement>(null);
  const latest = useRef(text);
  /** Length of the longest text that was found to fit with the largest letters; a new place begins anew. */
  const fitting = useRef(0);
  const shrink = useRef(() => {
    const element = host.current;
    const { length } = latest.current;
    if (!element || length <= fitting.current * SURELY) {
      if (element) set(element, most);
      return;
    }
    // Each look at the heights lays out the page.
    for (let letters = most; letters >= least; letters -= 1) {
      set(element, letters);
      if (element.scrollHeight > element.clientHeight + 1) continue;
      if (letters === most) fitting.current = Math.max(fitting.current, length);
      return;
    }
  });
  useLayoutEffect(() => {
    latest.current = text;
    shrink.current();
  }, [text]);
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
      shrink.current();
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  return host;
}

function set(element: HTMLElement, letters: number): void {
  const size = `${letters}px`;
  if (element.style.fontSize !== size) element.style.fontSize = size;
}
