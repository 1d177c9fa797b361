import { expect, it } from 'vitest';
import type { LessonState } from './engine.generated';
import { keptIn } from './kept';
import {
  type LessonProgress,
  readProgress,
  unfinished,
  withoutLesson,
  withState,
} from './progress';

const STATE: LessonState = {
  head: { id: 'log', title: 'Log', minutes: 10, level: 1, goal: '', needs: [], source: null },
  textHash: 7,
  kind: 'lesson',
  scenes: [{ title: [], at: 0 }],
  scene: 0,
  items: [
    {
      number: 3,
      what: {
        is: 'ask',
        name: 'size',
        text: [],
        kind: 'choice',
        choices: [[], [{ is: 'text', text: 'They do not change.' }]],
        given: '2',
        revealed: { choice: 1, words: 'They grow.', right: false, because: null },
      },
    },
  ],
  waits: { until: 'read', scene: false },
  strayed: false,
  at: 4,
  end: 9,
};

it('remembers the place and the answers, and reads back what it has written', () => {
  const progress = withState({}, STATE);
  expect(progress.log).toEqual({
    text: 7,
    at: 4,
    end: 9,
    done: false,
    answers: {
      size: {
        given: '2',
        said: 'They do not change.',
        text: 7,
        engine: 'They grow.',
        right: false,
      },
    },
  });
  expect(readProgress(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
  expect(unfinished(progress)).toBe('log');
  expect(withoutLesson(progress, 'log')).toEqual({});
});

it('is done once and for all, unless the text is another one', () => {
  const over = withState({}, { ...STATE, waits: { until: 'over' } });
  expect(unfinished(over)).toBeNull();
  expect(withState(over, { ...STATE, at: 1 }).log?.done).toBe(true);
  const other = withState(over, { ...STATE, textHash: 8, items: [] }).log;
  expect(other?.done).toBe(false);
  // An answer to the older text is never taken for one to this text.
  expect(other?.answers.size).toMatchObject({ given: '2', text: 7 });
  const earlier = { ...over.log, answers: { size: { given: '2', engine: 'x', right: null } } };
  const later = withState({ log: earlier as LessonProgress }, { ...STATE, textHash: 8, items: [] });
  expect(later.log?.answers.size?.text).toBe(7);
});

it('takes nothing that it has not written', () => {
  for (const text of [
    null,
    '',
    '7',
    'null',
    '[]',
    '{"log":7}',
    '{"log":{"at":-1}}',
    '{"log":{"text":1,"at":1,"end":2,"done":false,"answers":{"a":1}}}',
  ]) {
    const store = { getItem: () => text };
    expect(readProgress(keptIn(store, 'progress'))).toEqual({});
  }
});

it('keeps a lesson of a file or a link apart from that of the library with the same id', () => {
  const known = withState({}, STATE);
  const after = withState(known, { ...STATE, kind: 'read', at: 1 });
  expect(after.log).toEqual(known.log);
  expect(after['file:log']?.at).toBe(1);
});
