import { expect, it } from 'vitest';
import type { BranchState, PowerLoss } from './engine.generated';
import { isHidden, verdictAt } from './focus';
import { FIRST_PAGE, type PageState } from './page';
import { shown } from './shown';

const CRASH: PowerLoss = {
  recovered: 7,
  sentence: 'The power failed. No acknowledged write is lost.',
};

function branch(id: number, crash: PowerLoss | null): BranchState {
  const rest = { parent: null, forkedAt: null, memory: true, steps: 7, pastless: null };
  return { id, name: `branch ${id}`, damaged: [], crash, ...rest };
}

it('hides the losses of a crash until they are revealed', () => {
  const page: PageState = {
    ...FIRST_PAGE,
    branch: 1,
    branches: [branch(0, null), branch(1, CRASH)],
    cursor: { step: 7, detail: 0 },
    predicts: true,
  };
  expect(isHidden(shown(page))).toBe(true);
  expect(isHidden(shown({ ...page, predicts: false }))).toBe(false);
  expect(isHidden(shown({ ...page, revealed: verdictAt(shown(page)) }))).toBe(false);
  expect(isHidden(shown({ ...page, cursor: { step: 6, detail: 0 } }))).toBe(false);
  expect(isHidden(shown({ ...page, branch: 0 }))).toBe(false);
});
