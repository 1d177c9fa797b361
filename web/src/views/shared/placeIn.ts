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
