import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { type Axis, type Comparison, partAt } from '../../model/comparison';
import { useViews } from '../shared/contexts';
import { placeIn } from '../shared/placeIn';
import { useSize } from '../shared/useSize';
import { compareScene, placeAtX } from './scene';

interface Props {
  axis: Axis;
  comparison: Comparison;
}

const FIRST_SIZE = { width: 1000, height: 64 };
const SIZE_MIN = { width: 50, height: 1 };
/** The places of commands and ticks in a slider of the usual height, and in a low one [px]. */
const USUAL = { partY: 16, tickH: 11 };
const LOW = { partY: 12, tickH: 8 };
/** Height of a label [px]. */
const LABEL_H = 16;

/** All commands on one line, for both sides: a drag moves one cursor. The keys of the page move it as well. */
export function CompareSlider({ axis, comparison }: Props) {
  const { compare } = useViews();
  const host = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const { partY, tickH } = height < FIRST_SIZE.height ? LOW : USUAL;
  const partH = height - 2 * partY;
  const { at } = comparison;
  const scene = useMemo(() => compareScene(axis, at, width), [axis, at, width]);
  // The command was typed in the terminal: from here on the arrow keys move the cursor.
  useEffect(() => host.current?.focus(), []);
  const scrub = (event: PointerEvent) =>
    compare(placeAtX(placeIn(event.currentTarget, event).x, axis.total, width));
  const found = partAt(comparison);
  return (
    <div
      className="compare-slider rigid"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label="One cursor for both"
      aria-valuemin={0}
      aria-valuemax={axis.total}
      aria-valuenow={at}
      aria-valuetext={
        found ? `command ${found.number}: ${found.part.text}` : 'before the first command'
      }
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture?.(event.pointerId)) scrub(event);
      }}
    >
      <svg width={width} height={height} aria-hidden="true">
        {scene.parts.map(({ key, text, label, x, w }, index) => (
          <g key={key}>
            <rect
              className={index % 2 === 0 ? 'part' : 'part other'}
              x={x}
              y={partY}
              width={Math.max(w - 1, 1)}
              height={partH}
            >
              <title>{text}</title>
            </rect>
            {label !== '' && (
              <text x={x + w / 2} y={partY + partH / 2 + LABEL_H * 0.36} textAnchor="middle">
                {label}
              </text>
            )}
          </g>
        ))}
        {scene.ticks.map((ticks, side) => (
          <path
            key={side === 0 ? 'first' : 'second'}
            className="axis-tick"
            d={ticks
              .map((x) => `M${x} ${side === 0 ? partY - tickH - 2 : partY + partH + 2}v${tickH}`)
              .join('')}
          />
        ))}
        <path className="cursor" d={`M${scene.cursor.toFixed(1)} 0V${height}`} />
      </svg>
    </div>
  );
}
