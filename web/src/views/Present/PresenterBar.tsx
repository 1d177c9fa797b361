import './PresenterBar.css';

import { useEffect, useState } from 'react';
import type { LessonState } from '../../model/engine.generated';
import { lessonLink } from '../../model/lessonLink';
import { clockText, isLate } from '../../present/clock';
import { questionAtHand } from '../../present/lessonShown';
import type { Look } from '../../present/look';
import { nextText } from '../../present/nextAct';
import { hasCounts, NO_POLL, type Polls, pollKey, ROUNDS_MAX } from '../../present/polls';
import { AUDIENCE_WINDOW } from '../Header/Header';
import { Action, Quiet } from '../shared/buttons';

/** The presenter's actions on the audience's window. */
interface PresenterActions {
  next(): void;
  restartClock(): void;
  toggleBlack(): void;
  toggleSpotlight(): void;
  toggleTheme(): void;
  toggleCode(): void;
  scale(direction: 1 | -1 | 0): void;
  countHands(name: string, index: number, text: string): void;
  discuss(name: string): void;
}

interface Props {
  /** The address of the audience's window. */
  address: string;
  audience: 'visible' | 'covered' | 'gone';
  /** When the clock began [ms since 1970]. */
  begun: number;
  look: Look;
  polls: Polls;
  lesson: LessonState | null;
  /** The part of this window hidden from the audience, as words; `null`: nothing. */
  unseen: string | null;
  actions: PresenterActions;
}

const AUDIENCE = {
  visible: 'visible',
  covered: 'covered by another window',
};

/** For the presenter alone: the audience's window, the clock, what comes next, and the hands of a question. */
export function PresenterBar(props: Props) {
  const { address, audience, look, lesson, polls, unseen, actions } = props;
  return (
    <section className="presenter in-column rigid" aria-label="For the presenter">
      <div className="presenter-line in-row wraps">
        {audience === 'gone' ? (
          <a className="command" href={address} target={AUDIENCE_WINDOW}>
            The audience’s window is closed: open it again
          </a>
        ) : (
          <span className={`presenter-audience ${audience}`} role="status">
            Audience’s window: {AUDIENCE[audience]}
            {unseen !== null && `; it does not show ${unseen}`}
          </span>
        )}
        <Clock {...props} />
        <span className="spacer" />
        <Quiet aria-pressed={look.black} onClick={actions.toggleBlack}>
          Black <kbd>.</kbd>
        </Quiet>
        <Quiet aria-pressed={look.spotlight} onClick={actions.toggleSpotlight}>
          Spotlight
        </Quiet>
        {lesson && lessonLink(lesson) !== null && (
          <Quiet aria-pressed={look.code !== null} onClick={actions.toggleCode}>
            QR code
          </Quiet>
        )}
        <Quiet aria-pressed={look.theme === 'dark'} onClick={actions.toggleTheme}>
          Dark
        </Quiet>
        <fieldset className="in-row" aria-label="Size of the audience’s window">
          <Quiet onClick={() => actions.scale(-1)} aria-label="Smaller">
            −
          </Quiet>
          <Quiet onClick={() => actions.scale(0)}>{Math.round(look.scale * 100)} %</Quiet>
          <Quiet onClick={() => actions.scale(1)} aria-label="Larger">
            +
          </Quiet>
        </fieldset>
      </div>
      {lesson && (
        <div className="presenter-line in-row wraps">
          <Action onClick={actions.next}>
            {nextText(lesson, polls)} <kbd>PgDn</kbd>
          </Action>
          <Hands lesson={lesson} polls={polls} actions={actions} />
        </div>
      )}
    </section>
  );
}

function Clock({ begun, lesson, actions }: Props) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const minutes = lesson?.head.minutes ?? null;
  const elapsed = Math.max(now - begun, 0);
  return (
    <>
      <span className={isLate(elapsed, minutes) ? 'presenter-clock bad' : 'presenter-clock'}>
        {clockText(elapsed)}
        {minutes !== null && <span className="dim"> of {minutes} min</span>}
      </span>
      <Quiet onClick={actions.restartClock} title="Lets the clock begin again">
        Restart
      </Quiet>
    </>
  );
}

type HandsProps = Pick<Props, 'polls' | 'actions'> & { lesson: LessonState };

/** The hands of a question: typed in here, and shown with the next press. */
function Hands({ lesson, polls, actions }: HandsProps) {
  const question = questionAtHand(lesson, polls);
  if (!question || question.choices.length === 0 || question.revealed) return null;
  const poll = polls.get(pollKey(lesson, question.name)) ?? NO_POLL;
  if (poll.counts.length >= ROUNDS_MAX) return null;
  return (
    <fieldset className="presenter-hands in-row">
      <legend>{poll.counts.length === 0 ? 'Hands' : 'Hands, second count'}</legend>
      {question.choices.map((choice, index) => (
        <label key={choice.map(({ text }) => text).join('')}>
          {index + 1}
          <input
            type="text"
            inputMode="numeric"
            value={poll.typed[index] ?? ''}
            onChange={(event) => actions.countHands(question.name, index, event.target.value)}
          />
        </label>
      ))}
      {poll.counts.length === 1 && !poll.discusses && !hasCounts(poll) && (
        <Quiet onClick={() => actions.discuss(question.name)}>Discuss, then count again</Quiet>
      )}
    </fieldset>
  );
}
