import type { ReactNode } from 'react';
import {
  type Ask,
  CommandsProvider,
  type Lessons,
  LessonsProvider,
  MomentProvider,
  QuestionsProvider,
  SelectionProvider,
  type Time,
  TimeProvider,
  type Views,
  ViewsProvider,
} from '../views/shared/contexts';

interface Offered extends Time, Views, Lessons {
  type(command: string): void;
  stop(): void;
  select(selection: string | null): void;
  ask: Ask;
  moment: string;
}

const nothing = () => {};

const NOTHING: Offered = {
  type: nothing,
  stop: nothing,
  select: nothing,
  ask: () => Promise.reject(new Error('Nothing is asked in this test.')),
  moment: '',
  go: nothing,
  travel: nothing,
  forward: nothing,
  togglePlay: nothing,
  setGrain: nothing,
  setSpeed: nothing,
  toggleBookmark: nothing,
  why: nothing,
  reveal: nothing,
  readStop: nothing,
  openWindow: nothing,
  lookInside: nothing,
  inspect: nothing,
  experiment: nothing,
  compare: nothing,
  closeFull: nothing,
  predict: nothing,
  progress: {},
  start: nothing,
  next: nothing,
  forget: nothing,
  runAll: nothing,
  isKept: true,
  presents: false,
  recap: { questions: [], after: '' },
};

/** The page around a view under test: a test names what it watches, everything else does nothing. */
export function Offers({ children, ...given }: Partial<Offered> & { children: ReactNode }) {
  const offered = { ...NOTHING, ...given };
  return (
    <CommandsProvider value={offered}>
      <SelectionProvider value={offered}>
        <QuestionsProvider value={offered}>
          <ViewsProvider value={offered}>
            <TimeProvider value={offered}>
              <LessonsProvider value={offered}>
                <MomentProvider value={offered.moment}>{children}</MomentProvider>
              </LessonsProvider>
            </TimeProvider>
          </ViewsProvider>
        </QuestionsProvider>
      </SelectionProvider>
    </CommandsProvider>
  );
}
