import './Lesson.css';

import { useState } from 'react';
import { answersOf, sheetAsCsv, sheetAsJson } from '../../model/answerSheet';
import { handoutAddress } from '../../model/handout';
import { lessonWaiting } from '../../model/lessons';
import { LESSONS } from '../../model/lessons.generated';
import type { Progress } from '../../model/progress';
import { counted } from '../../model/words';
import { Action, Quiet } from '../shared/buttons';
import { useLessons } from '../shared/contexts';
import { Dialog } from '../shared/Dialog';
import { saveFile } from '../shared/saveFile';

/** The lessons, the progress in each, and a way into each. */
export function LessonsDialog({ onClose }: { onClose(): void }) {
  const { progress, start, forget, isKept } = useLessons();
  const first = lessonWaiting(progress)?.id ?? LESSONS[0].id;
  const begin = (id: string) => {
    onClose();
    start(id);
  };
  return (
    <Dialog title="Lessons" onClose={onClose}>
      <p className="dim">
        Each lesson runs in its own in-memory database; yours is not touched.{' '}
        {isKept
          ? 'Your progress is stored only in this browser.'
          : 'This browser stores nothing: your progress is lost when the page is closed.'}
      </p>
      <ol className="lessons-list">
        {LESSONS.map(({ id, title, minutes }, index) => {
          const known = progress[id];
          const state = stateOf(known);
          return (
            <li key={id}>
              <Action onClick={() => begin(id)} data-first={id === first ? '' : undefined}>
                {index + 1}. {title} <span className="dim">{minutes} minutes</span>
                {state !== '' && <strong> · {state}</strong>}
              </Action>
              <a
                className="quiet"
                href={handoutAddress({ id, reader: 'learner' })}
                target="_blank"
                rel="noopener"
                aria-label={`Handout of ${title}, for print`}
              >
                Print
              </a>
              {known && (
                <Quiet onClick={() => forget(id)} aria-label={`Forget the progress in ${title}`}>
                  Forget
                </Quiet>
              )}
            </li>
          );
        })}
      </ol>
      {Object.keys(progress).length > 1 && (
        <Quiet onClick={() => forget(null)}>Forget the progress in all lessons</Quiet>
      )}
      <Sheet progress={progress} />
    </Dialog>
  );
}

/** The answers as a file, for a teacher. */
function Sheet({ progress }: { progress: Progress }) {
  const [name, setName] = useState('');
  const count = answersOf(progress).length;
  if (count === 0) return null;
  const save = (form: 'json' | 'csv') => {
    const text = form === 'json' ? sheetAsJson(progress, name) : sheetAsCsv(progress, name);
    const type = form === 'json' ? 'application/json' : 'text/csv;charset=utf-8';
    saveFile(`levelscope-answers.${form}`, new Blob([text], { type }));
  };
  return (
    <fieldset className="lessons-sheet in-row wraps line-above">
      <legend>Save my answers</legend>
      <p className="dim">
        A file with {counted(count, 'prediction')} and the answers of the engine. It goes to your
        downloads, and nowhere else.
      </p>
      <label>
        Name, if you like{' '}
        <input
          type="text"
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <Action onClick={() => save('json')}>Save as JSON</Action>
      <Action onClick={() => save('csv')}>Save as CSV</Action>
    </fieldset>
  );
}

function stateOf(known: { done: boolean; at: number; end: number } | undefined): string {
  if (!known) return '';
  if (known.done) return 'done';
  return `${Math.round((100 * known.at) / Math.max(known.end, 1))} % done`;
}
