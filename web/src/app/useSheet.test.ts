import { describe, expect, it } from 'vitest';
import { SHEET_SIZES, sheetAfter, sizeAfter } from './useSheet';

const IDLE = { lesson: null, waits: null, selection: null, isFull: false };
const CLOSED = { tab: 'terminal', size: 'closed' } as const;

describe('the sheet of a phone', () => {
  it('opens with the lesson, and closes with it', () => {
    const begun = sheetAfter(CLOSED, IDLE, { ...IDLE, lesson: 'log' });
    expect(begun).toEqual({ tab: 'lesson', size: 'half' });
    expect(sheetAfter(begun, { ...IDLE, lesson: 'log' }, IDLE)).toEqual({
      tab: 'look',
      size: 'closed',
    });
  });

  it('rises for a question, and leaves a higher sheet as it is', () => {
    const reading = { ...IDLE, lesson: 'log' };
    const asked = { ...reading, waits: 'q1' };
    expect(sheetAfter(CLOSED, reading, asked)).toEqual({ tab: 'lesson', size: 'half' });
    const full = { tab: 'terminal', size: 'full' } as const;
    expect(sheetAfter(full, reading, asked)).toEqual({ tab: 'lesson', size: 'full' });
    // The same question leaves the terminal on show.
    expect(sheetAfter(full, asked, asked)).toBe(full);
  });

  it('leads back to the lesson when a task is done', () => {
    const task = { ...IDLE, lesson: 'log', waits: 'task' };
    const typing = { tab: 'terminal', size: 'half' } as const;
    expect(sheetAfter(typing, task, { ...task, waits: null })).toEqual({
      tab: 'lesson',
      size: 'half',
    });
  });

  it('has the tab of a chosen object, but does not rise for it, nor in place of a lesson', () => {
    const chosen = { ...IDLE, selection: 'table:3' };
    expect(sheetAfter(CLOSED, IDLE, chosen)).toEqual({ tab: 'look', size: 'closed' });
    const typing = { tab: 'terminal', size: 'half' } as const;
    expect(sheetAfter(typing, IDLE, chosen)).toEqual({ tab: 'look', size: 'half' });
    const lesson = { tab: 'lesson', size: 'half' } as const;
    const before = { ...IDLE, lesson: 'log' };
    expect(sheetAfter(lesson, before, { ...before, selection: 'table:3' })).toBe(lesson);
  });

  it('makes way for bytes and experiments', () => {
    const half = { tab: 'look', size: 'half' } as const;
    expect(sheetAfter(half, IDLE, { ...IDLE, isFull: true })).toEqual({
      tab: 'look',
      size: 'closed',
    });
  });

  it('has three heights, and none beyond them', () => {
    expect(SHEET_SIZES.map((size) => sizeAfter(size, 1))).toEqual(['half', 'full', 'full']);
    expect(SHEET_SIZES.map((size) => sizeAfter(size, -1))).toEqual(['closed', 'closed', 'half']);
    expect(sizeAfter('closed', 2)).toBe('full');
  });
});
