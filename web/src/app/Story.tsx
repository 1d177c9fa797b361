import './Story.css';

import type { Page } from '../model/shown';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';

/** The sentence of the step on show, and the timeline. */
export function Story({ page }: { page: Page }) {
  const { isPast, marks, place } = page;
  return (
    <section className={isPast ? 'story past' : 'story'} aria-label="What happened">
      <Narration
        event={page.event}
        cause={page.cause}
        place={place}
        last={page.last}
        isPast={isPast}
        isBookmarked={marks.some(({ step, kind }) => kind === 'bookmark' && step === place.step)}
        breakpoints={page.breakpoints.length}
        next={page.next}
        announcement={page.announcement}
        disabled={page.connection.state !== 'open'}
      />
      <TimelineBar page={page} />
    </section>
  );
}

/** Whether the page shows something outside the history: an experiment, or an opened file. */
export function isApart({ experiment, inspecting, selection }: Page): boolean {
  return experiment !== null || (inspecting && selection?.startsWith('@') === true);
}
