import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { OpenedState } from '../../model/engine.generated';
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

it('offers each database among the opened files once, whatever is selected', async () => {
  const type = vi.fn();
  const files = openedFiles([
    opened('@mine/000005.ldb', '@mine'),
    opened('@mine/CURRENT', '@mine'),
    opened('@other/CURRENT', '@other'),
    opened('@rocks/CURRENT', null),
  ]);
  render(
    <Offers type={type}>
      <FileTable files={files} />
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
