import { useLayoutEffect, useRef } from 'react';

/** Sizes of letters, from the usual one to the least [px]. */
export interface LetterSizes {
  most: number;
  least: number;
}

/** Sets the letters of an element as large as its place allows; `text` says when to try again. */
export function useFit({ most, least }: LetterSizes, text: string) {
  const host = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text needs another size
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const shrink = () => {
      for (let letters = most; letters >= least; letters -= 1) {
        element.style.fontSize = `${letters}px`;
        if (element.scrollHeight <= element.clientHeight + 1) return;
      }
    };
    shrink();
    const observer = new ResizeObserver(shrink);
    // Its own size follows from its letters.
    observer.observe(element.parentElement ?? element);
    return () => observer.disconnect();
  }, [most, least, text]);
  return host;
}
