import type { WireEvent } from '../engine/protocol';

interface Props {
  event: WireEvent | null;
  cause: WireEvent | null;
  next: string | null;
  announcement: string;
}

/** What happened, why, and what comes next; the same words go to screen readers. */
export function Narration({ event, cause, next, announcement }: Props) {
  return (
    <div className="narration">
      <p className="sentence" title={event?.sentence}>
        {event ? (
          <>
            <b>Step {event.time}.</b> {event.sentence}
          </>
        ) : (
          'Nothing has happened yet. Type a command below, or press a button.'
        )}
      </p>
      <p className="because">
        <span title={cause?.sentence}>
          {cause && (
            <>
              <b>because</b> of step {cause.time}: {lowerFirst(cause.sentence)}
            </>
          )}
        </span>
        <span className="next" title={next ?? undefined}>
          <b>next</b> {next ?? 'nothing waits'}
        </span>
      </p>
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
