import { expect, it } from 'vitest';
import type { BranchState, ExplainResult, PowerLoss } from './engine.generated';
import { FIRST_PAGE, type PageState } from './page';
import { shown } from './shown';
import { isHidden, lookupOnShow, verdictAt, walkLookup } from './verdicts';

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

it('walks a lookup to its whole way after the last stop, and back', () => {
  const stop = { outcome: 'miss' } as unknown as ExplainResult['stops'][number];
  const reading = { stops: [stop, stop, stop] } as unknown as ExplainResult;
  let page = { reading, readingStop: 0 };
  const walk = (count: number) => {
    const walked = walkLookup(page, count);
    page = { ...page, readingStop: walked ?? page.readingStop };
    return walked;
  };
  expect(walk(-1)).toBeNull();
  expect(walk(1)).toBe(1);
  expect(walk(10)).toBe(2);
  expect(lookupOnShow(page)).toBe(reading);
  expect(walk(1)).toBe(3);
  expect(lookupOnShow(page)).toBeNull();
  expect(walk(1)).toBeNull();
  expect(walk(-1)).toBe(2);
});
