import '../Timeline/Timeline.css';
import './HistoryBar.css';

import { useMemo } from 'react';
import { count, counted } from '../../model/words';
import { Action, IconButton } from '../shared/buttons';
import { signWords } from '../Timeline/scene/signs';
import { TimelineSlider } from '../Timeline/TimelineSlider';
import { useFamilies } from './families';
import { JumpForm } from './JumpForm';
import { HistorySigns } from './Signs';
import type { StepLine } from './scene/answers';
import { type InHistory, nextChange, stripOf } from './scene/history';
import { duration, moment, tied } from './scene/words';
import type { History } from './useHistory';

interface Props extends Omit<InHistory, 'steps'> {
  history: History;
  isPlaying: boolean;
  onStep(step: number): void;
  onPlay(): void;
  onTable(number: number): void;
}

/** The sentence of the step, and the controls of time. */
export function HistoryBar(props: Props) {
  const { history, family, step, last, isPlaying, onStep, onPlay } = props;
  const { steps } = history;
  const line = steps[step] ?? null;
  const hasFamilies = useFamilies();
  const strip = useMemo(() => stripOf({ steps, family, last }), [steps, family, last]);
  return (
    <section className="lens-history rigid" aria-label="History">
      <StepWords {...props} line={line} />
      <div className="transport in-row" role="toolbar" aria-label="Steps of the history">
        <Buttons {...props} steps={steps} />
        <TimelineSlider
          {...{ strip, step }}
          sentence={line?.sentence ?? ''}
          onScrub={onStep}
          onStep={(steps) => onStep(step + steps)}
        />
        <IconButton
          name={isPlaying ? 'Pause' : 'Play'}
          icon={isPlaying ? 'pause' : 'play'}
          aria-pressed={isPlaying}
          disabled={!isPlaying && step >= last}
          title={`Two changes${hasFamilies ? ' of the family' : ''} a second (Space)`}
          onClick={onPlay}
        />
        <JumpForm steps={steps} last={last} onStep={onStep} onTable={props.onTable} />
      </div>
      <HistorySigns steps={steps} family={family} />
    </section>
  );
}

function StepWords(props: Props & { line: StepLine | null }) {
  const { line, step, last, isPlaying, history } = props;
  return (
    <div className="lens-step">
      <p className="lens-sentence" {...(isPlaying ? {} : { role: 'status' })}>
        {history.isWhole && history.steps.length === 0 ? (
          'No edit of a manifest can be read, so no step is known.'
        ) : (
          <>
            <strong>
              Step {count(step)} <span className="dim">of 0 – {count(last)}</span>
            </strong>{' '}
            {line ? tied(line.sentence) : 'This step is still being read …'}
          </>
        )}
      </p>
      {step < last && (
        <p className="lens-past">
          <b>The past</b>
          <Action onClick={() => props.onStep(last)}>Return to the last step</Action>
        </p>
      )}
      <p className="lens-because wraps dim">
        {line && (
          <>
            {line.reason !== null && <b>{line.reason}</b>}
            {line.durationMicros !== null && <span>took {duration(line.durationMicros)}</span>}
            {line.micros !== null && <span>{moment(line.micros)}</span>}
            <span>{editsOf(line)}</span>
            <span>{signWords(line.kind)}</span>
          </>
        )}
        {!history.isWhole && history.failure === null && (
          <span>reading the history: {counted(history.steps.length, 'step')} so far</span>
        )}
        {history.failure !== null && <span className="problem">{history.failure}</span>}
      </p>
    </div>
  );
}

function editsOf({ firstEdit, edits }: StepLine): string {
  if (edits === 1) return `version edit ${count(firstEdit)}`;
  return `version edits ${count(firstEdit)} to ${count(firstEdit + edits - 1)}`;
}

function Buttons(props: Props & InHistory) {
  const { steps, family, step, last, onStep } = props;
  const before = nextChange(steps, family, step, -1);
  const after = nextChange(steps, family, step, 1);
  const of = useFamilies() ? ' of the family' : '';
  const buttons = [
    ['First step', 'Home', 'first', step > 0 ? 0 : null],
    [`Previous change${of}`, 'Page Up', 'rewind', before],
    ['One step back', '←', 'back', step > 0 ? step - 1 : null],
    ['One step forward', '→', 'step', step < last ? step + 1 : null],
    [`Next change${of}`, 'Page Down', 'run', after],
    ['Last step', 'End', 'now', step < last ? last : null],
  ] as const;
  return (
    <div className="buttons">
      {buttons.map(([name, key, icon, goal]) => (
        <IconButton
          key={name}
          {...{ name, icon }}
          title={`${name} (${key})`}
          disabled={goal === null}
          onClick={() => goal !== null && onStep(goal)}
          isSmall
        />
      ))}
    </div>
  );
}
