// A place in a story of commands: a link names a step by the command before it, because releases may add events.

import { eventAt, type Timeline } from './timeline';

/** A step after so many commands, and the name of its event. */
export type StoryPlace = NonNullable<ReturnType<typeof placeOfStep>>;

/** The place of `step`, where `ends` are the last steps of the commands; `null`: no place names it. */
export function placeOfStep(ends: readonly number[], timeline: Timeline, step: number) {
  const commands = ends.filter((end) => end <= step).length;
  const event = eventAt(timeline, step)?.kind;
  const before = ends[commands - 1];
  if (before === undefined || event === undefined) return null;
  return { commands, steps: step - before, event };
}

/**
 * The step of `place`; `null`: the end. Where another event is there by now, it is the next one of that name in the same
 * command; `differs`: the sentence for another step than the one that was meant.
 */
export function stepOfPlace(
  ends: readonly number[],
  timeline: Timeline,
  { commands, steps, event }: StoryPlace,
) {
  const before = commands === 0 ? 0 : ends[commands - 1];
  if (before === undefined || commands > ends.length) {
    return {
      step: null,
      differs: 'The link names a command that its story does not have: this is its end.',
    };
  }
  const last = ends[commands] ?? before;
  const meant = before + steps;
  const fits = (step: number) => eventAt(timeline, step)?.kind === event;
  if (meant <= Math.max(last, before) && fits(meant)) return { step: meant, differs: null };
  for (let step = before + 1; step <= last; step += 1) {
    if (fits(step)) {
      const differs = `The link means another step than this one: it is the next ${event} of the same command.`;
      return { step, differs };
    }
  }
  const differs = `The link names a step ${event} that this version does not make: this is the command before it.`;
  return { step: before === 0 ? null : before, differs };
}
