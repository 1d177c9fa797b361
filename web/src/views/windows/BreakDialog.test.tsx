import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { emptyTimeline } from '../../model/timeline';
import { Offers } from '../../testing/Offers';
import { BreakDialog } from './BreakDialog';

function show() {
  const type = vi.fn();
  const marks = [{ step: 3, kind: 'bookmark', name: 'here' }] as const;
  render(
    <Offers type={type}>
      <BreakDialog breakpoints={[]} marks={marks} timeline={emptyTimeline()} onClose={() => {}} />
    </Offers>,
  );
  return type;
}

it('sets one breakpoint: what follows a semicolon is no command', async () => {
  const type = show();
  const field = screen.getByRole('textbox', { name: /Another breakpoint/ });
  await userEvent.type(field, 'when l0 >= 3{Enter}');
  expect(type).toHaveBeenLastCalledWith('break when l0 >= 3');
  await userEvent.type(field, 'on key m; put m 1{Enter}');
  expect(type).toHaveBeenLastCalledWith('break on key "m;" put m 1');
});

it('names a bookmark as it was typed', async () => {
  const type = show();
  const name = screen.getByRole('textbox', { name: 'Name of the bookmark at step 3' });
  await userEvent.clear(name);
  await userEvent.type(name, 'm; put{Enter}');
  expect(type).toHaveBeenLastCalledWith('bookmark "m; put" --at 3');
});
