import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Lens } from '../../lens/lens';
import { ProblemsTab } from './ProblemsTab';
import type { FamilyLine, Problem, Severity } from './scene/answers';

const problem = (severity: Severity, at: number): Problem => ({
  file: 'a.sst',
  offset: at,
  severity,
  message: 'It is damaged.',
  family: null,
  level: null,
  keys: null,
});

const family = { id: 0, name: 'default' } as FamilyLine;

describe('the verdict', () => {
  it.each<[Severity[], boolean | null, string]>([
    [[], null, 'No damage was found while opening; checksums have not been compared yet.'],
    [['error'], false, '1 problem was found: every checksum was compared.'],
    [
      ['error', 'error'],
      null,
      '2 problems were found while opening; checksums have not been compared yet.',
    ],
    [['error', 'note'], false, '1 problem and 1 remark were found: every checksum was compared.'],
    [['note'], false, 'No damage was found, but 1 remark: every checksum was compared.'],
    [
      ['note', 'not_read'],
      true,
      'No damage was found, but 2 remarks: every checksum was compared and every entry decoded.',
    ],
  ])('of %j, checked: %s', (severities, deep, words) => {
    render(
      <ProblemsTab
        lens={{} as Lens}
        family={family}
        work={null}
        problems={severities.map(problem)}
        found={deep === null ? null : { deep }}
        onFound={() => {}}
      />,
    );
    expect(screen.getByText(words)).toBeVisible();
  });
});
