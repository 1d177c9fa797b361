import './Lesson.css';

import { LESSONS } from '../../model/lessons.generated';
import { useLessons } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';

/** The lessons, how far one came in each, and a way into each. */
export function LessonsDialog({ onClose }: { onClose(): void }) {
  const { progress, start, forget } = useLessons();
  const begin = (id: string) => {
    onClose();
    start(id);
  };
  return (
    <Dialog title="Lessons" onClose={onClose}>
      <p className="dim">
        Each plays in a database of its own, in memory; yours stays as it is. How far you come is
        kept in this browser only.
      </p>
      <ol className="lessons-list">
        {LESSONS.map(({ id, title, minutes }, index) => {
          const known = progress[id];
          const state = stateOf(known);
          return (
            <li key={id}>
              <button
                type="button"
                className="command"
                onClick={() => begin(id)}
                data-first={index === 0 ? '' : undefined}
              >
                {index + 1}. {title} <span className="dim">{minutes} minutes</span>
                {state !== '' && <strong> · {state}</strong>}
              </button>
              {known && (
                <button
                  type="button"
                  className="quiet"
                  onClick={() => forget(id)}
                  aria-label={`Forget how far you came in ${title}`}
                >
                  Forget
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

function stateOf(known: { done: boolean; at: number; end: number } | undefined): string {
  if (!known) return '';
  if (known.done) return 'done';
  return `${Math.round((100 * known.at) / Math.max(known.end, 1))} % done`;
}
