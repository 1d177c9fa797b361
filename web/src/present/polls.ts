// Hands that the presenter counts for the choices of a question: once, and again after a discussion. Pure.

import type { LessonQuestion, LessonState } from '../model/engine.generated';

/** The state of a question with the audience. */
export interface Poll {
  /** The hands of each choice, round by round, as far as they are shown. */
  counts: readonly (readonly number[])[];
  /** The entries for the next round, by choice. */
  typed: readonly string[];
  /** Whether the audience discusses before it is counted again. */
  discusses: boolean;
  /** The lesson's place when the presenter revealed the answer; `null`: not yet. */
  revealedAt: number | null;
}

/** Polls by {@link pollKey}. */
export type Polls = ReadonlyMap<string, Poll>;

export const NO_POLL: Poll = { counts: [], typed: [], discusses: false, revealedAt: null };

/** Most counts of a question. */
export const ROUNDS_MAX = 2;
const HANDS_MAX = 9999;

/** The name of a question among all of its lesson. */
export function pollKey({ head, scene }: LessonState, name: string): string {
  return `${head.id}/${scene}/${name}`;
}

/** The polls with a change of one of them. */
export function withPoll(polls: Polls, key: string, change: (poll: Poll) => Poll): Polls {
  return new Map(polls).set(key, change(polls.get(key) ?? NO_POLL));
}

/** With a count typed for the choice at `index`: digits only. */
export function typed(poll: Poll, index: number, text: string): Poll {
  const values = [...poll.typed];
  for (let at = values.length; at <= index; at += 1) values.push('');
  values[index] = text.replace(/\D/g, '').slice(0, 4);
  return { ...poll, typed: values };
}

/** Whether hands are counted that the audience has not seen. */
export function hasCounts({ typed: values, counts }: Poll): boolean {
  return counts.length < ROUNDS_MAX && values.some((text) => text !== '');
}

/** With the counts of this round shown as bars. */
export function withBars(poll: Poll, { choices }: Pick<LessonQuestion, 'choices'>): Poll {
  if (!hasCounts(poll)) return poll;
  const round = choices.map((_, index) =>
    Math.min(Number(poll.typed[index] ?? '') || 0, HANDS_MAX),
  );
  return { ...poll, counts: [...poll.counts, round], typed: [], discusses: false };
}

/** With the audience discussing before the second count. */
export function discussed(poll: Poll): Poll {
  return poll.counts.length === 1 ? { ...poll, discusses: true } : poll;
}

/** The room's answer: the number of the choice with the most hands in the last count; `?`: no hand was counted. */
export function answerOf({ counts }: Poll): string {
  const last = counts.at(-1) ?? [];
  const most = Math.max(0, ...last);
  return most === 0 ? '?' : `${last.indexOf(most) + 1}`;
}
