import '../Timeline/Timeline.css';
import './HistoryBar.css';

import { count, counted } from '../../model/words';
import { Action } from '../shared/buttons';
import { Icon } from '../shared/Icon';
import { useFamilies } from './families';
import { HistorySlider } from './HistorySlider';
import { JumpForm } from './JumpForm';
import { HistorySigns } from './Signs';
import type { StepLine } from './scene/answers';
import { type InHistory, KIND_WORDS, nextChange } from './scene/history';
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
  return (
    <section className="lens-history rigid" aria-label="History">
      <StepWords {...props} line={line} />
      <div className="transport in-row" role="toolbar" aria-label="Steps of the history">
        <Buttons {...props} steps={steps} />
        <HistorySlider
          {...{ steps, family, step, last }}
          sentence={line?.sentence ?? ''}
          onScrub={onStep}
        />
        <button
          type="button"
          className="icon"
          aria-pressed={isPlaying}
          disabled={!isPlaying && step >= last}
          title={`Two changes${hasFamilies ? ' of the family' : ''} a second (Space)`}
          onClick={onPlay}
        >
          <Icon d={isPlaying ? 'M3 2h3.6v12H3zM9.4 2H13v12H9.4z' : 'M4 2v12l9.5-6z'} />{' '}
          {isPlaying ? 'Pause' : 'Play'}
        </button>
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
            {line.micros !== null && <span>{moment(line.micros).replace('.000 UTC', ' UTC')}</span>}
            <span>{editsOf(line)}</span>
            <span>{KIND_WORDS[line.kind] ?? line.kind}</span>
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
    ['First step', 'Home', 'M2 2h2v12H2zM14 2v12L5 8z', step > 0 ? 0 : null],
    [`Previous change${of}`, 'Page Up', 'M8 2v12L2 8zM14 2v12L8 8z', before],
    ['One step back', '←', 'M12.5 2v12L3.5 8z', step > 0 ? step - 1 : null],
    ['One step forward', '→', 'M3.5 2v12l9-6z', step < last ? step + 1 : null],
    [`Next change${of}`, 'Page Down', 'M2 2v12l6-6zM8 2v12l6-6z', after],
    ['Last step', 'End', 'M12 2h2v12h-2zM2 2v12l9-6z', step < last ? last : null],
  ] as const;
  return (
    <div className="buttons">
      {buttons.map(([name, key, d, goal]) => (
        <button
          type="button"
          key={name}
          className="icon small"
          title={`${name} (${key})`}
          disabled={goal === null}
          onClick={() => goal !== null && onStep(goal)}
        >
          <Icon d={d} /> <span className="visually-hidden">{name}</span>
        </button>
      ))}
    </div>
  );
}
