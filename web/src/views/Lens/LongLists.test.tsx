import { render, screen } from '@testing-library/react';

import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../lens/lens';
import { createStore } from '../../model/store';
import { Offers } from '../../testing/Offers';
import { BytesTab } from './BytesTab';
import { FilesTab } from './FilesTab';
import { ProblemLines } from './ProblemLines';
import type { FileLine, Problem } from './scene/answers';

const files: FileLine[] = Array.from({ length: 100_000 }, (_, at) => ({
  name: `${String(at).padStart(6, '0')}.sst`,
  bytes: at,
  kind: 'table',
  counts: false,
  inNoLevel: false,
  why: 'no table of the database',
}));

/** Their number; to find so many by their roles takes seconds. */
const shown = (selector: string) => document.querySelectorAll(selector).length;

describe('a directory of a hundred thousand files', () => {
  it('shows the first of them, and more at a press', async () => {
    const user = userEvent.setup();
    render(<FilesTab files={files} problems={[]} manifest="MANIFEST-000001" onBytes={() => {}} />);
    expect(screen.getByText(/^100,000 files;/)).toBeVisible();
    expect(shown('tbody tr')).toBe(200);
    expect(screen.getByText('200 of 100,000')).toBeVisible();
    await user.click(screen.getByText('More files'));
    expect(shown('tbody tr')).toBe(1000);
    expect(screen.getByText('000999.sst')).toBeVisible();
    expect(screen.getByText('1,000 of 100,000')).toBeVisible();
  });

  it('is narrowed by name and by kind, with counts', async () => {
    const user = userEvent.setup();
    const mixed: FileLine[] = [
      ...files.slice(0, 300),
      { name: 'LOG', bytes: 9, kind: 'info_log', counts: true, inNoLevel: false, why: 'read' },
    ];
    render(<FilesTab files={mixed} problems={[]} manifest="MANIFEST-000001" onBytes={() => {}} />);
    expect(screen.getByRole('option', { name: 'table (300)' })).toBeInTheDocument();
    await user.type(screen.getByLabelText('Name contains'), '29');
    expect(shown('tbody tr')).toBe(13);
    expect(screen.getByRole('status')).toHaveTextContent('13 of 301 files');
    await user.selectOptions(screen.getByLabelText('Kind'), 'LOG (1)');
    expect(screen.getByText(/^No file/)).toBeVisible();
    await user.clear(screen.getByLabelText('Name contains'));
    expect(shown('tbody tr')).toBe(1);
    await user.selectOptions(screen.getByLabelText('Kind'), 'those that do not count (300)');
    expect(screen.getByText('200 of 300')).toBeVisible();
  });

  it('has a choice of files that is no longer than that, with the one on show', () => {
    render(
      <Offers>
        <BytesTab files={files} place={createStore<Place>(null)} first="054321.sst" problems={[]} />
      </Offers>,
    );
    expect(shown('option')).toBe(1002);
    expect(screen.getByLabelText('File')).toHaveValue('054321.sst');
    expect(screen.getByText(/^98,999 more/)).toBeDisabled();
  });
});

describe('few of them', () => {
  it('are all there', () => {
    render(
      <FilesTab
        files={files.slice(0, 200)}
        problems={[]}
        manifest="MANIFEST-000001"
        onBytes={() => {}}
      />,
    );
    expect(shown('tbody tr')).toBe(200);
    expect(screen.queryByText('More files')).toBeNull();
  });
});

describe('a directory with very many problems', () => {
  it('shows the first of them, and more at a press', async () => {
    const user = userEvent.setup();
    const problems: Problem[] = files.slice(0, 3000).map(({ name }) => ({
      file: name,
      offset: null,
      severity: 'error',
      state: 'missing',
      message: 'The file is missing.',
      family: null,
      level: null,
      keys: null,
    }));
    render(<ProblemLines problems={problems} />);
    expect(shown('li')).toBe(200);
    await user.click(screen.getByText('More findings'));
    expect(shown('li')).toBe(1000);
  });
});
