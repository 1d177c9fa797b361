import './Story.css';

import { comparisonShown } from '../model/comparison';
import type { Page } from '../model/shown';
import { Narration } from '../views/Timeline/Narration';
import { TimelineBar } from '../views/Timeline/TimelineBar';

interface Props {
  page: Page;
  /** The room is too low for the cause and for what comes next. */
  isLow: boolean;
}

/** The sentence of the step on show, above the stage like the title of a slide. */
export function StoryTitle({ page, isLow }: Props) {
  return (
    <section
      className={page.isPast ? 'story rigid past' : 'story rigid'}
      aria-label="What happened"
    >
      <Narration page={page} isLow={isLow} />
    </section>
  );
}

/** The controls of time, below the stage. */
export function StoryTime({ page, isLow }: Props) {
  return (
    <div className={page.isPast ? 'story-time rigid past' : 'story-time rigid'}>
      <TimelineBar page={page} isLow={isLow} />
    </div>
  );
}

/** Whether the page shows something outside the history: an experiment or a comparison. */
export function isApart(page: Page): boolean {
  return page.experiment !== null || comparisonShown(page) !== null;
}
