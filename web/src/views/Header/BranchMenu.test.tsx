import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { BranchState } from '../../model/engine.generated';
import { Offers } from '../../testing/Offers';
import { BranchMenu } from './BranchMenu';

const MAIN: BranchState = {
  id: 0,
  name: 'main',
  parent: null,
  forkedAt: null,
  memory: false,
  steps: 9,
  pastless: null,
  damaged: [],
  crash: null,
};
const fork = (id: number, name = `fork ${id}`): BranchState => ({
  ...MAIN,
  id,
  name,
  parent: 0,
  forkedAt: 3,
  memory: true,
});

function show(branches: readonly BranchState[], branch: number) {
  const type = vi.fn();
  render(
    <Offers type={type}>
      <BranchMenu branches={branches} branch={branch} disabled={false} />
    </Offers>,
  );
  return type;
}

it('is there only where there is a choice', () => {
  show([MAIN], 0);
  expect(screen.queryByRole('combobox')).toBeNull();
});

it('goes to a branch, and drops one that waits, each by its command', async () => {
  const type = show([MAIN, fork(1), fork(2, 'a "b"; put m 1')], 1);
  const menu = screen.getByRole('combobox');
  await userEvent.selectOptions(menu, 'main');
  expect(type).toHaveBeenLastCalledWith('branch main');
  await userEvent.selectOptions(menu, '2');
  expect(type).toHaveBeenLastCalledWith('branch "a \\"b\\"; put m 1"');
  await userEvent.selectOptions(menu, 'drop:2');
  expect(type).toHaveBeenLastCalledWith('branch --drop "a \\"b\\"; put m 1"');
});

it('drops neither the branch that is shown nor the first one', () => {
  show([MAIN, fork(1), fork(2)], 1);
  const dropped = within(screen.getByRole('group', { name: /^drop/ })).getAllByRole('option');
  expect(dropped.map((option) => option.textContent)).toEqual(['drop fork 2']);
});
