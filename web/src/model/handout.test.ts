import { expect, it } from 'vitest';
import { handoutAddress, handoutIn } from './handout';

it('has an address for learners and one for teachers', () => {
  for (const reader of ['learner', 'teacher'] as const) {
    const place = { id: 'rotation', reader };
    expect(handoutIn(handoutAddress(place))).toEqual(place);
  }
  for (const hash of [
    '',
    '#handout/',
    '#handout/none',
    '#handout/log/x',
    '#handout/log/teacher/y',
  ]) {
    expect(handoutIn(hash)).toBeNull();
  }
});
