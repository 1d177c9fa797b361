import { afterEach, expect, it, vi } from 'vitest';
import { FIRST_PAGE, historyOf, type PageState } from '../model/page';
import { createStore } from '../model/store';
import { eventAt } from '../model/timeline';
import { append } from '../model/timelineGrow';
import { inTime } from '../testing/inTime';
import { base, begun, run } from '../testing/longHistory';
import type { Question } from './port';
import { TimeTravel } from './timeTravel';

afterEach(() => {
  vi.useRealTimers();
});

const LAST = 400;

/** A page that holds the newest 40 of 400 events, and an engine that answers on demand. */
function start() {
  vi.useFakeTimers();
  let timeline = begun({ stretch: 8, kept: 40, stretches: 12, filled: 3 });
  for (let step = 1; step <= LAST; step += 10)
    timeline = append(timeline, run(step, step + 9), null);
  const history = { timeline, marks: [], samples: [] };
  const page: PageState = { ...FIRST_PAGE, histories: new Map([[FIRST_PAGE.branch, history]]) };
  const store = createStore(page);
  const answers: (() => void)[] = [];
  const window = vi.fn(
    ({ from, to }: Extract<Question, { type: 'window' }>) =>
      new Promise((resolve) => {
        answers.push(() => resolve({ events: run(from, to), view: base(from - 1) }));
      }),
  );
  const time = new TimeTravel({ ask: window as never }, store, (text) => {
    throw new Error(text);
  });
  const scrub = (step: number) => time.go({ to: 'step', step }, 'scrub');
  return { store, window, answers, time, scrub, step: () => store.get().cursor?.step };
}

it('follows a hand that drags by checkpoints, and fetches when the hand rests', async () => {
  const { store, window, answers, scrub, step } = start();
  for (let at = 200; at > 100; at -= 5) {
    scrub(at);
    expect(Math.abs((step() ?? 0) - at)).toBeLessThan(40);
    vi.advanceTimersByTime(20);
  }
  expect(window).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(window).toHaveBeenCalledTimes(1);
  // Steps that are held are shown at once, also while others are on their way.
  scrub(LAST - 5);
  expect(step()).toBe(LAST - 5);
  answers[0]?.();
  await vi.waitFor(
    () => expect(eventAt(historyOf(store.get()).timeline, 105)).not.toBeNull(),
    inTime,
  );
  expect(step()).toBe(LAST - 5);
});

it('ends at the step where the hand came to rest', async () => {
  const { answers, scrub, step } = start();
  scrub(153);
  vi.advanceTimersByTime(200);
  answers[0]?.();
  await vi.waitFor(() => expect(step()).toBe(153), inTime);
});

it('a jump does not wait for the hand', async () => {
  const { window, answers, time, scrub, step } = start();
  scrub(153);
  time.go({ to: 'step', step: 90 }, 'jump');
  expect(window).toHaveBeenCalledTimes(1);
  answers[0]?.();
  await vi.waitFor(() => expect(step()).toBe(90), inTime);
});
