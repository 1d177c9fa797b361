import { describe, expect, it } from 'vitest';
import { SAMPLE_LAB, SAMPLE_REPORT } from '../testing/labReport';
import type { Answer } from './engine.generated';
import { cellText, figure, labCommand, labCsv, labInput, labProblem, measured } from './labs';
import { experiment, FIRST_PAGE } from './page';
import { commandEnds } from './running';

const FOUND: Answer = { kind: 'report', value: SAMPLE_REPORT };

describe('labs', () => {
  it('prints one thing in the singular, and a dash for a missing value', () => {
    expect(measured({ ours: 1, digits: 0, unit: 'comparisons' })).toBe('1 comparison');
    expect(measured({ ours: 2, digits: 0, unit: 'comparisons' })).toBe('2 comparisons');
    expect(measured({ ours: 1, digits: 0, unit: 'µs' })).toBe('1 µs');
    expect(measured({ ours: 1, digits: 1, unit: '' })).toBe('1.0');
    expect(cellText(null, undefined)).toBe('–');
  });

  it('leaves out of a command what is usual', () => {
    const input = labInput(SAMPLE_LAB, null);
    expect(labCommand(SAMPLE_LAB, input)).toBe('lab L1');
    const other = { numbers: { ...input.numbers, seed: '7' }, words: '' };
    expect(labCommand(SAMPLE_LAB, other)).toBe('lab L1 --seed 7');
    expect(labCommand(SAMPLE_LAB, labInput(SAMPLE_LAB, SAMPLE_REPORT))).toBe(
      'lab L1 --records 900',
    );
  });

  it('knows the limits of a parameter', () => {
    expect(labProblem(SAMPLE_LAB, 'records', '700')).toBeNull();
    for (const text of ['', '0', '100001', '1e3', '-1', '7.5']) {
      expect(labProblem(SAMPLE_LAB, 'records', text)).not.toBeNull();
    }
  });

  it('writes figures with the digits that mean something', () => {
    expect(figure(1234567.891, 1)).toBe('1,234,567.9');
    expect(figure(-0.04, 1)).toBe('0.0');
    expect(figure(-2.1, 1)).toBe('−2.1');
  });

  it('writes tables for other programs', () => {
    expect(labCsv(SAMPLE_REPORT.tables)).toBe(
      'format,all tables [bytes],each entry [bytes]\r\n' +
        '"fixed, ""u16""",19700,28.14\r\nvarint,18300,\r\n',
    );
  });

  it('keeps the last report of each lab and turns to it', () => {
    const away = commandEnds(FIRST_PAGE, [FOUND]);
    expect([away.experiment, away.reports.get('L1')]).toEqual([null, SAMPLE_REPORT]);
    const there = commandEnds(experiment(FIRST_PAGE, ''), [FOUND]);
    expect(there.experiment).toBe('L1');
  });
});
