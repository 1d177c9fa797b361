import './Narration.css';

import { Fragment, type ReactNode } from 'react';
import { narrated } from '../../model/narration';
import type { Page } from '../../model/page';
import { count } from '../../model/words';
import { Action, Quiet, TextLink } from '../shared/buttons';
import { useCommands, useTime, useViews } from '../shared/contexts';
import { Icon } from '../shared/Icon';
import { ObjectWords } from '../shared/ObjectWords';
import { useFit } from '../shared/useFit';

interface Props {
  page: Page;
  /** Whether the page is too low for the cause and the next event. */
  isLow: boolean;
}

/**
 * The event on show, its cause, and the next event or the way back; screen readers get the same words. Each has its
 * own place and new nodes for new words, so that nothing moves; a sentence that is too long is set smaller, never cut.
 */
export function Narration({ page, isLow }: Props) {
  const { place, announcement, cause, next, isPast } = page;
  const { name, sentence, isQuestion } = narrated(page);
  const fit = useFit('--sentence', 13, `${sentence} ${isLow}`);
  return (
    <Story isPast={isPast} isLow={isLow}>
      <p className="sentence" ref={fit}>
        {sentence === null && place.step === 0 ? (
          'Nothing has happened yet. Type a command below, or press a button.'
        ) : (
          <Fragment key={sentence}>
            {isLow && isPast && (
              <>
                <b className="past-sign rigid one-line">the past</b>{' '}
              </>
            )}
            <b>{name}</b> <ObjectWords text={sentence ?? '…'} />
          </Fragment>
        )}
      </p>
      {!isLow && (
        <div className="because dim fine">
          <Because cause={cause} />
          {isPast ? <PastBar page={page} /> : page.unopened === null && <Next next={next} />}
        </div>
      )}
      <p className="visually-hidden" role="status" aria-live="polite">
        {isQuestion ? sentence : announcement}
      </p>
    </Story>
  );
}

/** The place of a sentence about the step on show, above the picture like the title of a slide. */
export function Story(props: { isPast: boolean; isLow?: boolean; children: ReactNode }) {
  const { isPast, isLow = false, children } = props;
  return (
    <section className={`story rigid${isPast ? ' past' : ''}`} aria-label="What happened">
      <div className={`narration${isLow ? ' low' : ''}`}>{children}</div>
    </section>
  );
}

function Next({ next }: Pick<Page, 'next'>) {
  const fit = useFit('--second', 12, next ?? '');
  return (
    <p className="next" ref={fit}>
      <Fragment key={next}>
        <b>Next:</b> <ObjectWords text={next ?? 'nothing to do'} />
      </Fragment>
    </p>
  );
}

function Because({ cause }: Pick<Page, 'cause'>) {
  const { go } = useTime();
  const fit = useFit('--second', 12, cause?.sentence ?? '');
  if (!cause) return <p ref={fit} />;
  return (
    <p ref={fit}>
      <Fragment key={cause.step}>
        <b>because</b> of <TextLink onClick={() => go(cause.step)}>step {cause.step}</TextLink>:{' '}
        <ObjectWords text={causeText(cause.sentence)} />
      </Fragment>
    </p>
  );
}

/** Marks the past, and shows how to leave it. */
function PastBar({ page: { place, last } }: Pick<Props, 'page'>) {
  const { type } = useCommands();
  return (
    <span className="past-bar in-row rigid">
      <b>
        Viewing the past
        <span className="roomy">
          {' '}
          · step {count(place.step)}
          {place.detail > 0 ? `, detail ${count(place.detail)}` : ` of ${count(last)}`}
        </span>
      </b>
      <Action onClick={() => type('now')} title="Types “now” (End)">
        Return to now
      </Action>
      <Action
        onClick={() => type(`fork ${place.step}`)}
        title={`Goes on from the end of the call that contains step ${count(place.step)}, in a copy in memory: types “fork ${place.step}”`}
      >
        Fork here
      </Action>
    </span>
  );
}

/** Buttons for the step on show: its causes, a bookmark, breakpoints, a crash. */
export function Actions({ page }: Pick<Props, 'page'>) {
  const { marks, place, event } = page;
  const disabled = page.connection.state !== 'open';
  const breakpoints = page.breakpoints.length;
  const isBookmarked = marks.some(({ step, kind }) => kind === 'bookmark' && step === place.step);
  const { why, toggleBookmark } = useTime();
  const { openWindow } = useViews();
  return (
    <div className="actions rigid">
      <Quiet disabled={disabled || !event} onClick={why} title="The chain of causes (w)">
        Why?
      </Quiet>
      <Quiet
        disabled={disabled || place.step < 1}
        aria-pressed={isBookmarked}
        onClick={toggleBookmark}
        title={
          isBookmarked
            ? 'Remove the bookmark: types “bookmark --delete” (k)'
            : 'Set a bookmark here: types “bookmark” (k)'
        }
      >
        <Icon name="bookmark" isFilled={isBookmarked} />
        <span className="visually-hidden">Bookmark</span>
      </Quiet>
      <Quiet
        onClick={() => openWindow('break')}
        disabled={disabled}
        title="Break: breakpoints, bookmarks and landmarks"
      >
        <Icon name="breakpoint" isFilled={breakpoints > 0} /> <span className="roomy">Break</span>
        {breakpoints > 0 ? ` ${breakpoints}` : ''}
      </Quiet>
      <Quiet
        className="needed"
        onClick={() => openWindow('crash')}
        disabled={disabled || page.unopened !== null}
        title="Crash: a power failure here, and the recovery after it (c)"
      >
        <Icon name="crash" /> <span className="roomy">Crash</span>
      </Quiet>
    </div>
  );
}

/** The sentence of an earlier step as a clause of its past. */
function causeText(sentence: string): string {
  const clause = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  return clause.replace(/^(job \d+) will /, '$1 was to ');
}
