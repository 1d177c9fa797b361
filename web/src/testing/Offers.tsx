import type { ReactNode } from 'react';
import { type Ask, NOTHING, Provided } from '../views/shared/contexts';

const OFFERED = {
  ...NOTHING,
  ask: (): Promise<never> => Promise.reject(new Error('Nothing is asked in this test.')),
  moment: '',
  isKept: true,
};

type Offered = typeof NOTHING & { ask: Ask; moment: string };

/** The page around a view under test: a test names what it watches, everything else does nothing. */
export function Offers({ children, ...given }: Partial<Offered> & { children: ReactNode }) {
  const all: Offered = { ...OFFERED, ...given };
  const actions = { commands: all, selection: all, views: all, time: all, lessons: all };
  return (
    <Provided {...actions} questions={all} moment={all.moment}>
      {children}
    </Provided>
  );
}
