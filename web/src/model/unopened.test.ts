import { expect, it } from 'vitest';
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
