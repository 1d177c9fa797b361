import { useLayoutEffect, useState } from 'react';
import type { Page } from '../../model/page';

interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Space around the object in the light [px]. */
const AROUND = 8;

/** Dims everything except the selected object. */
export function Spot({ page, selection }: { page: Page; selection: string }) {
  const [place, setPlace] = useState<Place | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each change of the page the object may be elsewhere
  useLayoutEffect(() => {
    const app = document.querySelector<HTMLElement>('.audience');
    const found = app?.querySelector(`[data-object="${CSS.escape(selection)}"]`);
    if (!app || !found) {
      setPlace(null);
      return;
    }
    const [around, inside] = [app.getBoundingClientRect(), found.getBoundingClientRect()];
    // Positions come in pixels of the screen, and are set in those of the page, which is scaled.
    const zoom = around.width / app.offsetWidth || 1;
    setPlace({
      left: (inside.left - around.left) / zoom - AROUND,
      top: (inside.top - around.top) / zoom - AROUND,
      width: inside.width / zoom + 2 * AROUND,
      height: inside.height / zoom + 2 * AROUND,
    });
  }, [page, selection]);
  return place && <div className="spot" style={place} aria-hidden="true" />;
}
