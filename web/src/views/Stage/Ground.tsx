import { hued } from './Beads';
import { Rect } from './Rect';
import { hueAt } from './scene/axis';
import type { Rows } from './scene/geometry';

interface Drawn {
  rows: Rows;
  width: number;
  height: number;
}

/** The water below the line between memory and files: it gets deeper with the age of the tables. */
export function Water({ scene: { rows, width, height } }: { scene: Drawn }) {
  const { durableY: y } = rows;
  return (
    <Rect
      className="water"
      data-moving="water"
      box={{ x: 0, y, w: width, h: Math.max(height - y, 0) }}
    />
  );
}

const STOPS = Array.from({ length: 13 }, (_, index) => index / 12);

/** The fills and markers of the picture's shapes, by name. */
export function Patterns({ rows: { left, right } }: { rows: Rows }) {
  return (
    <defs>
      <linearGradient id="water" x1={0} y1={0} x2={0} y2={1}>
        <stop className="water-top" offset={0} />
        <stop className="water-bottom" offset={1} />
      </linearGradient>
      <linearGradient id="keys" gradientUnits="userSpaceOnUse" x1={left} x2={right} y1={0} y2={0}>
        {STOPS.map((share) => (
          <stop key={share} className="key-stop" offset={share} style={hued(hueAt(share))} />
        ))}
      </linearGradient>
      <pattern
        id="hatch"
        width={8}
        height={8}
        patternTransform="rotate(45)"
        patternUnits="userSpaceOnUse"
      >
        <rect className="hatch" width={3} height={8} />
      </pattern>
      <marker
        id="names"
        viewBox="0 0 10 10"
        refX={8}
        refY={5}
        markerWidth={8}
        markerHeight={8}
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path className="names-head" d="M0 0L10 5L0 10z" />
      </marker>
    </defs>
  );
}
