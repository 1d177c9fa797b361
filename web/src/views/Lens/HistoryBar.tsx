import './HistoryBar.css';

import { useMemo } from 'react';
import { count, counted } from '../../model/words';
import { Action } from '../shared/buttons';
import { signWords } from '../Timeline/scene/signs';
import { TimeBar, type TimeButton } from '../Timeline/TimeBar';
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
  const { history, family, step, last, onStep } = props;
  const { steps } = history;
  const line = steps[step] ?? null;
  const strip = useMemo(() => stripOf({ steps, family, last }), [steps, family, last]);
  return (
    <section className="lens-history rigid" aria-label="History">
      <StepWords {...props} line={line} />
      <TimeBar
        label="Steps of the history"
        buttons={useButtons(props)}
        {...{ strip, step }}
        sentence={line?.sentence ?? ''}
        onScrub={onStep}
        onStep={(steps) => onStep(step + steps)}
      >
        <JumpForm steps={steps} last={last} onStep={onStep} onTable={props.onTable} />
      </TimeBar>
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

function useButtons(props: Props): TimeButton[] {
  const { history, family, step, last, isPlaying, onStep, onPlay } = props;
  const change = (direction: 1 | -1) => nextChange(history.steps, family, step, direction);
  const to = (goal: number | null) => (goal === null ? null : () => onStep(goal));
  const of = useFamilies() ? ' of the family' : '';
  const [hasBefore, hasAfter] = [step > 0, step < last];
  const play = isPlaying || hasAfter ? onPlay : null;
  return [
    ['First step', 'first', '(Home)', to(hasBefore ? 0 : null), 'small'],
    [`Previous change${of}`, 'rewind', '(Page Up)', to(change(-1)), 'small'],
    ['One step back', 'back', '(←)', to(hasBefore ? step - 1 : null), 'small'],
    ['One step forward', 'step', '(→)', to(hasAfter ? step + 1 : null), 'small'],
    [`Next change${of}`, 'run', '(Page Down)', to(change(1)), 'small'],
    ['Last step', 'now', '(End)', to(hasAfter ? last : null), 'small'],
    isPlaying
      ? ['Pause', 'pause', '(Space)', play, 'pressed']
      : ['Play', 'play', `two changes${of} a second (Space)`, play, ''],
  ];
}
