import { memo, type PointerEvent, useMemo, useRef } from 'react';
import { count } from '../../model/words';
import { MarkSign } from '../shared/MarkSign';
import { placeIn } from '../shared/placeIn';
import { useSize } from '../shared/useSize';
import { signWords } from './scene/signs';
import {
  markNear,
  type PlacedMark,
  type Strip,
  type StripScene,
  stepAtX,
  stepX,
  stripScene,
} from './scene/strip';
import { ScrubTip, useScrub } from './useScrub';

export interface SliderProps {
  strip: Strip;
  /** The step of the cursor, or the requested one. */
  step: number;
  sentence: string;
  /** Goes to a step. */
  onScrub(step: number): void;
  /** Goes so many steps on or back. */
  onStep(count: number): void;
}

const FIRST_SIZE = { width: 360, height: 36 };
const SIZE_MIN = { width: 20, height: 1 };
const LANE_Y = 7;
/** The lane of marks ends here; below it the pointer does not snap to them [px]. */
const LANE_H = 15;
const TRACK_Y = 26;

/** The whole history on one line: drag, click a mark, or use the keys of a slider. */
export function TimelineSlider(props: SliderProps) {
  const { strip, step, sentence } = props;
  const { first, last } = strip;
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const scene = useMemo(() => stripScene(strip, width), [strip, width]);
  const pointed = (event: PointerEvent) => {
    const { x, y } = placeIn(event.currentTarget, event);
    const mark = y <= LANE_H ? markNear(scene, x) : null;
    const at = mark?.step ?? stepAtX(x, strip, width);
    return { x, at, text: tipOf(at, mark) };
  };
  const { hover, handlers } = useScrub(props, pointed);
  return (
    <div
      className="timeline-slider placed"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label="History"
      aria-valuemin={Math.min(first, last)}
      aria-valuemax={last}
      aria-valuenow={step}
      aria-valuetext={`Step ${step} of ${last}, ${step < last ? 'the past' : 'now'}. ${sentence}`}
      {...handlers}
    >
      <Line scene={scene} cursor={stepX(step, strip, width)} />
      {hover && <ScrubTip hover={hover} width={width} />}
    </div>
  );
}

/** The step under the pointer, and the mark near it. */
function tipOf(step: number, mark: PlacedMark | null): string {
  const name = mark?.name ? ` “${mark.name}”` : '';
  const what = mark ? `: ${signWords(mark.kind)}${name}` : '';
  const more = mark && mark.count > 1 ? `, ${mark.count - 1} more` : '';
  return `step ${count(step)}${what}${more}`;
}

const Line = memo(function Line({ scene, cursor }: { scene: StripScene; cursor: number }) {
  const { width, bars, marks, gaps } = scene;
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const path = (isFuture: boolean) =>
    bars
      .filter((bar) => bar.x > cursor === isFuture)
      .map(({ x, height }) => {
        const h = height * 14;
        return `M${x.toFixed(1)} ${(TRACK_Y - h / 2).toFixed(1)}v${h.toFixed(1)}`;
      })
      .join('');
  return (
    <svg width={width} height={FIRST_SIZE.height} aria-hidden="true">
      <path className="track" d={`M0 ${TRACK_Y}H${width}`} />
      <path className="bars" d={path(false)} />
      <path className="bars future" d={path(true)} />
      {gaps.map(({ x, w }) => (
        <path key={x} className="gap" d={`M${x.toFixed(1)} ${TRACK_Y}h${w.toFixed(1)}`} />
      ))}
      {kinds.map((kind) => {
        const xs = marks.filter((mark) => mark.kind === kind).map(({ x }) => x);
        return <MarkSign key={kind} kind={kind} xs={xs} y={LANE_Y} />;
      })}
      <path className="cursor" d={`M${cursor.toFixed(1)} 0V36`} />
      <circle className="cursor-head" cx={cursor} cy={TRACK_Y} r={6} />
    </svg>
  );
});
