import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { SliderProps } from './TimelineSlider';

/** The pointer's target: a place on the line, the step that is meant, and its words. */
interface Pointed {
  x: number;
  at: number;
  text: string;
}

/** How many steps a key goes; with Shift it goes ten times as far. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
};

/** Pointer and keys of a line of steps: drag it, click it, or use the keys of a slider. */
export function useScrub(
  { strip: { first, last }, onScrub, onStep }: SliderProps,
  pointed: (event: PointerEvent) => Pointed,
) {
  const isIdle = last < first;
  const [hover, setHover] = useState<Pointed | null>(null);
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const steps = STEPS[event.key];
      const place = { Home: first, End: last }[event.key];
      if (steps !== undefined) onStep(event.shiftKey ? 10 * steps : steps);
      else if (place !== undefined) onScrub(place);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || isIdle) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      setHover(null);
      onScrub(pointed(event).at);
    },
    onPointerMove(event: PointerEvent) {
      if (isIdle) return;
      const place = pointed(event);
      const drags = event.currentTarget.hasPointerCapture?.(event.pointerId) ?? false;
      setHover(drags ? null : place);
      if (!drags) return;
      // The movement is the slider's: the borders between panels need not look for the pointer.
      event.preventDefault();
      onScrub(place.at);
    },
    onPointerLeave: () => setHover(null),
  };
  return { hover, handlers };
}

/** The words at the pointer, on the side where there is room. */
export function ScrubTip({ hover, width }: { hover: Pointed; width: number }) {
  const { x, text } = hover;
  return (
    <span className="tip" style={x < width / 2 ? { left: x } : { right: width - x }}>
      {text}
    </span>
  );
}
