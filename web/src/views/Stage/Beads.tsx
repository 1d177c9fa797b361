import { type CSSProperties, memo } from 'react';
import { Rect } from './Rect';
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
    <Rect
      key={id}
      className={`bead${isHollow ? ' is-hollow' : ''}${isPale ? ' is-pale' : ''}`}
      data-moving={id}
      style={hued(hue)}
      box={box}
      r={Math.min(box.w, box.h) * 0.4}
    />
  ));
});

/** The range of entries that are not drawn one by one, from the colour of the first key to that of the last. */
export function Strip({ box }: { box: Box }) {
  return <Rect className="key-strip" box={box} r={2} />;
}
