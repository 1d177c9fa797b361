import { memo, type PointerEvent, useMemo, useRef } from 'react';
import { count } from '../../model/words';
import { placeIn } from '../shared/placeIn';
import { ScrubTip, useScrub } from '../shared/useScrub';
import { useSize } from '../shared/useSize';
import { LANE_SIGNS } from './laneSigns';
import { changes, type InHistory, KIND_WORDS } from './scene/history';
import { MARGIN, type Slot, slotNear, slotsOf, stepAtX, stepX } from './scene/slider';

interface Props extends InHistory {
  /** The sentence of the step. */
  sentence: string;
  onScrub(step: number): void;
}

const FIRST_SIZE = { width: 480, height: 36 };
const SIZE_MIN = { width: 40, height: 1 };
const LANE_H = 15;
const LANE_Y = 7;
const TRACK_Y = 27;

/** All steps on one line: drag, click a sign, or use the keys of a slider. */
export function HistorySlider(props: Props) {
  const { steps, family, step, last, sentence, onScrub } = props;
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const slots = useMemo(
    () => slotsOf(steps, (line) => changes(line, family), last, width),
    [steps, family, last, width],
  );
  const pointed = (event: PointerEvent) => {
    const { x, y } = placeIn(event.currentTarget, event);
    const slot = y <= LANE_H ? slotNear(slots, x) : null;
    const at = slot?.step ?? stepAtX(x, last, width);
    return { x, at, text: tipOf(at, slot) };
  };
  const onStep = (steps: number) => onScrub(step + steps);
  const { hover, handlers } = useScrub({ first: 0, last, pointed, onScrub, onStep });
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
      aria-valuetext={`Step ${count(step)} of 0 to ${count(last)}. ${sentence}`}
      {...handlers}
    >
      <Strip slots={slots} width={width} cursor={stepX(step, last, width)} />
      {hover && <ScrubTip hover={hover} width={width} />}
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
      {Object.entries(LANE_SIGNS).map(([kind, sign]) => (
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
