import { type Page, SPEEDS, type StepGrain } from '../model/page';
import { count } from '../model/words';
import { ActivityStrip } from './ActivityStrip';

interface Props {
  page: Pick<
    Page,
    'playing' | 'stepsPerSecond' | 'grain' | 'busy' | 'pulses' | 'view' | 'connection' | 'next'
  >;
  onType(command: string): void;
  onTogglePlay(): void;
  onStop(): void;
  onGrain(grain: StepGrain): void;
  onSpeed(stepsPerSecond: number): void;
}

const GRAINS: readonly { grain: StepGrain; title: string }[] = [
  { grain: 'entry', title: 'One entry of a merge at a time' },
  { grain: 'phase', title: 'One phase at a time: a block, a filter, a sync …' },
  { grain: 'job', title: 'A whole flush or compaction at a time' },
];

/** Buttons that step and play background work; each types its command into the terminal. */
export function Transport({ page, onType, onTogglePlay, onStop, onGrain, onSpeed }: Props) {
  const { playing, busy, grain } = page;
  const closed = page.connection.state !== 'open';
  const stepCommand = grain === 'phase' ? 'step' : `step ${grain}`;
  return (
    <div className="transport" role="toolbar" aria-label="Background work">
      <div className="buttons">
        <button
          type="button"
          className="icon primary"
          disabled={closed || busy !== null || playing}
          onClick={() => onType(stepCommand)}
          title={`Step: types “${stepCommand}” (key s)`}
        >
          <Icon d="M3 2v12l8-6zM12 2h2v12h-2z" /> Step
        </button>
        <button
          type="button"
          className="icon"
          disabled={closed}
          onClick={onTogglePlay}
          aria-pressed={playing}
          title={playing ? 'Pause (key p)' : 'Play: work goes on by itself (key p)'}
        >
          <Icon d={playing ? 'M3 2h3.6v12H3zM9.4 2H13v12H9.4z' : 'M4 2v12l9.5-6z'} />
          {playing ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          className="icon"
          disabled={closed || (busy === null && playing)}
          onClick={() => (busy ? onStop() : onType('run'))}
          title={busy ? 'Stop the command (Ctrl-C)' : 'Run: does all work that waits (key r)'}
        >
          <Icon d={busy ? 'M3 3h10v10H3z' : 'M2 2v12l6-6zM8 2v12l6-6z'} /> {busy ? 'Stop' : 'Run'}
        </button>
      </div>
      <ActivityStrip pulses={page.pulses} />
      <span className="clock mono" title="Logical time: operations and phases so far">
        {busy ? progress(busy) : `step ${count(page.view.time)}`}
      </span>
      <fieldset className="segments">
        <legend className="visually-hidden">How far one step goes</legend>
        {GRAINS.map((choice) => (
          <label key={choice.grain} title={choice.title}>
            <input
              type="radio"
              name="grain"
              checked={grain === choice.grain}
              onChange={() => onGrain(choice.grain)}
            />
            <span>{choice.grain}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className="segments">
        <legend className="visually-hidden">Speed of Play</legend>
        {SPEEDS.map((speed) => (
          <label key={speed.name} title={speedTitle(speed.stepsPerSecond)}>
            <input
              type="radio"
              name="speed"
              checked={page.stepsPerSecond === speed.stepsPerSecond}
              onChange={() => onSpeed(speed.stepsPerSecond)}
            />
            <span>{speed.name}</span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function speedTitle(stepsPerSecond: number): string {
  return stepsPerSecond === 0 ? 'As fast as possible' : `${stepsPerSecond} steps a second`;
}

function progress(busy: NonNullable<Page['busy']>): string {
  if (busy.total === null) return busy.done > 0 ? `${count(busy.done)} …` : 'at work …';
  return `${count(busy.done)} / ${count(busy.total)}`;
}

function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 16 16" width={14} height={14} aria-hidden="true">
      <path d={d} fill="currentColor" />
    </svg>
  );
}
