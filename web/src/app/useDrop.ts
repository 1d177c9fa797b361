import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes what is dropped anywhere on the page, at any time: the browser would leave the page for it. Returns whether
 * something droppable is over it. Text that is dragged within the page is left alone.
 */
export function useDrop(onDrop: (transfer: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    // Each element on the way fires its own events: `depth` counts those entered and not left.
    let depth = 0;
    const filesIn = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') ? dataTransfer : null;
    const end = () => {
      depth = 0;
      setOver(false);
    };
    const hear = (event: DragEvent) => {
      const files = filesIn(event);
      if (!files) return;
      if (event.type !== 'dragleave') event.preventDefault();
      switch (event.type) {
        case 'dragenter':
          depth += 1;
          setOver(true);
          break;
        case 'dragleave':
          depth -= 1;
          if (depth <= 0) end();
          break;
        case 'dragover':
          files.dropEffect = 'copy';
          break;
        case 'drop':
          end();
          drop(files);
      }
    };
    const types = ['dragenter', 'dragleave', 'dragover', 'drop'] as const;
    const over = new AbortController();
    for (const type of types) window.addEventListener(type, hear, { signal: over.signal });
    return () => over.abort();
  }, []);
  return over;
}
