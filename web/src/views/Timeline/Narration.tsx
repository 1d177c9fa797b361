import './Narration.css';

import type { WireEvent } from '../../model/engine.generated';
import { stepName } from '../../model/page';
import type { Place } from '../../model/timelineWalk';
import { count } from '../../model/words';
import { useCommands, useTime, useViews } from '../shared/contexts';
import { Icon } from '../shared/Icon';

interface Props {
  event: WireEvent | null;
  cause: WireEvent | null;
  place: Place;
  last: number;
  isPast: boolean;
  isBookmarked: boolean;
  /** Breakpoints that are set. */
  breakpoints: number;
  next: string | null;
  announcement: string;
  disabled: boolean;
}

/** The event on show, its cause, and the next event or the way back; screen readers get the same words. */
export function Narration(props: Props) {
  const { event, place, announcement } = props;
  return (
    <div className="narration">
      <div className="said">
        <p className="sentence" title={event?.sentence}>
          {event ? (
            <>
              <b>{stepName(place)}</b> {event.sentence}
            </>
          ) : (
            'Nothing has happened yet. Type a command below, or press a button.'
          )}
        </p>
        <Actions {...props} />
      </div>
      <div className="because">
        <Because cause={props.cause} />
        {props.isPast ? (
          <PastBar {...props} />
        ) : (
          <span className="next" title={props.next ?? undefined}>
            <b>next</b> {props.next ?? 'nothing waits'}
          </span>
        )}
      </div>
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

function Because({ cause }: Pick<Props, 'cause'>) {
  const { go } = useTime();
  if (!cause) return <span />;
  return (
    <span title={cause.sentence}>
      <b>because</b> of{' '}
      <button type="button" className="link" onClick={() => go(cause.step)}>
        step {cause.step}
      </button>
      : {lowerFirst(cause.sentence)}
    </span>
  );
}

/** Says that this is the past, and how to leave it. */
function PastBar({ place, last }: Props) {
  const { type } = useCommands();
  return (
    <span className="past-bar">
      <b>
        Viewing the past · step {count(place.step)} of {count(last)}
      </b>
      <button type="button" onClick={() => type('now')} title="Types “now” (End)">
        Return to now
      </button>
      <button
        type="button"
        onClick={() => type(`fork ${place.step}`)}
        title={`Goes on from here in a copy in memory: types “fork ${place.step}”`}
      >
        Fork here
      </button>
    </span>
  );
}

function Actions(props: Props) {
  const { disabled, breakpoints, isBookmarked } = props;
  const { why, toggleBookmark } = useTime();
  const { openWindow } = useViews();
  return (
    <div className="actions">
      <button
        type="button"
        className="quiet"
        disabled={disabled || !props.event}
        onClick={why}
        title="The chain of causes (w)"
      >
        Why?
      </button>
      <button
        type="button"
        className="quiet"
        disabled={disabled || props.place.step < 1}
        aria-pressed={isBookmarked}
        onClick={toggleBookmark}
        title={
          isBookmarked
            ? 'Remove the bookmark: types “bookmark --delete” (k)'
            : 'Set a bookmark here: types “bookmark” (k)'
        }
      >
        <Icon
          d={isBookmarked ? 'M4 1h8v14l-4-4-4 4z' : 'M4 1h8v14l-4-4-4 4zM5.5 2.5v9L8 9l2.5 2.5v-9z'}
        />
        <span className="visually-hidden">Bookmark</span>
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => openWindow('break')}
        disabled={disabled}
        title="Breakpoints, bookmarks and landmarks"
      >
        <span className={breakpoints > 0 ? 'break-dot set' : 'break-dot'} aria-hidden="true">
          ●
        </span>{' '}
        Break{breakpoints > 0 ? ` ${breakpoints}` : ''}
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => openWindow('crash')}
        disabled={disabled}
        title="A power failure here, and the recovery after it"
      >
        <Icon d="M9.5 0L3 9h4l-1.5 7L13 6H8.5z" /> Crash
      </button>
    </div>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
