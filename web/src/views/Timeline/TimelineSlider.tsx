import { type PointerEvent, useMemo, useRef } from 'react';
import type { Timeline } from '../../model/timeline';
import type { Mark } from '../../model/timelineMarks';
import { count } from '../../model/words';
import { MARK_NAMES, MarkSign } from '../shared/MarkSign';
import { placeIn } from '../shared/placeIn';
import { ScrubTip, useScrub } from '../shared/useScrub';
import { useSize } from '../shared/useSize';
import { markNear, stepAtX, stepX, type TimelineScene, timelineScene } from './scene';

interface Props {
  timeline: Timeline;
  marks: readonly Mark[];
  /** The step of the cursor, or the requested one. */
  step: number;
  sentence: string;
  isPast: boolean;
  onScrub(step: number): void;
  onStep(count: number): void;
}

const FIRST_SIZE = { width: 360, height: 36 };
const SIZE_MIN = { width: 20, height: 1 };
const LANE_Y = 7;
/** The lane of landmarks ends here; below it the pointer does not snap to them [px]. */
const LANE_H = 15;
const TRACK_Y = 26;
/** The whole history on one line: drag, click a landmark, or use the keys of a slider. */
export function TimelineSlider(props: Props) {
  const { timeline, marks, step, sentence, isPast, onScrub, onStep } = props;
  const { last } = timeline;
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host, FIRST_SIZE, SIZE_MIN);
  const scene = useMemo(() => timelineScene(timeline, marks, width), [timeline, marks, width]);
  const kinds = [...new Set(scene.marks.map(({ kind }) => kind))];
  const cursor = stepX(Math.max(step, 1), last, width);
  const pointed = (event: PointerEvent) => {
    const { x, y } = placeIn(event.currentTarget, event);
    const mark = y <= LANE_H ? markNear(scene, x) : null;
    const at = mark?.step ?? stepAtX(x, last, width);
    return { x, at, text: tipOf(at, mark) };
  };
  const isIdle = last === 0;
  const { hover, handlers } = useScrub({ first: 1, last, isIdle, pointed, onScrub, onStep });
  return (
    <div
      className="timeline-slider"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label="History"
      aria-valuemin={Math.min(1, last)}
      aria-valuemax={last}
      aria-valuenow={step}
      aria-valuetext={`Step ${step} of ${last}${isPast ? ', the past' : ', now'}. ${sentence}`}
      {...handlers}
    >
      <svg width={width} height={FIRST_SIZE.height} aria-hidden="true">
        <Track scene={scene} cursor={cursor} isPast={isPast} />
        {kinds.map((kind) => {
          const places = scene.marks.filter((mark) => mark.kind === kind);
          return <MarkSign key={kind} kind={kind} xs={places.map(({ x }) => x)} y={LANE_Y} />;
        })}
        <path className="cursor" d={`M${cursor.toFixed(1)} 0V36`} />
        <circle className="cursor-head" cx={cursor} cy={TRACK_Y} r={6} />
      </svg>
      {hover && <ScrubTip hover={hover} width={width} />}
    </div>
  );
}

/** The step under the pointer, and the landmark near it. */
function tipOf(step: number, mark: TimelineScene['marks'][number] | null): string {
  const name = mark?.name ? ` “${mark.name}”` : '';
  const what = mark ? `: ${MARK_NAMES[mark.kind]}${name}` : '';
  const more = mark && mark.count > 1 ? `, ${mark.count - 1} more` : '';
  return `step ${count(step)}${what}${more}`;
}

interface TrackProps {
  scene: TimelineScene;
  cursor: number;
  isPast: boolean;
}

function Track({ scene, cursor, isPast }: TrackProps) {
  const { width, bars, gaps } = scene;
  const path = (future: boolean) =>
    bars
      .filter((bar) => bar.x > cursor === future)
      .map(({ x, height }) => {
        const h = height * 14;
        return `M${x.toFixed(1)} ${(TRACK_Y - h / 2).toFixed(1)}v${h.toFixed(1)}`;
      })
      .join('');
  return (
    <>
      <path className="track" d={`M0 ${TRACK_Y}H${width}`} />
      <path className="bars" d={path(false)} />
      {isPast && <path className="bars future" d={path(true)} />}
      {gaps.map((gap) => (
        <path
          key={gap.x}
          className="gap"
          d={`M${gap.x.toFixed(1)} ${TRACK_Y}h${gap.w.toFixed(1)}`}
        />
      ))}
    </>
  );
}
