import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '../model/store';
import { calm } from './calm';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow() {
  const store = createStore({ flowing: false, count: 0 });
  const quiet = calm(store, (before, after) => before.flowing && after.flowing, 100);
  const heard: number[] = [];
  quiet.subscribe(() => heard.push(quiet.get().count));
  const set = (flowing: boolean, count: number) => store.update(() => ({ flowing, count }));
  return { quiet, heard, set };
}

describe('a calm store', () => {
  it('publishes at once what may not wait', () => {
    const { heard, set } = follow();
    set(false, 1);
    set(true, 2);
    expect(heard).toEqual([1, 2]);
  });

  it('publishes the newest of what may wait, once in a while', () => {
    const { quiet, heard, set } = follow();
    set(true, 1);
    for (let count = 2; count <= 9; count += 1) {
      set(true, count);
      vi.advanceTimersByTime(30);
    }
    expect(heard).toEqual([1, 5, 9]);
    expect(quiet.get().count).toBe(9);
    vi.advanceTimersByTime(1000);
    expect(heard).toEqual([1, 5, 9]);
  });

  it('never ends with an old value', () => {
    const { heard, set } = follow();
    set(true, 1);
    set(true, 2);
    set(false, 3);
    expect(heard).toEqual([1, 3]);
    vi.advanceTimersByTime(1000);
    expect(heard).toEqual([1, 3]);
    set(true, 4);
    set(true, 5);
    vi.advanceTimersByTime(100);
    expect(heard).toEqual([1, 3, 4, 5]);
  });

  it('is silent once stopped', () => {
    const { quiet, heard, set } = follow();
    set(true, 1);
    set(true, 2);
    quiet.stop();
    set(false, 3);
    vi.advanceTimersByTime(1000);
    expect(heard).toEqual([1]);
  });
});
