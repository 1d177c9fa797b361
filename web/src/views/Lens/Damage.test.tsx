import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { OpenLens } from '../../testing/OpenLens';
import { openedLens } from '../../testing/realLens';
import { Drawing } from '../Drawing/Drawing';
import { FilesTab } from './FilesTab';
import { ProblemLines } from './ProblemLines';
import type { Picture, Problem } from './scene/answers';
import { chartsOf } from './scene/chart';

const missing: Problem = {
  file: '000010.blob',
  offset: null,
  severity: 'error',
  state: 'missing',
  message: 'the file is missing',
  family: null,
  level: null,
  keys: null,
};

async function shown(fixture: string) {
  const lens = await openedLens(fixture);
  const user = userEvent.setup();
  render(<OpenLens lens={lens} />);
  const tab = (name: string) =>
    user.click(screen.getByRole('tab', { name: new RegExp(`^${name}`) }));
  return { user, tab, lens };
}

describe('findings', () => {
  it('that are the same stand once, with their number', () => {
    render(<ProblemLines problems={Array.from({ length: 1200 }, () => missing)} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByRole('listitem')).toHaveTextContent('the file is missing (1,200 times)');
  });

  it('stand once where a second one has the same place', () => {
    const placed = { ...missing, level: 6, keys: ['61', '62'] as [string, string] };
    render(<ProblemLines problems={[missing, placed, { ...placed, keys: ['63', '64'] }]} />);
    const lines = screen.getAllByRole('listitem').map((line) => line.textContent);
    expect(lines).toEqual([
      expect.stringContaining('keys a to b'),
      expect.stringContaining('keys c to d'),
    ]);
  });

  it('lead to the bytes of files that are there', async () => {
    const { user, tab } = await shown('d_log_flip');
    await tab('Problems');
    const [first] = screen.getAllByRole('button', { name: /^Bytes of / });
    const file = first?.getAttribute('aria-label')?.replace('Bytes of ', '');
    if (first) await user.click(first);
    expect(await screen.findByLabelText('File')).toHaveValue(file);
  });
});

describe('damage that a terminal has found', () => {
  it('is marked in the picture on show', async () => {
    const { lens } = await shown('d_table_flip');
    await screen.findAllByRole('option', { name: /^table / });
    const damaged = /^table .*damaged$/;
    expect(screen.queryByRole('option', { name: damaged })).toBeNull();
    await act(() => lens.run('check'));
    expect(await screen.findByRole('option', { name: damaged })).toBeInTheDocument();
  });
});

describe('a blob file that is missing', () => {
  it('is marked in the picture and in the table form', async () => {
    const { user } = await shown('d_blob_missing');
    const blob = await screen.findByRole('option', { name: /^blob file 10 .*missing/ });
    expect(blob).toHaveClass('is-damaged');
    expect(within(screen.getByRole('listbox')).getByText(/^▲/)).toBeInTheDocument();
    expect(screen.getByRole('option', { name: /^blob file 13/ })).not.toHaveClass('is-damaged');
    await user.click(screen.getByText('As table'));
    const row = screen.getByRole('row', { name: /^000010\.blob/ });
    expect(row).toHaveTextContent('000010.blob ▲ missing');
  });

  it('has a row among the files', async () => {
    const { tab } = await shown('d_blob_missing');
    await tab('Files');
    const row = screen.getByRole('row', { name: /^000010\.blob/ });
    expect(within(row).getByText('▲ missing')).toBeVisible();
    expect(within(row).queryByRole('button')).toBeNull();
  });

  it('is an outline with a word in a picture of a report', () => {
    const picture: Picture = {
      title: 'Blob files',
      x: { label: 'file', unit: '' },
      y: { label: 'size', unit: 'bytes' },
      series: [
        {
          label: 'live',
          data: {
            bars: [
              ['10', 100],
              ['13', 200],
            ],
          },
        },
      ],
      references: [],
    };
    const [chart] = chartsOf(picture, new Set(['10']));
    if (!chart) throw new Error('no chart');
    render(<Drawing picture={chart} name="blobs" />);
    expect(screen.getAllByText(/missing:/, { selector: 'text' })).toHaveLength(1);
    expect(document.querySelectorAll('[stroke-dasharray="2 3"] rect')).toHaveLength(1);
  });
});

describe('a damaged log', () => {
  it('is marked in the picture and in the table form', async () => {
    const { user } = await shown('d_log_flip');
    const log = await screen.findByRole('option', { name: /\.log .*damaged/ });
    expect(log).toHaveClass('is-damaged');
    await user.click(screen.getByText('As table'));
    expect(screen.getByRole('row', { name: /\.log ▲ damaged/ })).toBeVisible();
  });
});

describe('a damaged manifest', () => {
  it('is reported above the levels, with the last edit of the history', async () => {
    const { tab } = await shown('d_manifest_flip');
    const line = await screen.findByText(/^▲ The history ends after version edit \d+/);
    expect(line).toHaveTextContent(/MANIFEST-\d+ is damaged at offset [\d,]+\./);
    await tab('Files');
    expect(screen.getByText(/2 files are in no level/)).toBeVisible();
  });

  it('is not reported for a sound one', async () => {
    await shown('m_levels');
    expect(await screen.findByRole('option', { name: /^table 52/ })).toBeVisible();
    expect(screen.queryByText(/The history ends/)).toBeNull();
  });
});

describe('the list of files', () => {
  it('has no row for a name that is no file of the database', () => {
    const onBytes = vi.fn();
    const problems = [
      { ...missing, file: 'CURRENT' },
      { ...missing, severity: 'note' as const },
    ];
    render(<FilesTab {...{ files: [], problems, onBytes }} manifest="MANIFEST-000001" />);
    expect(screen.queryByText('▲ missing')).toBeNull();
  });
});
