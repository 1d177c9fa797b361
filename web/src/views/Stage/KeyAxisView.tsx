import type { Scene } from './scene/stage';

/** The key axis below the levels. */
export function KeyAxisView({ scene }: { scene: Scene }) {
  const { rows, ticks } = scene;
  const y = rows.axisY;
  return (
    <g className="axis">
      <text className="t13 dim" x={16} y={y + 22}>
        keys
      </text>
      <line className="axis-line" x1={rows.left} x2={rows.right} y1={y} y2={y} />
      {ticks.map((tick, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ticks have no identity; React reuses the elements
        <g key={index}>
          <line className="axis-tick" x1={tick.x} x2={tick.x} y1={y - 5} y2={y + 5} />
          <text className="t13 mono dim" x={tick.x} y={y + 22} textAnchor={tick.anchor}>
            {tick.label}
          </text>
        </g>
      ))}
      {ticks.length === 0 && (
        <text className="t13 dim" x={rows.left} y={y + 22}>
          no table on disk yet
        </text>
      )}
    </g>
  );
}
