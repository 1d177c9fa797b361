import { type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState } from 'react';
import { count } from '../../model/words';
import { placeIn } from '../shared/placeIn';
import { useSize } from '../shared/useSize';
import type { StepLine } from './scene/answers';
import { changes, KIND_WORDS } from './scene/history';
import { MARGIN, type Slot, slotNear, slotsOf, stepAtX, stepX } from './scene/slider';

interface Props {
  steps: readonly StepLine[];
  family: number;
  step: number;
  last: number;
  /** The sentence of the step. */
  sentence: string;
  onScrub(step: number): void;
}

const FIRST_SIZE = { width: 480, height: 36 };
const SIZE_MIN = { width: 40, height: 1 };
const LANE_H = 15;
const LANE_Y = 7;
const TRACK_Y = 27;

/** The outline of each kind of step, around a point: never colour alone. */
const SIGNS: Readonly<Record<string, string>> = {
  flush: 'm-4.5-4h9l-4.5 8.5z',
  compaction: 'm0-5l5 5l-5 5l-5-5z',
  move: 'm-4.5-1.3h4.4v-3.2l5 4.5l-5 4.5v-3.2h-4.4z',
  ingestion: 'm-1.2-4.8h2.4v3.6h3.6v2.4h-3.6v3.6h-2.4v-3.6h-3.6v-2.4h3.6z',
  excise: 'm-4.5-1.2h9v2.4h-9z',
  deletion: 'm-4.5-2.5l2-2 2.5 2.5 2.5-2.5 2 2-2.5 2.5 2.5 2.5-2 2-2.5-2.5-2.5 2.5-2-2 2.5-2.5z',
  recovery: 'm-4.5-4.5h9v9h-9zm2.5 2.5v4h4v-4z',
  family_created: 'm0-4.8a4.8 4.8 0 1 1-.01 0z',
  family_dropped:
    'm-4.5-2.5l2-2 2.5 2.5 2.5-2.5 2 2-2.5 2.5 2.5 2.5-2 2-2.5-2.5-2.5 2.5-2-2 2.5-2.5z',
  snapshot: 'm-1.2-4.5h2.4v9h-2.4z',
};

/** All steps on one line: drag, click a sign, or use the keys of a slider. */
export function HistorySlider(props: Props) {
  const { steps, family, step, last, sentence, onScrub } = props;
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const [hover, setHover] = useState<{ x: number; text: string } | null>(null);
  const slots = useMemo(
    () => slotsOf(steps, (line) => changes(line, family), last, width),
    [steps, family, last, width],
  );
  const pointed = (event: PointerEvent) => {
    const { x, y } = placeIn(event.currentTarget, event);
    const slot = y <= LANE_H ? slotNear(slots, x) : null;
    return { x, slot, at: slot?.step ?? stepAtX(x, last, width) };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const place = { Home: 0, End: last }[event.key];
    if (move !== undefined) onScrub(step + (event.shiftKey ? 10 * move : move));
    else if (place !== undefined) onScrub(place);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className="timeline-slider"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label="History"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={step}
      aria-valuetext={`Step ${count(step)} of ${count(last)}. ${sentence}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        setHover(null);
        onScrub(pointed(event).at);
      }}
      onPointerMove={(event) => {
        const { x, slot, at } = pointed(event);
        const drags = event.currentTarget.hasPointerCapture?.(event.pointerId) ?? false;
        setHover(drags ? null : { x, text: tipOf(at, slot) });
        if (drags) onScrub(at);
      }}
      onPointerLeave={() => setHover(null)}
    >
      <Strip slots={slots} width={width} cursor={stepX(step, last, width)} />
      {hover && (
        <span
          className="tip"
          style={hover.x < width / 2 ? { left: hover.x } : { right: width - hover.x }}
        >
          {hover.text}
        </span>
      )}
    </div>
  );
}

const Strip = memo(function Strip(props: {
  slots: readonly Slot[];
  width: number;
  cursor: number;
}) {
  const { slots, width, cursor } = props;
  return (
    <svg width={width} height={FIRST_SIZE.height} aria-hidden="true">
      <path className="track" d={`M${MARGIN} ${TRACK_Y}H${width - MARGIN}`} />
      <path className="bars" d={barsOf(slots, (x) => x <= cursor)} />
      <path className="bars future" d={barsOf(slots, (x) => x > cursor)} />
      {Object.entries(SIGNS).map(([kind, sign]) => (
        <path
          key={kind}
          className={`mark lens-mark-${kind}`}
          fillRule="evenodd"
          d={slots
            .filter((slot) => slot.kind === kind)
            .map(({ x }) => `M${x.toFixed(1)} ${LANE_Y}${sign}`)
            .join('')}
        />
      ))}
      <path className="cursor" d={`M${cursor.toFixed(1)} 0V36`} />
      <circle className="cursor-head" cx={cursor} cy={TRACK_Y} r={6} />
    </svg>
  );
});

function tipOf(step: number, slot: Slot | null): string {
  return `step ${count(step)}${slot ? `: ${KIND_WORDS[slot.kind] ?? slot.kind}` : ''}`;
}

/** Bars as high as the bytes that were written. */
function barsOf(slots: readonly Slot[], isDrawn: (x: number) => boolean): string {
  return slots
    .filter(({ x }) => isDrawn(x))
    .map(({ x, height }) => {
      const h = 2 + 14 * height;
      return `M${x.toFixed(1)} ${(TRACK_Y - h / 2).toFixed(1)}v${h.toFixed(1)}`;
    })
    .join('');
}
