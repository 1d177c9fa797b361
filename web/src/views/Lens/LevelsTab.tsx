import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { aroundOf } from '../../model/selection';
import { count } from '../../model/words';
import { SelectionProvider, useViews } from '../shared/contexts';
import { Split } from '../shared/Split';
import { useKeys } from '../shared/useKeys';
import { useMedia } from '../shared/useMedia';
import { useDirectory, useQuery } from './asking';
import { HistoryBar, StepStory } from './HistoryBar';
import { type InspectorProps, LensInspector } from './LensInspector';
import { LevelsPicture, type PictureProps } from './LevelsPicture';
import { LevelsTable } from './LevelsTable';
import { Reading } from './Reading';
import { ShadeBar } from './ShadeBar';
import { PictureSigns } from './Signs';
import type { Levels, Overview, Problem } from './scene/answers';
import { nextChange } from './scene/history';
import { type Shade, shadeNamed } from './scene/shades';
import type { History } from './useHistory';

interface Props extends InspectorProps {
  onSelect(id: string | null): void;
  overview: Overview;
  history: History;
  /** Findings so far. */
  problems: readonly Problem[];
}

/** Here details stand below the picture. */
const NARROW = '(width <= 900px)';

/** Between two steps of Play [ms]. */
const PLAY_MS = 500;

/** The levels at a step of the history, with details and the controls of time. */
export function LevelsTab(props: Props) {
  const { overview, family, history, step, selected, onSelect, onStep, onBytes } = props;
  const last = Math.max(overview.steps - 1, 0);
  const [isPlaying, setIsPlaying] = useState(false);
  const close = useWayOut();
  const now = useQuery({ ask: 'levels', family: family.id, step });
  const answer = now.result?.family === family.id ? now.result : null;
  const before = useQuery(
    step > 0 ? { ask: 'levels', family: family.id, step: step - 1 } : null,
  ).result;
  const shownBefore = before && answer && before.step === answer.step - 1 ? before : null;
  const { steps } = history;
  const go = (goal: number) => {
    setIsPlaying(false);
    onStep(Math.min(Math.max(goal, 0), last));
  };
  const next = nextChange(steps, family.id, step, 1);
  usePlay(isPlaying, next, last, onStep, () => setIsPlaying(false));
  const togglePlay = () => setIsPlaying(!isPlaying && next !== null);
  const walk = (steps: number) => () => go(step + steps);
  const toChange = (direction: 1 | -1) => () =>
    go(nextChange(steps, family.id, step, direction) ?? step);
  useKeys({
    ArrowRight: walk(1),
    ArrowLeft: walk(-1),
    'Shift+ArrowRight': walk(10),
    'Shift+ArrowLeft': walk(-10),
    Home: () => go(0),
    End: () => go(last),
    PageUp: toChange(-1),
    PageDown: toChange(1),
    ' ': togglePlay,
    Escape: close,
  });
  const isPast = step < last;
  const hasHistory = overview.manifest !== null;
  const picture = (
    <PicturePane {...{ answer, before: shownBefore, steps, selected, isPast, onBytes }}>
      {now.failure !== null && <p className="problem lens-note">{now.failure}</p>}
      {answer === null && now.failure === null && (
        <Reading what=" the levels" className="lens-note" />
      )}
    </PicturePane>
  );
  return (
    <SelectionProvider value={{ select: onSelect }}>
      <div className="lens-levels in-column">
        <CutHistory {...{ overview, history }} problems={props.problems} />
        {hasHistory && <StepStory {...{ history, step, last, isPlaying }} onStep={go} />}
        <WithDetails picture={picture}>
          {answer !== null && <LensInspector {...props} onStep={go} />}
        </WithDetails>
        {hasHistory && (
          <HistoryBar
            {...{ history, step, last, isPlaying }}
            family={family.id}
            onStep={go}
            onPlay={togglePlay}
            onTable={(number) => onSelect(`table:${number}`)}
          />
        )}
      </div>
    </SelectionProvider>
  );
}

/** The picture and the details, which a narrow page leaves out while something is opened. */
function WithDetails({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  const { opened } = useDirectory();
  const isNarrow = useMedia(NARROW);
  const side = isNarrow && opened !== null ? null : children;
  return (
    <div className="grows">
      <Split {...{ picture, side, isNarrow }} label="Width of the details" />
    </div>
  );
}

/** Closes the opened object or its part, wherever the focus is. */
function useWayOut(): () => void {
  const { opened } = useDirectory();
  const { lookInside } = useViews();
  return () => opened !== null && lookInside(aroundOf(opened));
}

/** Warns that the history is not whole, because the manifest is damaged: the levels are those of its last sound edit. */
function CutHistory(props: Pick<Props, 'overview' | 'history' | 'problems'>) {
  const { overview, history, problems } = props;
  const damage = problems.find(
    ({ file, severity }) => file === overview.manifest && severity === 'error',
  );
  if (!damage || !history.isWhole) return null;
  const last = history.steps[history.steps.length - 1];
  const at = damage.offset === null ? '' : ` at offset ${count(damage.offset)}`;
  return (
    <p className="lens-cut rigid problem line-below" role="status">
      ▲ The history ends
      {last ? ` after version edit ${count(last.firstEdit + last.edits - 1)}` : ''}:{' '}
      <code>{overview.manifest}</code> is damaged{at}. The levels are those of its last sound edit.
    </p>
  );
}

interface PaneProps extends Omit<PictureProps, 'answer' | 'shade'> {
  answer: Levels | null;
  /** Shown instead of a missing picture. */
  children: ReactNode;
}

/** The levels as a picture or as tables. */
function PicturePane(props: PaneProps) {
  const { answer, isPast, children, ...others } = props;
  const [shade, setShade] = useState<Shade['of']>('level');
  const [asTable, setAsTable] = useState(false);
  return (
    <div className={`frame in-column${isPast ? ' past' : ''}`}>
      <ShadeBar
        {...{ answer, asTable }}
        shade={shadeNamed(shade)}
        onShade={setShade}
        onAsTable={setAsTable}
      />
      {children}
      {answer && asTable && <LevelsTable {...{ answer, isPast }} />}
      {answer && !asTable && (
        <LevelsPicture {...{ ...others, answer, isPast }} shade={shadeNamed(shade)} />
      )}
      {answer && !asTable && <PictureSigns hasBlobs={answer.blobFiles.length > 0} />}
    </div>
  );
}

function usePlay(
  isPlaying: boolean,
  next: number | null,
  last: number,
  onStep: (step: number) => void,
  onEnd: () => void,
): void {
  const goOn = useEffectEvent(() => {
    onStep(next ?? last);
    if (next === null) onEnd();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change is on show for as long
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(goOn, PLAY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, next]);
}
