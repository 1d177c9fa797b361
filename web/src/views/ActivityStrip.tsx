import { memo, useMemo } from 'react';
import type { Pulse } from '../model/touched';
import { activityStrip } from '../scene/activity';

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
      {bars.map((bar) => (
        <rect
          key={bar.x}
          className="strip-bar"
          x={bar.x * WIDTH}
          y={HEIGHT / 2 - bar.height * 7}
          width={2.6}
          height={bar.height * 14}
        />
      ))}
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
