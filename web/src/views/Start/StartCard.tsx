import './StartCard.css';

import { lessonWaiting } from '../../model/lessons';
import { LESSONS } from '../../model/lessons.generated';
import type { Page } from '../../model/page';
import { Action } from '../shared/buttons';
import { useCommands, useLessons, useViews } from '../shared/contexts';

/** First commands, and what one sees of each. */
const FIRST = [
  { command: 'put apple red', shows: 'A log record, then an entry in the memtable.' },
  { command: 'fill 60 --words', shows: 'The memtable fills and rotates; flushes wait.' },
  { command: 'run', shows: 'Flushes write tables, compactions merge them.' },
];

/** What to try first, in the empty picture of a new database. */
export function StartCard({ page }: { page: Page }) {
  const { type } = useCommands();
  const isEmpty = page.view.lastSequence === 0 && page.last === page.begun && !page.isPast;
  if (page.connection.state !== 'open' || !isEmpty || page.lesson !== null) return null;
  return (
    <section className="start-card" aria-label="Start">
      <h2>Write a key and follow it to disk.</h2>
      <p>
        A storage engine at work: writes go to a log and to memory; later, tables sink from level to
        level.
      </p>
      <Doors />
      <p>Or explore freely:</p>
      <ol>
        {FIRST.map(({ command, shows }) => (
          <li key={command}>
            <Action onClick={() => type(command)}>
              <code>{command}</code>
            </Action>{' '}
            <span className="shows">{shows}</span>
          </li>
        ))}
      </ol>
      <p className="dim">
        → performs the next pending step, ← goes back. The picture shows what the engine did.
      </p>
    </section>
  );
}

/** The ways in for a visitor who does not know the commands. */
function Doors() {
  const { progress, start } = useLessons();
  const { openWindow } = useViews();
  const waiting = lessonWaiting(progress);
  const lesson = waiting ?? LESSONS[0];
  return (
    <div className="doors wraps">
      <Action onClick={() => start(lesson.id)}>
        {waiting ? `Continue lesson ${waiting.number}` : 'Start lesson 1'}: {lesson.title}
      </Action>
      <Action onClick={() => openWindow('lessons')}>All lessons</Action>
      <Action onClick={() => openWindow('open')}>Open my own files</Action>
    </div>
  );
}
