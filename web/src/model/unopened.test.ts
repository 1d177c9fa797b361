import { expect, it } from 'vitest';
import { sentenceAt } from './branchHistory';
import type { BranchState } from './engine.generated';
import { waysOn } from './unopened';

const branch = (id: number, name: string, parent: number | null): BranchState => ({
  ...{ id, name, parent, forkedAt: parent, memory: id > 0, steps: 9, pastless: null },
  ...{ damaged: [], crash: null },
});

it.each([
  ['the database itself', 0, 'options preset default'],
  ['a branch', 1, 'branch main'],
  ['a branch of a branch', 2, 'branch "damage 1"'],
  ['an imported database', 3, 'branch main'],
])('offers a way on from %s', (_, id, line) => {
  const branches = [branch(0, 'main', null), branch(1, 'damage 1', 0)];
  const others = [branch(2, 'damage 2', 1), branch(3, 'import', null)];
  expect(waysOn({ branches: [...branches, ...others], branch: id })[0]?.line).toBe(line);
});

it('takes the place of the sentence of the present, in every window', () => {
  const page = { branches: [], branch: 0 };
  expect(sentenceAt({ ...page, unopened: 'No database is open.' }, 5, null)).toBe(
    'No database is open.',
  );
  expect(sentenceAt({ ...page, unopened: null }, 5, null)).toBeNull();
});
