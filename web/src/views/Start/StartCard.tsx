import './StartCard.css';

import type { CSSProperties } from 'react';
import { lessonWaiting } from '../../model/lessons';
import { LESSONS } from '../../model/lessons.generated';
import type { Page } from '../../model/page';
import { Action, Primary, TextLink } from '../shared/buttons';
import { useCommands, useLessons, useViews } from '../shared/contexts';

/** The first command, and lessons and files beside it, in the empty picture of a new database. */
export function StartCard({ page }: { page: Page }) {
  const { type } = useCommands();
  const { openWindow } = useViews();
  const { progress, start } = useLessons();
  const isEmpty = page.view.lastSequence === 0 && page.last === page.begun && !page.isPast;
  if (page.connection.state !== 'open' || !isEmpty || page.lesson !== null) return null;
  const waiting = lessonWaiting(progress);
  const lesson = waiting ?? LESSONS[0];
  return (
    <>
      <Drops />
      <section className="start-card" aria-label="Start">
        <h2>Write a key and follow it to disk.</h2>
        <p className="dim">
          A write goes to a log and to memory. Full memtables become tables, and tables sink from
          level to level.
        </p>
        <div className="commands">
          <Primary onClick={() => type('put apple red')}>
            Write a key <kbd>put apple red</kbd>
          </Primary>
          <Action onClick={() => start(lesson.id)}>
            {waiting ? `Continue lesson ${waiting.number}` : 'Start lesson 1'}: {lesson.title}
          </Action>
        </div>
        <div className="commands">
          <TextLink onClick={() => openWindow('lessons')}>All lessons</TextLink>
          <TextLink onClick={() => type('fill 60 --words')}>Write 60 keys</TextLink>
          <TextLink onClick={() => openWindow('open')}>Open my own files</TextLink>
        </div>
      </section>
    </>
  );
}

/** Place on the key axis [%], hue, and head start [s] of keys that fall as long as nothing has happened. */
const DROPS = [
  [4, 205, 0],
  [22, 255, 6.8],
  [41, 300, 2.2],
  [63, 350, 9.1],
  [78, 400, 4.4],
  [95, 440, 11.2],
] as const;

/** Pale keys that fall from memory to the levels: a preview of the picture. */
function Drops() {
  return (
    <div className="start-drops cuts" aria-hidden="true">
      <small>example</small>
      {DROPS.map(([left, hue, ahead]) => (
        <i
          key={hue}
          style={{ left: `${left}%`, animationDelay: `${-ahead}s`, '--hue': hue } as CSSProperties}
        />
      ))}
    </div>
  );
}
