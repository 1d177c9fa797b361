import type { AxisTick } from './scene/axis';
import type { Rows } from './scene/geometry';

interface Props {
  rows: Rows;
  ticks: readonly AxisTick[];
  /** Before it. */
  name?: string;
  /** Below it, as long as it has no keys. */
  noTicks?: string;
}

/** The key axis below the levels. */
export function KeyAxisView({ rows, ticks, name, noTicks }: Props) {
  const { unit, axisY: y } = rows;
  const baseline = y + unit * 1.15;
  return (
    <g className="axis">
      {name && (
        <text className="dim mono" x={unit} y={baseline}>
          {name}
        </text>
      )}
      <line className="axis-line" x1={rows.left} x2={rows.right} y1={y} y2={y} />
      {ticks.map((tick, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ticks have no identity; React reuses the elements
        <g key={index}>
          <line className="axis-tick" x1={tick.x} x2={tick.x} y1={y - 4} y2={y + 4} />
          <text className="mono dim" x={tick.x} y={baseline} textAnchor={tick.anchor}>
            {tick.label}
          </text>
        </g>
      ))}
      {noTicks && ticks.length === 0 && rows.axisLabels && (
        <text className="dim" x={rows.left} y={baseline}>
          {noTicks}
        </text>
      )}
    </g>
  );
}
