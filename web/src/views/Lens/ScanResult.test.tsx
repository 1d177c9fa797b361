import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openedLens } from '../../testing/realLens';
import { ScanResult } from './ScanResult';
import type { Passed, RowLine, Rows } from './scene/answers';

const row = (text: string): RowLine => ({
  key: { text, hex: text, left_out: 0 },
  value: { text, hex: text, left_out: 0 },
  timestamp: null,
  sequence: 1,
  found_in: 'logs',
  kind: 'value',
  parts: [],
});

function shown(passed: Passed, rows: number, next = false): string[] {
  const all: Rows = {
    rows: Array.from({ length: rows }, (_, at) => row(`k${at}`)),
    next: next ? { text: 'z', hex: '7a', left_out: 0 } : null,
    passed,
    read_bytes: 10,
    reads: 1,
    problems: [],
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
    expect(passed.shadowed + passed.tombstones).toBeGreaterThan(passed.entries);
    render(<ScanResult rows={rows} onNext={() => {}} />);
    expect(sum()).toBeCloseTo(100);
    const numbers = parts().map((part) => Number.parseInt(part.replaceAll(',', ''), 10));
    expect(numbers.reduce((all, number) => all + number, 0)).toBe(passed.entries);
    expect(parts()[0]).toMatch(new RegExp(`^${rows.rows.length} live`));
  });

  it('counts what a range deletion hides apart, where no tombstone may be among it', () => {
    const passed = { entries: 10, tombstones: 0, range_deleted: 3, shadowed: 4 };
    expect(shown(passed, 2, true)).toEqual([
      '3 live, the next one included (30 %)',
      '4 other versions and operands (40 %)',
      '3 hidden by range deletions (30 %)',
    ]);
    expect(sum()).toBeCloseTo(100);
  });

  it('counts it with the other versions, where tombstones may be among it', () => {
    const passed = { entries: 10, tombstones: 6, range_deleted: 5, shadowed: 2 };
    expect(shown(passed, 2)).toEqual([
      '2 live (20 %)',
      '2 other versions, operands and entries that range deletions hide (20 %)',
      '6 tombstones (60 %)',
    ]);
    expect(sum()).toBeCloseTo(100);
    expect(screen.getByText('Range deletions hide 5 of them, tombstones included.')).toBeVisible();
  });

  it('is one of each in the right number', () => {
    const passed = { entries: 3, tombstones: 1, range_deleted: 0, shadowed: 1 };
    expect(shown(passed, 1)).toEqual([
      '1 live (33 %)',
      '1 other version or operand (33 %)',
      '1 tombstone (33 %)',
    ]);
    expect(screen.getByRole('status')).toHaveTextContent(/^1 live entry of 3 entries read/);
  });
});
