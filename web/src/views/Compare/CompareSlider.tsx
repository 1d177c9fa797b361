import { type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { type Axis, type Comparison, partAt } from '../../model/comparison';
import { useViews } from '../shared/contexts';
import { useSize } from '../shared/useSize';
import { compareScene, placeAtX } from './scene';

interface Props {
  axis: Axis;
  comparison: Comparison;
}

const FIRST_SIZE = { width: 1000, height: 64 };
const SIZE_MIN = { width: 50, height: 1 };
const PART_Y = 16;
const PART_H = 32;
const TICK_H = 11;

/** All commands on one line, for both sides: a drag moves one cursor. The keys of the page move it as well. */
export function CompareSlider({ axis, comparison }: Props) {
  const { compare } = useViews();
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const { at } = comparison;
  const scene = useMemo(() => compareScene(axis, at, width), [axis, at, width]);
  // The command was typed in the terminal: from here on the arrow keys move the cursor.
  useEffect(() => host.current?.focus(), []);
  const scrub = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    compare(placeAtX(event.clientX - left, axis.total, width));
  };
  const found = partAt(comparison);
  return (
    <div
      className="compare-slider"
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
      <svg width={width} height={FIRST_SIZE.height} aria-hidden="true">
        {scene.parts.map(({ key, text, label, x, w }, index) => (
          <g key={key}>
            <rect
              className={index % 2 === 0 ? 'part' : 'part other'}
              x={x}
              y={PART_Y}
              width={Math.max(w - 1, 1)}
              height={PART_H}
            >
              <title>{text}</title>
            </rect>
            {label !== '' && (
              <text x={x + w / 2} y={PART_Y + 22} textAnchor="middle">
                {label}
              </text>
            )}
          </g>
        ))}
        {scene.ticks.map((ticks, side) => (
          <path
            key={side === 0 ? 'first' : 'second'}
            className="tick"
            d={ticks
              .map(
                (x) => `M${x} ${side === 0 ? PART_Y - TICK_H - 2 : PART_Y + PART_H + 2}v${TICK_H}`,
              )
              .join('')}
          />
        ))}
        <path className="cursor" d={`M${scene.cursor.toFixed(1)} 0V${FIRST_SIZE.height}`} />
      </svg>
    </div>
  );
}
