import { describe, expect, it } from 'vitest';
import type { GivenAnswer, LessonProgress, Progress } from './progress';
import { questionsAgain } from './recap';

const answer = (right: boolean | null, rest: Partial<GivenAnswer> = {}): GivenAnswer => ({
  given: '1',
  engine: 'E',
  right,
  ...rest,
});
const lesson = (answers: Record<string, GivenAnswer>): LessonProgress => ({
  text: 7,
  at: 3,
  end: 3,
  done: true,
  answers,
});

const PROGRESS: Progress = {
  log: lesson({ records: answer(true), size: answer(true) }),
  rotation: lesson({ pair: answer(true), synced: answer(false), logs: answer(null) }),
  reading: lesson({ blocks: answer(true) }),
  deleting: lesson({ size: answer(false) }),
};

const names = (progress: Progress, id: string) =>
  questionsAgain(progress, id).map(({ lesson: of, name }) => `${of} ${name}`);

describe('questions that are asked again', () => {
  it('are those of earlier lessons, wrong ones first, of two lessons where there are two', () => {
    expect(names(PROGRESS, 'merging')).toEqual(['rotation synced', 'log records']);
    expect(names(PROGRESS, 'power')).toEqual(['deleting size', 'rotation synced']);
    expect(names(PROGRESS, 'rotation')).toEqual(['log records', 'log size']);
  });

  it('are none at the end of the first lesson, of an unknown one, or without answers', () => {
    expect(names(PROGRESS, 'log')).toEqual([]);
    expect(names(PROGRESS, 'mine')).toEqual([]);
    expect(names({}, 'together')).toEqual([]);
  });

  it('are others once they were asked again', () => {
    const log = lesson({ records: answer(true, { again: 1 }), size: answer(true) });
    expect(names({ ...PROGRESS, log }, 'rotation')).toEqual(['log size', 'log records']);
  });

  it('are none of a text that has changed since', () => {
    const log = lesson({ records: answer(true, { text: 6 }), size: answer(true, { text: 7 }) });
    expect(names({ log }, 'rotation')).toEqual(['log size']);
  });
});
