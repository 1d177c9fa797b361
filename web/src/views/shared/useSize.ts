import { type RefObject, useLayoutEffect, useState } from 'react';

/** Inner width and height of an element [px]. */
export interface Size {
  width: number;
  height: number;
}

/** The size of `host`, followed; `first` until it is laid out, and sizes below `min` do not count. */
export function useSize(host: RefObject<HTMLElement | null>, first: Size, min: Size): Size {
  const [size, setSize] = useState(first);
  const { width: minWidth, height: minHeight } = min;
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const measure = () => {
      const width = element.clientWidth;
      const height = element.clientHeight;
      if (width < minWidth || height < minHeight) return;
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [host, minWidth, minHeight]);
  return size;
}
