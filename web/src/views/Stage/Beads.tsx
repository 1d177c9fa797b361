import { type CSSProperties, memo } from 'react';
import type { Bead } from './scene/beads';
import type { Box } from './scene/geometry';

/** The colour of a key, for the styles of its object. */
export function hued(hue: number): CSSProperties {
  return { '--hue': hue } as CSSProperties;
}

/** Entries, each in the colour of its key; a tombstone is hollow. */
export const Beads = memo(function Beads({ beads }: { beads: readonly Bead[] }) {
  // Pale beads are drawn first, so that the others cover them.
  const drawn = beads.toSorted((a, b) => Number(b.isPale) - Number(a.isPale));
  return drawn.map(({ id, box, hue, isHollow, isPale }) => (
    <rect
      key={id}
      className={`bead${isHollow ? ' is-hollow' : ''}${isPale ? ' is-pale' : ''}`}
      data-moving={id}
      style={hued(hue)}
      x={box.x}
      y={box.y}
      width={box.w}
      height={box.h}
      rx={Math.min(box.w, box.h) * 0.4}
    />
  ));
});

/** The range of entries that are not drawn one by one, from the colour of the first key to that of the last. */
export function Strip({ box: { x, y, w, h } }: { box: Box }) {
  return <rect className="key-strip" x={x} y={y} width={w} height={h} rx={2} />;
}
