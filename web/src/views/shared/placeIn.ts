/** Where a pointer is in `element`, in its own pixels: the page may be scaled. */
export function placeIn(
  element: Element,
  { clientX, clientY }: { clientX: number; clientY: number },
): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}

/** How much larger than in its own pixels `element` is drawn. */
export function scaleOf(element: Element): number {
  return element.currentCSSZoom ?? 1;
}

/** The space between a floating box and the ends of the window [px]. */
const MARGIN = 8;

/** Puts a floating box below `place` [px of the window], or above it where there is no room, within the window. */
export function float(
  box: HTMLElement,
  { left, top, bottom }: { left: number; top: number; bottom: number },
): void {
  const { width, height } = box.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const isBelow = bottom + height + MARGIN <= innerHeight;
  const y = isBelow ? bottom : Math.min(top, innerHeight - MARGIN) - height;
  const scale = scaleOf(box);
  box.style.left = `${Math.max(Math.min(left, innerWidth - width - MARGIN), MARGIN) / scale}px`;
  box.style.top = `${Math.max(y, MARGIN) / scale}px`;
}
