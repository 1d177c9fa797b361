import { expect, it } from 'vitest';
import type { ExplainResult, ReadStop } from './engine.generated';
import { narrated } from './narration';
import { FIRST_PAGE, type PageState } from './page';
import { shown } from './shown';
import { revealedStops } from './verdicts';

const STOPS: ReadStop[] = [
  { stop: 'memtable', memtable: 2, comparisons: 0, hit: null },
  { stop: 'memtable', memtable: 1, comparisons: 3, hit: { sequence: 7, entry: 'put' } },
];
const reading = { lookup: 'get', key: 'apple', stops: STOPS } as unknown as ExplainResult;

function at(readingStop: number, rest: Partial<PageState> = {}) {
  return shown({ ...FIRST_PAGE, reading, readingStop, ...rest });
}

it('has the words of each stop of a lookup, and those of the step after the last one', () => {
  expect(narrated(at(0))).toEqual({
    name: 'get apple.',
    sentence: 'Stop 1 of 2: memtable 2: does not have it; 0 comparisons.',
    isQuestion: false,
  });
  expect(narrated(at(1)).sentence).toContain('Stop 2 of 2: memtable 1: has it');
  expect(narrated(at(2)).sentence).toBeNull();
});

it('asks before a verdict is revealed', () => {
  expect(narrated(at(0, { predicts: true }))).toMatchObject({
    sentence: 'Stop 1 of 2, memtable 2: is apple here?',
    isQuestion: true,
  });
  const revealed = at(0, { predicts: true, revealed: 'stop 0' });
  expect(narrated(revealed).sentence).toContain('does not have it');
});

it('counts the stops whose results are revealed', () => {
  expect(revealedStops(at(0))).toBeNull();
  expect(revealedStops(at(0, { predicts: true }))).toBe(0);
  expect(revealedStops(at(0, { predicts: true, revealed: 'stop 0' }))).toBe(1);
  expect(revealedStops(at(1, { predicts: true, revealed: 'stop 0' }))).toBe(1);
  expect(revealedStops(at(1, { predicts: true, revealed: 'stop 1' }))).toBeNull();
  expect(revealedStops(at(2, { predicts: true }))).toBeNull();
});
