import { useLayoutEffect, useRef } from 'react';
import type { WireEvent } from '../../model/engine.generated';
import { domId } from './Marked';
import type { Scene } from './scene/stage';
import { shifts, type Travel, travels } from './scene/travel';

const DURATION_MS = 220;

interface Props {
  before: Scene;
  after: Scene;
  event: Pick<WireEvent, 'id' | 'patches'>;
}

/** Shows once where something went; nothing for people who asked for less motion. */
export function Travels({ before, after, event }: Props) {
  const moving = travels(before, after, event);
  return (
    <g className="travels">
      {moving.map((travel) => (
        <Ghost key={`${event.id} ${travel.id}`} travel={travel} />
      ))}
      <Shifts key={event.id} before={before} after={after} />
    </g>
  );
}

/** Lets the objects whose places changed with the axis glide to them. */
function Shifts({ before, after }: Pick<Props, 'before' | 'after'>) {
  const place = useRef<SVGGElement>(null);
  const moving = useRef(shifts(before, after)).current;
  useLayoutEffect(() => {
    const picture = place.current?.ownerSVGElement;
    if (!picture || isStill()) return;
    const animations = moving.flatMap(({ id, dx, dy }) => {
      const animation = picture
        .querySelector(`#${domId(id)}`)
        ?.animate?.([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], {
          duration: DURATION_MS,
          easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
        });
      return animation ? [animation] : [];
    });
    return () => {
      for (const animation of animations) animation.cancel();
    };
  }, [moving]);
  return <g ref={place} />;
}

function isStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function Ghost({ travel }: { travel: Travel }) {
  const rect = useRef<SVGRectElement>(null);
  // Only the first placement counts: a later picture must not start the journey again.
  const { from, to, kind } = useRef(travel).current;
  useLayoutEffect(() => {
    const element = rect.current;
    if (!element?.animate || isStill()) return;
    const moved = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
    const scaled = `scale(${from.w / Math.max(to.w, 1)}, ${from.h / Math.max(to.h, 1)})`;
    const animation = element.animate(
      [
        { transform: `${moved} ${scaled}`, opacity: 0.9 },
        { transform: 'none', opacity: 0 },
      ],
      { duration: DURATION_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    );
    return () => animation.cancel();
  }, [from, to]);
  return (
    <rect
      ref={rect}
      className={`ghost ghost-${kind}`}
      x={to.x}
      y={to.y}
      width={to.w}
      height={to.h}
      rx={6}
      opacity={0}
      style={{ transformOrigin: `${to.x}px ${to.y}px` }}
    />
  );
}
