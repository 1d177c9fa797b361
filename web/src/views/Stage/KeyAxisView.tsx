import type { Scene } from './scene/stage';

/** The key axis below the levels. */
export function KeyAxisView({ scene }: { scene: Scene }) {
  const { rows, ticks } = scene;
  const { unit, axisY: y } = rows;
  const baseline = y + unit * 1.15;
  return (
    <g className="axis">
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
      {ticks.length === 0 && rows.axisLabels && (
        <text className="dim" x={rows.left} y={baseline}>
          no tables yet
        </text>
      )}
    </g>
  );
}
