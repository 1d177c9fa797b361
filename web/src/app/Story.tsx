import './Story.css';

import type { Page } from '../model/shown';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';

/** What happened at the step shown, and the way to the others. */
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

/** Whether what is shown is no part of the history: an experiment, or a file from outside. */
export function isApart({ experiment, inspecting, selection }: Page): boolean {
  return experiment !== null || (inspecting && selection?.startsWith('@') === true);
}
