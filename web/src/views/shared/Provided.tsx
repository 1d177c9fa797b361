import type { ReactNode } from 'react';
import {
  type Commands,
  CommandsProvider,
  type Lessons,
  LessonsProvider,
  MomentProvider,
  NOTHING,
  type Questions,
  QuestionsProvider,
  type Selection,
  SelectionProvider,
  type Time,
  TimeProvider,
  type Views,
  ViewsProvider,
} from './contexts';

interface Nouns {
  commands: Commands;
  selection: Selection;
  questions: Questions;
  views: Views;
  time: Time;
  lessons: Lessons;
  moment: string;
}

const UNASKED = { ask: () => Promise.reject(new Error('Nothing is asked here.')) };

/** All context providers that views need; what is not given does nothing. */
export function Provided({ children, ...given }: Partial<Nouns> & { children: ReactNode }) {
  const { commands = NOTHING, selection = NOTHING, questions = UNASKED, moment = '' } = given;
  const { views = NOTHING, time = NOTHING, lessons = NOTHING } = given;
  return (
    <CommandsProvider value={commands}>
      <SelectionProvider value={selection}>
        <QuestionsProvider value={questions}>
          <ViewsProvider value={views}>
            <TimeProvider value={time}>
              <LessonsProvider value={lessons}>
                <MomentProvider value={moment}>{children}</MomentProvider>
              </LessonsProvider>
            </TimeProvider>
          </ViewsProvider>
        </QuestionsProvider>
      </SelectionProvider>
    </CommandsProvider>
  );
}
