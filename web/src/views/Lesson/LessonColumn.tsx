import './Lesson.css';

import { useLayoutEffect, useRef } from 'react';
import type {
  LessonItem,
  LessonPart,
  LessonState,
  LessonWaits,
} from '../../model/engine.generated';
import { lessonAfter } from '../../model/lessons';
import { progressId, withKept } from '../../model/progress';
import type { Recap } from '../../model/recap';
import { Action, Quiet } from '../shared/buttons';
import { useCommands, useLessons, useSelection } from '../shared/contexts';
import { Question } from './Question';
import { Task } from './Task';
import { Each, Words } from './Words';

interface Props {
  lesson: LessonState;
  /** Whether a command is at work. */
  isBusy: boolean;
  /** Shows the inspector in place of the lesson; `null`: both have room. */
  onInspect: (() => void) | null;
  /** Goes to the command line. */
  onType(): void;
  /** Copies a link to the scene; `null`: there is none. */
  onLink: (() => void) | null;
}

/** The lesson beside the picture: one scene at a time. */
export function LessonColumn({ lesson, isBusy, onInspect, onType, onLink }: Props) {
  const { type } = useCommands();
  const { runAll } = useLessons();
  const { at, scene, scenes, items, head } = lesson;
  const column = useFollowed(lesson);
  const title = scenes[scene]?.title ?? [];
  return (
    <aside className="lesson in-column on-panel" ref={column} aria-label={nameOf(lesson)}>
      <div className="lesson-head in-row wraps rigid">
        <strong>{lesson.head.title}</strong>
        <span className="dim spacer one-line">{placeIn(lesson)}</span>
        {onLink && (
          <Quiet onClick={onLink} title="Copy a link to this scene">
            Link
          </Quiet>
        )}
        {onInspect && (
          <Quiet onClick={onInspect} title="Show the inspector">
            Inspector
          </Quiet>
        )}
        <Quiet onClick={() => type('leave')}>Leave</Quiet>
      </div>
      {lesson.kind !== 'recap' && (
        <progress value={at} max={lesson.end} aria-label="How far the lesson has come" />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard */}
      <section className="lesson-scene grows" tabIndex={0} aria-label="The scene" data-pages="">
        {scene === 0 && <p className="dim">After this lesson: {head.goal}</p>}
        {title.length > 0 && lesson.kind !== 'recap' && <Words prose={title} as="h2" />}
        {items.map((item) => (
          <Item key={item.number} item={item} lesson={lesson} />
        ))}
        {lesson.kind === 'script' && lesson.waits.until === 'typed' && (
          // The rest of a script from a link, without a stop at each line.
          <p>
            <Quiet onClick={runAll} aria-disabled={isBusy}>
              Run all
            </Quiet>
          </p>
        )}
        {lesson.waits.until === 'over' && <Ended lesson={lesson} />}
      </section>
      <Next lesson={lesson} isBusy={isBusy} onType={onType} />
    </aside>
  );
}

function nameOf({ head, kind }: LessonState): string {
  if (kind === 'script') return 'Commands from a link';
  if (kind === 'read') return `Lesson from a file or link: ${head.title}`;
  return kind === 'recap' ? `Question of the lesson: ${head.title}` : `Lesson: ${head.title}`;
}

/** The progress in words. */
function placeIn({ head, kind, scene, scenes }: LessonState): string {
  if (kind === 'script') return 'in memory';
  if (kind === 'recap') return 'Do you remember?';
  // Its words are not those of this page.
  if (kind === 'read' && scene === 0) return 'from a file or link';
  return scene === 0 ? `${head.minutes} minutes` : `Scene ${scene} of ${scenes.length - 1}`;
}

/** Scrolls to the newest part, and focuses the next control. */
function useFollowed(lesson: LessonState) {
  const column = useRef<HTMLElement>(null);
  const scene = useRef(-1);
  const waited = useRef<LessonWaits['until']>('read');
  useLayoutEffect(() => {
    const host = column.current;
    const shown = host?.querySelector('.lesson-scene');
    if (!host || !shown) return;
    // A new scene is shown from its beginning; within a scene the last part is the newest.
    shown.scrollTop = scene.current === lesson.scene ? newestTop(shown) : 0;
    scene.current = lesson.scene;
    const active = document.activeElement;
    // After a task in the terminal the focus moves on from there. While lines are typed it stays.
    const isDone = waited.current === 'done' && lesson.waits.until !== 'done';
    waited.current = lesson.waits.until;
    const isElsewhere = active?.closest(isDone ? 'dialog' : '.terminal-pane, dialog') != null;
    const next = host.querySelector<HTMLElement>('[data-lesson-next]');
    if (!isElsewhere && active !== next) next?.focus({ preventScroll: true });
    if (!next || !shown.contains(next)) return;
    // A question with all its buttons; if it is too high, at least the field.
    next.closest('form')?.scrollIntoView?.({ block: 'nearest' });
    next.scrollIntoView?.({ block: 'nearest' });
  }, [lesson]);
  return column;
}

/** The scroll position of the newest part: its end, or its beginning if it does not fit. */
function newestTop(scene: Element): number {
  const newest = scene.lastElementChild;
  if (!(newest instanceof HTMLElement) || newest.offsetHeight < scene.clientHeight) {
    return scene.scrollHeight;
  }
  return scene.scrollTop + newest.getBoundingClientRect().top - scene.getBoundingClientRect().top;
}

interface ItemProps {
  item: LessonItem;
  lesson: LessonState;
}

/** One part of a lesson. */
export function Item({ item: { what }, lesson }: ItemProps) {
  const { waits, kind } = lesson;
  const { progress, presents } = useLessons();
  const { select } = useSelection();
  switch (what.is) {
    case 'ask': {
      const isOpen = waits.until === 'answered' && waits.name === what.name;
      return (
        <Question
          question={withKept(what, lesson.textHash, progress[progressId(lesson)])}
          isOpen={isOpen}
        />
      );
    }
    case 'try':
      return <Task task={what} isOpen={waits.until === 'done' && waits.name === what.name} />;
    case 'run':
      return (
        <Lines
          part={what}
          rest={waits.until === 'typed' ? waits.line : null}
          shared={kind === 'script'}
        />
      );
    case 'say':
      return <Words prose={what.prose} as="p" />;
    case 'list': {
      const List = what.ordered ? 'ol' : 'ul';
      return (
        <List>
          <Each all={what.items} as="li" />
        </List>
      );
    }
    case 'note':
      return (
        <details className="lesson-note dim" open={presents}>
          <summary>For the presenter</summary>
          <Each all={what.paragraphs} as="p" />
        </details>
      );
    case 'show':
      return (
        <p className="dim">
          Look at{' '}
          <button type="button" className="lesson-link" onClick={() => select(what.object)}>
            {what.object.replaceAll('/', ', ').replaceAll(':', ' ')}
          </button>
          .
        </p>
      );
    case 'start':
      return <p className="dim">An empty database begins here.</p>;
    case 'check':
      return <Wrong wrong={what.wrong} />;
    default:
      return null;
  }
}

interface LinesProps {
  part: Extract<LessonPart, { is: 'run' }>;
  /** The untyped rest of the next line. */
  rest: string | null;
  shared: boolean;
}

/** Commands: those that ran, the one that comes next, and those after it. */
function Lines({ part: { lines, ran, wrong }, rest, shared }: LinesProps) {
  return (
    <>
      <ol className="lesson-lines">
        {lines.map((line, index) => {
          const state = index < ran ? 'ran' : index === ran ? 'next' : 'later';
          const typed = state === 'next' && rest !== null && line.endsWith(rest);
          const split = typed ? line.length - rest.length : 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a lesson never change
            <li key={index} className={state} aria-current={state === 'next' ? 'step' : undefined}>
              {split > 0 && <code className="typed">{line.slice(0, split)}</code>}
              <code>{line.slice(split)}</code>
            </li>
          );
        })}
      </ol>
      <Wrong wrong={wrong} shared={shared} />
    </>
  );
}

/** Reports that the lesson's text disagrees with the engine, which is right. */
function Wrong({ wrong, shared = false }: { wrong: readonly string[]; shared?: boolean }) {
  return wrong.map((sentence) => (
    <p key={sentence} className="note-box is-bad lesson-wrong" role="alert">
      {shared ? 'It was stopped here: ' : 'The lesson expected something else here: '}
      {sentence}
    </p>
  ));
}

/** Sentences after a lesson, by the number of questions that are asked again. */
const RECAP = [
  'Your own database is as you left it.',
  'A question of an earlier lesson comes next, without its scene: try to recall it.',
  'Two questions of earlier lessons come next, without their scenes: try to recall them.',
];

/** The words at the end; after a script from a link nothing more of it runs. */
function Ended({ lesson: { kind, at, end } }: { lesson: LessonState }) {
  const { type } = useCommands();
  const { recap } = useLessons();
  if (kind === 'recap') return null;
  if (kind === 'script') {
    return (
      <p>
        <strong>{at === end ? 'That was all.' : 'Not all of it ran.'}</strong> Look around, go back
        in time, type commands of your own: it is a database of its own in memory. Yours is as you
        left it.
      </p>
    );
  }
  return (
    <div>
      <p>
        <strong>The lesson is over.</strong> {RECAP[recap.questions.length]}
      </p>
      <Action onClick={() => type('leave')}>Back to your own database</Action>
    </div>
  );
}

/** The next activity, in words. */
function after({ head, kind, waits }: LessonState, { questions, after: last }: Recap): string {
  if (waits.until !== 'over') return waits.until === 'typed' ? 'Run' : 'Next';
  const [question] = questions;
  if (question) return `A question of lesson ${question.number}`;
  const next = kind === 'read' ? null : lessonAfter(kind === 'recap' ? last : head.id);
  return next ? `Next lesson: ${next.title}` : 'Leave the lesson';
}

/** The one button that leads on, always at the same place. */
function Next({ lesson, isBusy, onType }: Omit<Props, 'onInspect' | 'onLink'>) {
  const { type } = useCommands();
  const { next, recap } = useLessons();
  const { waits, strayed } = lesson;
  if (!strayed && waits.until === 'over' && lesson.kind === 'script') {
    // Another button than the one that ran the lines: it has no key, and not their focus.
    return (
      <div className="lesson-next rigid line-above" key="leave">
        <Action onClick={() => type('leave')}>Back to your own database</Action>
      </div>
    );
  }
  if (!strayed && waits.until === 'answered') {
    return <p className="lesson-next rigid dim line-above">Answer the question to go on.</p>;
  }
  if (!strayed && waits.until === 'done') {
    return (
      <div className="lesson-next rigid line-above">
        <Action onClick={onType}>Do the task in the terminal</Action>
      </div>
    );
  }
  const label = strayed ? 'Back to the lesson' : after(lesson, recap);
  const line = !strayed && waits.until === 'typed' ? waits.line : null;
  return (
    <div className="lesson-next rigid line-above">
      <Action onClick={next} aria-disabled={isBusy} data-lesson-next="">
        {label} {line && <code>{line}</code>} <kbd>n</kbd>
      </Action>
      {strayed && <p className="dim">It drops what your own commands did to this database.</p>}
    </div>
  );
}
