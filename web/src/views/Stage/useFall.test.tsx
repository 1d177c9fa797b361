import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExplainResult } from '../../model/engine.generated';
import type { Page } from '../../model/shown';
import { Offers } from '../../testing/Offers';
import { useFall } from './useFall';

const lookup = (): ExplainResult => ({ stops: [{}, {}, {}] }) as unknown as ExplainResult;
const pageAt = (reading: ExplainResult, readingStop: number, predicts = false) =>
  ({ reading, readingStop, predicts }) as Page;

const readStop = vi.fn();
const wrapper = ({ children }: { children: ReactNode }) => (
  <Offers {...{ readStop }}>{children}</Offers>
);
const falls = (page: Page) => renderHook(useFall, { wrapper, initialProps: page });
const motion = (reduced: boolean) => vi.stubGlobal('matchMedia', () => ({ matches: reduced }));

beforeEach(() => {
  vi.useFakeTimers();
  readStop.mockReset();
  motion(false);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('goes from stop to stop, and ends with the whole lookup', () => {
  const reading = lookup();
  const { rerender } = falls(pageAt(reading, 0));
  vi.runAllTimers();
  expect(readStop.mock.lastCall).toEqual([1]);
  rerender(pageAt(reading, 1));
  vi.runAllTimers();
  expect(readStop.mock.lastCall).toEqual([2]);
  rerender(pageAt(reading, 2));
  vi.runAllTimers();
  expect(readStop.mock.lastCall).toEqual([3]);
  rerender(pageAt(reading, 3));
  vi.runAllTimers();
  expect(readStop).toHaveBeenCalledTimes(3);
});

it('leaves a lookup to a person who walks it', () => {
  const reading = lookup();
  const { rerender } = falls(pageAt(reading, 0));
  rerender(pageAt(reading, 1));
  rerender(pageAt(reading, 0));
  vi.runAllTimers();
  expect(readStop).not.toHaveBeenCalled();
});

it('waits while verdicts are predicted, and does not move for people who prefer that', () => {
  falls(pageAt(lookup(), 0, true));
  motion(true);
  falls(pageAt(lookup(), 0));
  vi.runAllTimers();
  expect(readStop).not.toHaveBeenCalled();
});
