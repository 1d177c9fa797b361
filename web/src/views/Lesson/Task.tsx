import type { LessonTask } from '../../model/engine.generated';
import { counted } from '../../model/words';
import { useCommands } from '../shared/contexts';
import { Words } from './Words';

interface Props {
  task: LessonTask;
  /** Whether the lesson waits for it. */
  isOpen: boolean;
}

/** A task: done with commands of the learner's own, and looked at by the engine after each of them. */
export function Task({ task, isOpen }: Props) {
  const { type } = useCommands();
  const { outcome, hints, solution, conditions, held } = task;
  const told = { done: 'Done', shown: 'Done by the lesson', open: 'Task' }[outcome ?? 'open'];
  return (
    <section className={`lesson-task ${outcome ?? ''}`}>
      <span className="lesson-kind">{told}</span>
      <p>
        <Words prose={task.text} />
      </p>
      {outcome === null && (
        <p className="dim" role="status">
          {held} of {counted(conditions, 'condition')} {conditions === 1 ? 'holds' : 'hold'}
          {task.commandsMax !== null &&
            `; ${task.commands} of at most ${counted(task.commandsMax, 'command')} typed`}
          .
        </p>
      )}
      {isOpen && task.commands > 0 && (
        <p className="dim">
          Have your commands led somewhere else? <em>Begin again</em> puts the database back to
          where the task began.
        </p>
      )}
      {hints.length > 0 && (
        <ol>
          {hints.map((hint, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hints come one after the other and stay
            <li key={index}>
              <Words prose={hint} />
            </li>
          ))}
        </ol>
      )}
      {solution.length > 0 && (
        <p className="dim">
          The author's solution: <code>{solution.join('; ')}</code>
        </p>
      )}
      {isOpen && (
        <div className="lesson-buttons">
          {(task.hintsLeft > 0 || solution.length === 0) && (
            <button type="button" className="command" onClick={() => type('hint')}>
              {task.hintsLeft > 0 ? 'Hint' : 'Solution'}
            </button>
          )}
          <button type="button" className="quiet" onClick={() => type('lesson back')}>
            Begin again
          </button>
          <button type="button" className="quiet" onClick={() => type('next --skip')}>
            Let the lesson do it
          </button>
        </div>
      )}
    </section>
  );
}
