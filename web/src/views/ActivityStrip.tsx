import { memo, useMemo } from 'react';
import type { Pulse } from '../model/touched';
import { activityStrip, type StripBar } from '../scene/activity';

const WIDTH = 1000;
const HEIGHT = 26;

/** Past events as a strip, with flushes, compactions and failures marked. For looking only. */
export const ActivityStrip = memo(function ActivityStrip({ pulses }: { pulses: readonly Pulse[] }) {
  const { bars, marks } = useMemo(() => activityStrip(pulses), [pulses]);
  const last = pulses[pulses.length - 1];
  const label = last ? `${pulses.length} events up to step ${last.time}` : 'no events yet';
  return (
    <svg
      className="strip"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className="strip-line" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <path className="strip-bar" d={barsPath(bars)} />
      {marks.map((mark) => (
        <rect
          key={`${mark.time} ${mark.marker}`}
          className={`mark mark-${mark.marker}`}
          x={mark.x * WIDTH - 2}
          y={1}
          width={6}
          height={HEIGHT - 2}
          rx={2}
        >
          <title>{`step ${mark.time}: ${mark.marker}`}</title>
        </rect>
      ))}
    </svg>
  );
});

/** One path for all bars: hundreds of elements would be drawn anew with every event. */
function barsPath(bars: readonly StripBar[]): string {
  return bars
    .map(({ x, height }) => {
      const h = height * 14;
      return `M${(x * WIDTH).toFixed(1)} ${(HEIGHT / 2 - h / 2).toFixed(1)}h2.6v${h.toFixed(1)}h-2.6z`;
    })
    .join('');
}
