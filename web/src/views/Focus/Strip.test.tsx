import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EMPTY_VIEW } from '../../model/reduce';
import { Offers } from '../../testing/Offers';
import { placed, Strip } from './Strip';

const item = (number: number, className = 'memtable') => ({ number, className });

it('counts what has no place, and keeps what stands out', () => {
  const five = [1, 2, 3, 4, 5].map((number) => item(number));
  expect(placed(five, 8)).toEqual({ shown: five, hidden: 0 });
  expect(placed(five, 3)).toEqual({ shown: five.slice(0, 2), hidden: 3 });
  const last = [...five.slice(0, 4), item(5, 'memtable is-fresh')];
  expect(placed(last, 3).shown.map(({ number }) => number)).toEqual([1, 5]);
});

it('draws every memtable where there is room, and marks the one that is being flushed', () => {
  const memtables = [5, 4, 3, 2, 1].map((memtable) => ({ memtable, immutable: memtable < 5 }));
  const jobs = [{ job: 3, what: 'flush', memtable: 1, inputs: [], outputLevel: 0 }];
  const view = { ...EMPTY_VIEW, memtables, jobs } as unknown as typeof EMPTY_VIEW;
  const page = {
    view,
    writing: new Map(),
    fresh: new Set<string>(),
    selection: null,
  };
  render(
    <Offers>
      <Strip page={page} />
    </Offers>,
  );
  expect(screen.getAllByRole('button', { name: /^memtable/ })).toHaveLength(5);
  expect(screen.getByRole('button', { name: 'memtable 1' })).toHaveClass('is-input');
});
