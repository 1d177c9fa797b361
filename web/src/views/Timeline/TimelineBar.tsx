import { useMemo, useState } from 'react';
import type { Grain } from '../../model/engine.generated';
import { stepCommand } from '../../model/ownVerbs';
import type { Page } from '../../model/page';
import { historyOf } from '../../model/page';
import { SPEEDS } from '../../model/speeds';
import { count } from '../../model/words';
import { useCommands, useTime } from '../shared/contexts';
import { Segments } from '../shared/Segments';
import { Actions } from './Narration';
import { stripOf } from './scene/strip';
import { TimeBar, type TimeButton } from './TimeBar';

interface Props {
  page: Page;
  /** Whether there are no windows that buttons could open, and no settings. */
  isBare?: boolean;
}

const GRAINS: readonly { of: Grain; name: string; title: string }[] = [
  { of: 'operation', name: 'op', title: 'A whole operation, flush or compaction at a time (1)' },
  { of: 'phase', name: 'phase', title: 'One phase at a time: a block, a filter, a sync … (2)' },
  { of: 'detail', name: 'detail', title: 'One entry of a merge at a time (3)' },
];

/** The controls of time: step and play background work at the present, walk and scrub through the history. */
export function TimelineBar({ page, isBare = false }: Props) {
  const { travel, setGrain, setSpeed } = useTime();
  const { grain } = page;
  const { timeline } = historyOf(page);
  const strip = useMemo(() => stripOf(timeline, page.marks), [timeline, page.marks]);
  return (
    <TimeBar
      label="Time"
      isPast={page.isPast}
      buttons={useButtons(page)}
      strip={strip}
      step={page.wanted ?? page.place.step}
      sentence={page.event?.sentence ?? ''}
      onScrub={(step) => travel({ to: 'step', step }, 'scrub')}
      onStep={(steps) =>
        travel({ to: 'walk', grain, count: steps }, steps === 1 ? 'step' : 'scrub')
      }
    >
      {!isBare && <Actions page={page} />}
      <StepBox page={page} />
      <Segments
        legend="How far one step goes"
        choices={GRAINS}
        chosen={grain}
        onChoose={setGrain}
      />
      {!isBare && (
        <select
          className="speed"
          aria-label="Speed of Play"
          title="Speed of Play"
          value={page.stepsPerSecond}
          onChange={(event) => setSpeed(Number(event.target.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed.name} value={speed.stepsPerSecond}>
              {speed.name}
            </option>
          ))}
        </select>
      )}
    </TimeBar>
  );
}

/** What the page's own time can do now. */
function useButtons(page: Page): TimeButton[] {
  const { type, stop } = useCommands();
  const { forward, togglePlay } = useTime();
  const { playing, replaying, busy, isPast, place, grain } = page;
  const goes = playing || replaying;
  const isOpen = page.connection.state === 'open';
  const isReady = isOpen && page.unopened === null;
  const typing = (line: string, isPossible: boolean) => (isPossible ? () => type(line) : null);
  const hasBefore = isOpen && (place.step > 1 || place.detail > 0);
  const step = isPast ? () => type('forward') : () => forward();
  const work = `background work, types “${stepCommand(grain)}” (→ or s)`;
  const played = isPast ? 'what happened, up to now' : 'background work goes on by itself';
  const toggle = isReady ? togglePlay : null;
  const canRun = isReady && !playing && !isPast;
  return [
    ['First step', 'first', 'types “goto 1” (Home)', typing('goto 1', hasBefore), 'small'],
    ['Back', 'back', 'one step, types “back” (←)', typing('back', hasBefore), 'small'],
    [
      ...(['Step', 'step', isPast ? 'forward, types “forward” (→)' : work] as const),
      isReady && busy === null && !goes ? step : null,
      page.next !== null || isPast ? 'primary' : undefined,
    ],
    ['Now', 'now', 'types “now” (End)', typing('now', isOpen && isPast), 'small'],
    goes
      ? ['Pause', 'pause', '(Space)', toggle, undefined, true]
      : ['Play', 'play', `${played} (Space)`, toggle, undefined, false],
    busy
      ? ['Stop', 'stop', 'the command (Ctrl-C)', isReady ? stop : null]
      : ['Run', 'run', 'all pending work (r)', typing('run', canRun)],
  ];
}

/** `step 120 of 164`, where the number can be typed. */
function StepBox({ page: { place, last, busy, wanted } }: Pick<Props, 'page'>) {
  const { type } = useCommands();
  const { step } = place;
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const goal = Number(typed ?? step);
    if (Number.isSafeInteger(goal) && goal >= 1 && goal !== step) type(`goto ${goal}`);
    setTyped(null);
  };
  return (
    <div className="step-box in-row rigid mono">
      {busy && (busy.done > 0 || busy.total !== null) ? (
        <span className="clock">
          {count(busy.done)} {busy.total === null ? '…' : `/ ${count(busy.total)}`}
        </span>
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
          {/* Until the events of the requested step are there. */}
          <span>{wanted === null ? `of ${count(last)}` : 'replay …'}</span>
        </>
      )}
    </div>
  );
}
