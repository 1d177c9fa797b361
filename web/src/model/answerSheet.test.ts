import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answersOf, sheetAsCsv, sheetAsJson } from './answerSheet';
import type { Progress } from './progress';

const PROGRESS: Progress = {
  deleting: {
    text: 7,
    at: 9,
    end: 9,
    done: true,
    answers: {
      size: {
        given: '1',
        said: 'They "shrink", at once.',
        text: 5,
        engine: 'They grow.',
        right: false,
      },
      left: { given: '', engine: '2', right: null },
    },
  },
  log: {
    text: 8,
    at: 2,
    end: 9,
    done: false,
    answers: { entries: { given: '=1+2', said: '=1+2', engine: '3', right: true } },
  },
};

it('lists every answer, by lesson', () => {
  const names = answersOf(PROGRESS).map(({ lesson, question }) => `${lesson} ${question}`);
  expect(names).toEqual(['deleting size', 'deleting left', 'log entries']);
  // The native program counts this very sheet in a test of its own.
  const golden = `${import.meta.dirname}/../../../console/tests/golden/answers.json`;
  expect(sheetAsJson(PROGRESS, ' Ada ')).toBe(readFileSync(golden, 'utf8'));
});

it('is a table in which nothing is a formula', () => {
  expect(sheetAsCsv(PROGRESS, '@Ada, "B"').split('\r\n')).toEqual([
    'name,lesson,text,question,given,said,engine,right',
    '"\'@Ada, ""B""",deleting,5,size,1,"They ""shrink"", at once.",They grow.,false',
    '"\'@Ada, ""B""",deleting,7,left,,,2,',
    '"\'@Ada, ""B""",log,8,entries,\'=1+2,\'=1+2,3,true',
    '',
  ]);
});
