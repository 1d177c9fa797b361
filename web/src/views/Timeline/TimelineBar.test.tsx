import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FIRST_PAGE, type PageState } from '../../model/page';
import { shown } from '../../model/shown';
import { Offers } from '../../testing/Offers';
import { NowTab } from '../Now/NowTab';
import { TimelineBar } from './TimelineBar';

function start(change: Partial<PageState>) {
  const page = shown({ ...FIRST_PAGE, connection: { state: 'open' }, ...change });
  render(
    <Offers>
      <TimelineBar page={page} />
      <NowTab page={page} />
    </Offers>,
  );
  return screen.getByRole('button', { name: 'Step' });
}

it('stresses Step only where it has work to do', () => {
  expect(start({ next: null })).not.toHaveClass('primary');
});

it('stresses Step while work is pending', () => {
  expect(start({ next: 'A flush of memtable 1 will begin.' })).toHaveClass('primary');
});

it('offers the first write where nothing can be flushed', () => {
  start({});
  expect(screen.getByRole('button', { name: 'put apple red' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'flush' })).toBeNull();
});
