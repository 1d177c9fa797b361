import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { DirectoryState, OpenedState } from '../../model/engine.generated';
import { openedFiles } from '../../model/files';
import { Offers } from '../../testing/Offers';
import { FileTable } from './FileList';

function opened(id: string, database: string | null): OpenedState {
  return {
    id,
    name: id.slice(1),
    bytes: 16,
    format: null,
    likeness: 'none',
    others: [],
    damage: null,
    unread: null,
    entries: null,
    database,
    what: 'a file',
  };
}

const MINE: DirectoryState = {
  id: '@mine',
  what: 'a database of Levelscope',
  files: 3,
  tables: 2,
  logs: 0,
  metadata: 0,
  others: 1,
  bytes: 48,
  entries: 14,
  damaged: ['@mine/000005.sst'],
  database: '@mine',
};

it('shows a directory as one card, its damage first', async () => {
  const type = vi.fn();
  const format = {
    id: 'levelscope-table',
    name: '',
    purpose: '',
    holds: 'table',
    searches: [],
  } as const;
  const table = {
    ...opened('@mine/000005.sst', '@mine'),
    format: { ...format, searches: [] },
    entries: 7,
  };
  const files = openedFiles([
    { ...table, damage: { offset: 1030, why: 'a wrong checksum' } },
    { ...table, id: '@mine/000007.sst' },
    opened('@mine/notes.txt', '@mine'),
    opened('@alone.txt', null),
  ]);
  render(
    <Offers type={type}>
      <FileTable files={files} directories={[MINE]} />
    </Offers>,
  );
  const card = screen.getByRole('region', { name: 'Directory @mine' });
  expect(card).toHaveTextContent(
    /▲ 1 of 3 files is damaged000005\.sst damaged at offset 1,030: a wrong checksum.*2 tables, 1 other file: 48 B; 14 entries can be read/,
  );
  expect(card).not.toHaveTextContent('@alone.txt');
  await userEvent.click(within(card).getByRole('button', { name: 'Close the directory' }));
  expect(type).toHaveBeenCalledWith('close @mine');
});

it('offers each database among the opened files once, whatever is selected', async () => {
  const type = vi.fn();
  const files = openedFiles([
    opened('@mine/000005.sst', '@mine'),
    opened('@mine/CURRENT', '@mine'),
    opened('@other/CURRENT', '@other'),
    opened('@rocks/CURRENT', null),
  ]);
  render(
    <Offers type={type}>
      <FileTable files={files} directories={[]} />
    </Offers>,
  );
  const buttons = screen.getAllByRole('button', { name: /as a branch/ });
  expect(buttons.map((button) => button.textContent)).toEqual([
    'Open the database @mine as a branch',
    'Open the database @other as a branch',
  ]);
  await userEvent.click(buttons[0] as HTMLElement);
  expect(type).toHaveBeenCalledWith('import @mine');
});
