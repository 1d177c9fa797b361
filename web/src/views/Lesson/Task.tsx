import type { LessonTask } from '../../model/engine.generated';
import { Action, Quiet } from '../shared/buttons';
import { useCommands } from '../shared/contexts';
import { Each, Words } from './Words';

interface Props {
  task: LessonTask;
  /** Whether the lesson waits for it. */
  isOpen: boolean;
}

/** A task: the learner types commands, and the engine checks the task after each of them. */
export function Task({ task, isOpen }: Props) {
  const { type } = useCommands();
  const { outcome, hints, solution, missing } = task;
  const state = { done: 'Done', shown: 'Done by the lesson', open: 'Task' }[outcome ?? 'open'];
  return (
    <section className={`lesson-task ${outcome ?? ''}`}>
      <span className="lesson-kind dim fine">{state}</span>
      <Words prose={task.text} as="p" />
      {/* The open parts, after each command. */}
      <div role="status">
        {missing.length > 0 && <p>Not done yet.</p>}
        <ul>
          <Each all={missing} as="li" />
        </ul>
      </div>
      {isOpen && task.startsOver && (
        <p className="dim">
          Want a fresh start? <em>Start over</em> resets the database to the beginning of this task.
        </p>
      )}
      {hints.length > 0 && (
        <ol>
          <Each all={hints} as="li" />
        </ol>
      )}
      {solution.length > 0 && (
        <p className="dim">
          The author's solution: <code>{solution.join('; ')}</code>
        </p>
      )}
      {isOpen && (
        <div className="lesson-buttons wraps">
          {(task.hintsLeft > 0 || solution.length === 0) && (
            <Action onClick={() => type('hint')}>{task.hintsLeft > 0 ? 'Hint' : 'Solution'}</Action>
          )}
          <Quiet onClick={() => type('lesson back')}>Start over</Quiet>
          <Quiet onClick={() => type('next --skip')}>Let the lesson do it</Quiet>
        </div>
      )}
    </section>
  );
}
