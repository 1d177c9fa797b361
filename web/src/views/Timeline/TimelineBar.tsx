import './Timeline.css';

import { useMemo, useState } from 'react';
import type { Grain } from '../../model/engine.generated';
import { stepCommand } from '../../model/ownVerbs';
import type { Page } from '../../model/page';
import { historyOf } from '../../model/page';
import { SPEEDS } from '../../model/speeds';
import { count } from '../../model/words';
import { IconButton } from '../shared/buttons';
import { useCommands, useTime } from '../shared/contexts';
import { Segments } from '../shared/Segments';
import { Actions } from './Narration';
import { stripOf } from './scene/strip';
import { TimelineSlider } from './TimelineSlider';

interface Props {
  page: Page;
  /** Whether the page is low and narrow: only the buttons for a lecture are shown, the others have keys. */
  isLow?: boolean;
}

const GRAINS: readonly { of: Grain; name: string; title: string }[] = [
  { of: 'operation', name: 'op', title: 'A whole operation, flush or compaction at a time (1)' },
  { of: 'phase', name: 'phase', title: 'One phase at a time: a block, a filter, a sync … (2)' },
  { of: 'detail', name: 'detail', title: 'One entry of a merge at a time (3)' },
];

/** The controls of time: step and play background work at the present, walk and scrub through the history. */
export function TimelineBar({ page, isLow = false }: Props) {
  const { travel, setGrain, setSpeed } = useTime();
  const { type } = useCommands();
  const { grain, place, last } = page;
  const closed = page.connection.state !== 'open';
  const { timeline } = historyOf(page);
  const strip = useMemo(() => stripOf(timeline, page.marks), [timeline, page.marks]);
  return (
    <div className="transport in-row" role="toolbar" aria-label="Time">
      <Buttons page={page} closed={closed} />
      <TimelineSlider
        strip={strip}
        step={page.wanted ?? place.step}
        sentence={page.event?.sentence ?? ''}
        onScrub={(step) => travel({ to: 'step', step }, 'scrub')}
        onStep={(steps) =>
          travel({ to: 'walk', grain, count: steps }, steps === 1 ? 'step' : 'scrub')
        }
      />
      {!isLow && <Actions page={page} />}
      <StepBox
        step={place.step}
        last={last}
        busy={page.busy}
        isFetching={page.wanted !== null}
        onStep={(step) => type(`goto ${step}`)}
      />
      <Segments
        legend="How far one step goes"
        choices={GRAINS}
        chosen={grain}
        onChoose={setGrain}
      />
      {!isLow && <Speed stepsPerSecond={page.stepsPerSecond} onSpeed={setSpeed} />}
    </div>
  );
}

function Speed(props: { stepsPerSecond: number; onSpeed(stepsPerSecond: number): void }) {
  const { stepsPerSecond, onSpeed } = props;
  return (
    <select
      className="speed"
      aria-label="Speed of Play"
      title="Speed of Play"
      value={stepsPerSecond}
      onChange={(event) => onSpeed(Number(event.target.value))}
    >
      {SPEEDS.map((speed) => (
        <option key={speed.name} value={speed.stepsPerSecond}>
          {speed.name}
        </option>
      ))}
    </select>
  );
}

function Buttons({ page, closed }: Props & { closed: boolean }) {
  const { type, stop } = useCommands();
  const { forward, togglePlay } = useTime();
  const { playing, replaying, busy, isPast, place, grain } = page;
  const goes = playing || replaying;
  const atStart = place.step <= 1 && place.detail === 0;
  const work = stepCommand(grain);
  const idle = closed || page.unopened !== null;
  return (
    <div className="buttons">
      <IconButton
        name="First step"
        icon="first"
        disabled={closed || atStart}
        onClick={() => type('goto 1')}
        title="To the first step: types “goto 1” (Home)"
        isSmall
      />
      <IconButton
        name="Back"
        icon="back"
        disabled={closed || atStart}
        onClick={() => type('back')}
        title="One step back: types “back” (←)"
        isSmall
      />
      <IconButton
        name="Step"
        icon="step"
        disabled={idle || busy !== null || goes}
        onClick={() => (isPast ? type('forward') : forward())}
        title={
          isPast
            ? 'One step forward: types “forward” (→)'
            : `One step of background work: types “${work}” (→ or s)`
        }
        isPrimary={page.next !== null || isPast}
      />
      <IconButton
        name="Now"
        icon="now"
        disabled={closed || !isPast}
        onClick={() => type('now')}
        title="Return to now: types “now” (End)"
        isSmall
      />
      <IconButton
        name={goes ? 'Pause' : 'Play'}
        icon={goes ? 'pause' : 'play'}
        disabled={idle}
        onClick={togglePlay}
        aria-pressed={goes}
        title={
          goes
            ? 'Pause (Space)'
            : isPast
              ? 'Play what happened, up to now (Space)'
              : 'Play: background work goes on by itself (Space)'
        }
      />
      <IconButton
        name={busy ? 'Stop' : 'Run'}
        icon={busy ? 'stop' : 'run'}
        disabled={idle || (busy === null && (playing || isPast))}
        onClick={() => (busy ? stop() : type('run'))}
        title={busy ? 'Stop the command (Ctrl-C)' : 'Run: does all pending work (r)'}
      />
    </div>
  );
}

interface StepBoxProps {
  step: number;
  last: number;
  busy: Page['busy'];
  /** Whether the events of the requested step are being fetched. */
  isFetching: boolean;
  onStep(step: number): void;
}

/** `step 120 of 164`, where the number can be typed. */
function StepBox({ step, last, busy, isFetching, onStep }: StepBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number(typed ?? step);
    if (Number.isSafeInteger(wanted) && wanted >= 1 && wanted !== step) onStep(wanted);
    setTyped(null);
  };
  return (
    <div className="step-box in-row rigid mono">
      {busy && (busy.done > 0 || busy.total !== null) ? (
        <span className="clock">{progress(busy)}</span>
      ) : (
        <>
          <label>
            <span className="visually-hidden">Go to step</span>
            <input
              inputMode="numeric"
              autoComplete="off"
              value={typed ?? String(step)}
              disabled={last === 0}
              style={{ width: `${Math.max(String(last).length, 3) + 2}ch` }}
              onChange={(event) => setTyped(event.target.value)}
              onFocus={(event) => event.target.select()}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                go();
                // Afterwards the arrow keys move through time.
                event.currentTarget.blur();
              }}
              onBlur={() => setTyped(null)}
            />
          </label>
          <span>{isFetching ? 'replay …' : `of ${count(last)}`}</span>
        </>
      )}
    </div>
  );
}

function progress(busy: NonNullable<Page['busy']>): string {
  if (busy.total === null) return busy.done > 0 ? `${count(busy.done)} …` : 'at work …';
  return `${count(busy.done)} / ${count(busy.total)}`;
}
