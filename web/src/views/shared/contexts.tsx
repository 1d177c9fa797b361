// The page's services to every picture, one noun each. The values are stable as long as the page lives, except for the moment.

import { createContext, type ReactNode, useContext } from 'react';
import type { WindowName } from '../../model/address';
import type { Answers, Grain, Query } from '../../model/engine.generated';
import type { Progress } from '../../model/progress';
import type { Recap } from '../../model/recap';
import type { Goal, Manner } from '../../model/travel';

export interface Commands {
  /** Types a command into the terminal, as a person would. */
  type(command: string): void;
  /** Stops the command at work. */
  stop(): void;
}

export interface Selection {
  /** Selects an object of the picture or a place in a file; `null` selects nothing. */
  select(selection: string | null): void;
}

/**
 * Asks the engine, as it was at the step shown, without a trace in the terminal. Rejects with an `Error` that explains
 * why there is no answer.
 */
export type Ask = <Q extends Query>(query: Q) => Promise<Answers[Q['ask']]>;

export interface Questions {
  ask: Ask;
  /** Whether each view has one question at work: while a slider moves, those between it and the newest are skipped. */
  isSerial?: boolean;
}

export interface Time {
  /** Goes to a step of the history. */
  go(step: number): void;
  travel(goal: Goal, manner: Manner): void;
  /** One step: of the history in the past, of background work now. */
  forward(): void;
  togglePlay(): void;
  setGrain(grain: Grain): void;
  setSpeed(stepsPerSecond: number): void;
  toggleBookmark(): void;
  /** Reveals the verdict that is hidden. */
  reveal(): void;
  /** Shows a stop of the lookup on the stage. */
  readStop(stop: number): void;
  /** Shows the chain of causes of the step shown. */
  why(): void;
}

export interface Views {
  /** Opens a window over the page; `null` closes it. */
  openWindow(window: WindowName | null): void;
  /** Shows an object of the picture or a part of it from inside; `null` shows the tree. */
  lookInside(id: string | null): void;
  /** Shows the bytes of the selected file, or the picture again. */
  inspect(inspecting: boolean): void;
  /** Shows an experiment; the empty name shows the first one, `null` the picture again. */
  experiment(id: string | null): void;
  /** Moves the cursor of the comparison; `null` shows the comparison again at the place where it was. */
  compare(at: number | null): void;
  /** Shows the picture again. */
  closeFull(): void;
  /** Whether verdicts are hidden until they are revealed. */
  predict(predicts: boolean): void;
}

export interface Lessons {
  /** How far the visitor came in each. */
  progress: Progress;
  /** Starts a lesson, where it was left if it was. */
  start(id: string): void;
  /** Goes on in the lesson at work. */
  next(): void;
  /** The questions of earlier lessons that are asked next. */
  recap: Recap;
  /** Whether this window is the presenter's: it shows what the audience does not see. */
  presents: boolean;
  /** Runs all of the script that came with a link. */
  runAll(): void;
  /** Forgets how far the visitor came in a lesson; `null`: in all of them. */
  forget(id: string | null): void;
  /** Whether the progress outlives the page. */
  isKept: boolean;
}

const nothing = () => {};

/** Actions without effect: of a picture that is only looked at. */
export const NOTHING: Commands & Selection & Time & Views & Lessons = {
  type: nothing,
  stop: nothing,
  select: nothing,
  openWindow: nothing,
  lookInside: nothing,
  inspect: nothing,
  experiment: nothing,
  compare: nothing,
  closeFull: nothing,
  predict: nothing,
  go: nothing,
  travel: nothing,
  forward: nothing,
  togglePlay: nothing,
  setGrain: nothing,
  setSpeed: nothing,
  toggleBookmark: nothing,
  reveal: nothing,
  readStop: nothing,
  why: nothing,
  progress: {},
  start: nothing,
  next: nothing,
  forget: nothing,
  runAll: nothing,
  isKept: false,
  presents: false,
  recap: { questions: [], after: '' },
};

/** A context without a default: the page provides it, and so does a test. */
function needed<Value>(noun: string) {
  const context = createContext<Value | null>(null);
  function useNeeded(): Value {
    const value = useContext(context);
    if (value === null) throw new Error(`The context "${noun}" is not provided.`);
    return value;
  }
  return [context.Provider, useNeeded] as const;
}

export const [CommandsProvider, useCommands] = needed<Commands>('commands');
export const [SelectionProvider, useSelection] = needed<Selection>('selection');
export const [QuestionsProvider, useQuestions] = needed<Questions>('questions');
/** Changes whenever answers of the engine may: with the database, the branch and the step shown. */
export const [MomentProvider, useMoment] = needed<string>('moment');
export const [TimeProvider, useTime] = needed<Time>('time');
export const [ViewsProvider, useViews] = needed<Views>('views');
export const [LessonsProvider, useLessons] = needed<Lessons>('lessons');

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
