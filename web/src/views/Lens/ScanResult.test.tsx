import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openedLens } from '../../testing/realLens';
import { ScanResult } from './ScanResult';
import type { Passed, RowLine, Rows } from './scene/answers';

const row = (text: string): RowLine => ({
  key: { text, hex: text, leftOut: 0 },
  value: { text, hex: text, leftOut: 0 },
  timestamp: null,
  sequence: 1,
  foundIn: 'logs',
  kind: 'value',
  parts: [],
});

function shown(passed: Passed, rows: number): string[] {
  const all: Rows = {
    rows: Array.from({ length: rows }, (_, at) => row(`k${at}`)),
    next: null,
    passed,
    readBytes: 10,
    reads: 1,
    problems: [],
    cautions: [],
  };
  render(<ScanResult rows={all} onNext={() => {}} />);
  return parts();
}

const parts = () =>
  [...document.querySelectorAll('.lens-passed li')].map((li) => li.textContent?.trim() ?? '');
/** The parts of the bar together, in percent. */
const sum = () =>
  [...document.querySelectorAll<HTMLElement>('.lens-passed-bar i')].reduce(
    (all, { style }) => all + Number.parseFloat(style.width),
    0,
  );

describe('what a scan went over', () => {
  it('is drawn in parts that come to all of it, of a real directory with many tombstones', async () => {
    const lens = await openedLens('x_tombstones');
    const rows = await lens.ask({
      ask: 'scan',
      family: 0,
      from: null,
      to: null,
      limit: 1000,
      sequence: null,
    });
    const { passed } = rows;
    expect(passed.shadowed).toBeGreaterThan(0);
    expect(passed.tombstones).toBeGreaterThan(0);
    render(<ScanResult rows={rows} onNext={() => {}} />);
    expect(sum()).toBeCloseTo(100);
    const numbers = parts().map((part) => Number.parseInt(part.replaceAll(',', ''), 10));
    expect(numbers.reduce((all, number) => all + number, 0)).toBe(passed.entries);
    expect(parts()[0]).toMatch(new RegExp(`^${rows.rows.length} live`));
  });

  it('has a part for each kind that was met', () => {
    const passed: Passed = {
      entries: 20,
      tombstones: 6,
      rangeDeleted: 5,
      shadowed: 2,
      joined: 3,
      unread: 2,
    };
    expect(shown(passed, 2)).toEqual([
      '2 live (10 %)',
      '3 joined with a newer merge operand (15 %)',
      '2 older versions, shadowed (10 %)',
      '6 tombstones (30 %)',
      '5 hidden by range deletions (25 %)',
      '2 with a value that could not be read (10 %)',
    ]);
    expect(sum()).toBeCloseTo(100);
  });

  it('is one of each in the right number', () => {
    const none = { rangeDeleted: 0, joined: 0, unread: 0 };
    expect(shown({ entries: 3, tombstones: 1, shadowed: 1, ...none }, 1)).toEqual([
      '1 live (33 %)',
      '1 older version, shadowed (33 %)',
      '1 tombstone (33 %)',
    ]);
    expect(screen.getByRole('status')).toHaveTextContent(/^1 live entry of 3 entries read/);
  });
});
