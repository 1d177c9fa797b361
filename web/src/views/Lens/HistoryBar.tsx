import './HistoryBar.css';

import { useMemo } from 'react';
import { count, counted } from '../../model/words';
import { Action } from '../shared/buttons';
import { useFit } from '../shared/useFit';
import { Story } from '../Timeline/Narration';
import { signWords } from '../Timeline/scene/signs';
import { TimeBar, type TimeButton } from '../Timeline/TimeBar';
import { useDirectory } from './asking';
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

/** The controls of time, and the meanings of their signs. */
export function HistoryBar(props: Props) {
  const { history, family, step, last, onStep } = props;
  const { steps } = history;
  const strip = useMemo(() => stripOf({ steps, family, last }), [steps, family, last]);
  return (
    <>
      <TimeBar
        label="Steps of the history"
        buttons={useButtons(props)}
        isPast={step < last}
        {...{ strip, step }}
        sentence={steps[step]?.sentence ?? ''}
        onScrub={onStep}
        onStep={(steps) => onStep(step + steps)}
      >
        <JumpForm steps={steps} last={last} onStep={onStep} onTable={props.onTable} />
      </TimeBar>
      <HistorySigns steps={steps} family={family} />
    </>
  );
}

type StoryProps = Pick<Props, 'history' | 'step' | 'last' | 'isPlaying' | 'onStep'>;

/** The sentence of the step on show, with what is known about it, and the way back from the past. */
export function StepStory({ history, step, last, isPlaying, onStep }: StoryProps) {
  const line = history.steps[step];
  const words = line ? tied(line.sentence) : 'This step is still being read …';
  const facts = factsOf(history, line);
  const fit = useFit('--sentence', 13, words);
  const fitFacts = useFit('--second', 12, [line?.reason, ...facts, history.failure].join());
  const isPast = step < last;
  return (
    <Story isPast={isPast}>
      <p className="sentence" ref={fit} {...(isPlaying ? {} : { role: 'status' })}>
        {history.isWhole && history.steps.length === 0 ? (
          'No edit of a manifest can be read, so no step is known.'
        ) : (
          <>
            <b>
              Step {count(step)} of 0 – {count(last)}
            </b>{' '}
            {words}
          </>
        )}
      </p>
      <div className="because dim fine">
        {isPast && (
          <span className="past-bar in-row rigid">
            <b>The past</b>
            <Action onClick={() => onStep(last)}>Return to the last step</Action>
          </span>
        )}
        <p className="next" ref={fitFacts}>
          {line && line.reason !== null && <b>{line.reason}</b>} {facts.join(' · ')}{' '}
          {history.failure !== null && <span className="problem">{history.failure}</span>}
        </p>
      </div>
    </Story>
  );
}

function factsOf({ isWhole, failure, steps }: History, line: StepLine | undefined): string[] {
  const { durationMicros, micros } = line ?? {};
  return [
    durationMicros == null ? '' : `took ${duration(durationMicros)}`,
    micros == null ? '' : moment(micros),
    ...(line ? [editsOf(line), signWords(line.kind)] : []),
    isWhole || failure !== null
      ? ''
      : `reading the history: ${counted(steps.length, 'step')} so far`,
  ].filter(Boolean);
}

function editsOf({ firstEdit, edits }: StepLine): string {
  if (edits === 1) return `version edit ${count(firstEdit)}`;
  return `version edits ${count(firstEdit)} to ${count(firstEdit + edits - 1)}`;
}

function useButtons(props: Props): TimeButton[] {
  const { history, family, step, last, isPlaying, onStep, onPlay } = props;
  const change = (direction: 1 | -1) => nextChange(history.steps, family, step, direction);
  const to = (goal: number | null) => (goal === null ? null : () => onStep(goal));
  const of = useDirectory().hasFamilies ? ' of the family' : '';
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
      ? ['Pause', 'pause', '(Space)', play, undefined, true]
      : ['Play', 'play', `two changes${of} a second (Space)`, play, undefined, false],
  ];
}
