import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Handles drops anywhere on the page, because the browser would leave the page to open a dropped file. Returns whether a
 * droppable object is over the page. Text dragged within the page is ignored.
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
