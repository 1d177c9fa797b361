import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Way as Direction } from '../../model/page';
import { type Bead, beadsOf } from './scene/beads';
import type { Box } from './scene/geometry';
import { lostOf, type Moving, pointAt, type Way, waysBack, waysBetween } from './scene/motion';
import { boxAt, carried, isZoom, WORDS_FROM, ZOOM_MS, type ZoomWay, zoomWays } from './scene/zoom';

/** Keyframes of a way; the browser interpolates between them. */
const SAMPLES = 14;

/**
 * Moves every object from its place in the previous picture to the new one, by {@link waysBetween}. Running motions go on
 * while other objects change. A table that is opened or closed grows or shrinks by {@link zoomWays}. Nothing moves where
 * `moves` is `null`, or for people who prefer reduced motion.
 */
export function useMotion(
  host: RefObject<HTMLElement | null>,
  scene: Moving,
  moves: Direction | null,
): void {
  const last = useRef<{ scene: Moving; elements: Map<string, Element> } | null>(null);
  const departed = useRef<Departed>({ at: 0, beads: [], elements: new Map() });
  const running = useRef(new Map<string, Animation>());
  useLayoutEffect(() => {
    const known = last.current;
    if (!host.current || known?.scene === scene) return;
    const elements = elementsOf(host.current);
    last.current = { scene, elements };
    if (!known || isStill()) return;
    const before = known.scene;
    if (isZoom(before, scene)) {
      for (const way of zoomWays(before, scene)) zoom(elements.get(way.id), way);
      for (const id of ['words', 'wedge', 'nodes']) fadeIn(elements.get(id));
      return;
    }
    if (!moves) return;
    const gone = isRecent(departed.current.at) ? departed.current.beads : [];
    const left = leftOf(before, scene);
    if (left.length > 0)
      departed.current = { at: performance.now(), beads: left, elements: known.elements };
    if (moves === 'forward') sink(host.current, departed.current, scene);
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

/** Entries that have left the picture, and the elements that drew them. */
interface Departed {
  at: number;
  beads: readonly Bead[];
  elements: Map<string, Element>;
}

/** Lets the entries that the picture has lost sink and fade, once. */
function sink(host: HTMLElement, { at, beads, elements }: Departed, scene: Moving): void {
  const picture = host.querySelector('svg');
  for (const { id } of isRecent(at) ? lostOf(beads, scene) : []) {
    const element = elements.get(id);
    elements.delete(id);
    if (!picture || !element?.animate || element.isConnected) continue;
    // The same entry may come back meanwhile: its own element moves then.
    element.removeAttribute('data-moving');
    picture.append(element);
    const sinks = [{ opacity: 1 }, { opacity: 0, transform: 'translateY(24px)' }];
    const motion = element.animate(sinks, { duration: LOST_MS, fill: 'forwards' });
    motion.onfinish = () => element.remove();
  }
}

const LOST_MS = 600;

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

/** Moves an object on its way. Boxes stretch, words come at the end; what is no box keeps its size. */
function zoom(element: Element | undefined, way: ZoomWay): void {
  const { id, from, to } = way;
  if (!element?.animate || SIDES.every((side) => Math.abs(from[side] - to[side]) < STILL)) return;
  if (!STRETCHED.test(id)) {
    glide(element, way);
    return;
  }
  for (const part of [element, ...element.querySelectorAll(PARTS)]) {
    if (isRect(part)) part.animate(stretch(part, way), ZOOM_MS);
    else if (part !== element && !id.startsWith('memtable:')) fadeIn(part);
    else if (part !== element) glide(part, way);
  }
}

const STILL = 0.5;
const SIDES = ['x', 'y', 'w', 'h'] as const;
const STRETCHED = /^(table|memtable|inside|strip|water)\b|^wal:\d+\//;
/** The parts of an object that have no way of their own. */
const PARTS = ':scope > :is(rect, text, path):not([data-moving])';

/** From the middle of its former place; it stays where it is on the axis of the keys. */
function glide(element: Element, way: ZoomWay): void {
  const middle = ({ y, h }: Box) => y + h / 2;
  const frames = Array.from({ length: SAMPLES + 1 }, (_, index) => {
    const box = boxAt(way, index / SAMPLES);
    return { transform: `translateY(${middle(box) - middle(way.to)}px)` };
  });
  element.animate(frames, ZOOM_MS);
}

const isRect = (element: Element): element is SVGRectElement => element.tagName === 'rect';

function stretch(rect: SVGRectElement, way: ZoomWay): Keyframe[] {
  const [x = 0, y = 0, w = 0, h = 0] = [rect.x, rect.y, rect.width, rect.height].map(
    ({ baseVal }) => baseVal.value,
  );
  const own: Box = { x, y, w, h };
  return Array.from({ length: SAMPLES + 1 }, (_, index) => {
    const box = carried(own, way.to, boxAt(way, index / SAMPLES));
    return { x: `${box.x}px`, y: `${box.y}px`, width: `${box.w}px`, height: `${box.h}px` };
  });
}

function fadeIn(element: Element | undefined): void {
  element?.animate?.([{ opacity: 0 }, { opacity: 0, offset: WORDS_FROM }, {}], ZOOM_MS);
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
