import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Way as Direction } from '../../model/page';
import { type Bead, beadsOf } from './scene/beads';
import { type Moving, pointAt, type Way, waysBack, waysBetween } from './scene/motion';

/** Keyframes of a way; the browser interpolates between them. */
const SAMPLES = 14;

/**
 * Moves every object from its place in the previous picture to the new one, by {@link waysBetween}. Running motions go on
 * while other objects change. Nothing moves where `moves` is `null`, or for people who prefer reduced motion.
 */
export function useMotion(
  host: RefObject<HTMLElement | null>,
  scene: Moving,
  moves: Direction | null,
): void {
  const last = useRef<Moving | null>(null);
  const departed = useRef<{ at: number; beads: readonly Bead[] }>({ at: 0, beads: [] });
  const running = useRef(new Map<string, Animation>());
  useLayoutEffect(() => {
    const before = last.current;
    last.current = scene;
    if (!moves || !before || before === scene || !host.current || isStill()) return;
    const elements = elementsOf(host.current);
    const gone = isRecent(departed.current.at) ? departed.current.beads : [];
    const left = leftOf(before, scene);
    if (left.length > 0) departed.current = { at: performance.now(), beads: left };
    const ways = moves === 'back' ? waysBack(before, scene) : waysBetween(before, scene, gone);
    for (const way of ways) {
      const element = elements.get(way.id);
      if (!element?.animate) continue;
      running.current.get(way.id)?.cancel();
      const animation = element.animate(framesOf(way), {
        duration: way.lasts,
        delay: way.begins,
        fill: 'backwards',
      });
      running.current.set(way.id, animation);
      animation.onfinish = () => running.current.delete(way.id);
    }
  }, [host, scene, moves]);
}

/** How long entries that have left the picture still serve as origins of others [ms]. */
const DEPARTED_MS = 1500;

const isRecent = (at: number) => performance.now() - at < DEPARTED_MS;

/** The entries that are no longer where they were. */
function leftOf(before: Moving, after: Moving): Bead[] {
  const there = new Set(beadsOf(after).map(({ id }) => id));
  return beadsOf(before).filter(({ id }) => !there.has(id));
}

/** The elements of objects and entries by their names. */
function elementsOf(host: HTMLElement): Map<string, Element> {
  const elements = new Map<string, Element>();
  for (const element of host.querySelectorAll<SVGElement>('[data-object][role], [data-moving]')) {
    const { object, moving } = element.dataset;
    const id = moving ?? object;
    if (id !== undefined) elements.set(id, element);
  }
  return elements;
}

function framesOf(way: Way): Keyframe[] {
  const steps = way.how === 'appear' ? 1 : SAMPLES;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const { dx, dy, opacity, length } = pointAt(way, way.begins + (way.lasts * index) / steps);
    const transform = way.how === 'grow' ? `scaleY(${length})` : `translate(${dx}px, ${dy}px)`;
    // At its end an object is as opaque as its style sets.
    return opacity < 1 ? { transform, opacity } : { transform };
  });
}

/** Whether nothing moves: for people who prefer reduced motion. */
export function isStill(): boolean {
  return window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true;
}
