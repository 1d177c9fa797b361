import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Lens } from '../../lens/lens';
import { FilesTab } from './FilesTab';
import { LensStart } from './LensStart';

const HOSTILE = '\u202etss.db\u001b[31m';
const SHOWN = '\\xe2\\x80\\xaetss.db\\x1b[31m';
const AROUND = { name: '', onDirectory: () => {}, onLeave: () => {} };
const LONG = `${'a'.repeat(60_000)}.sst`;

it('shows names of files without what could disguise them, and long ones cut in the middle', async () => {
  const why = 'no file of a database';
  const file = { bytes: 5, kind: 'other', counts: false, inNoLevel: false, why } as const;
  const files = [HOSTILE, LONG].map((name) => ({ ...file, name }));
  const onBytes = vi.fn();
  render(<FilesTab files={files} problems={[]} manifest="MANIFEST-000001" onBytes={onBytes} />);
  const table = within(screen.getByRole('table'));
  await userEvent.click(table.getByRole('button', { name: SHOWN }));
  expect(onBytes).toHaveBeenCalledWith(HOSTILE);
  const long = table.getByText(/^a+…a+\.sst$/);
  expect(long.textContent).toHaveLength(80);
  expect(long.tagName).toBe('BDI');
  expect(long.title).toHaveLength(1_000);
});

it('distinguishes the folders of an archive', async () => {
  const folders = ['', './', `${HOSTILE}/`, `${LONG}/`];
  const choose = vi.fn();
  render(
    <LensStart
      lens={{ choose } as unknown as Lens}
      state={{ state: 'choosing', name: HOSTILE, folders }}
      {...AROUND}
    />,
  );
  const choice = screen.getByRole('region', { name: 'Which database?' });
  expect(choice).toHaveTextContent(`Several folders of ${SHOWN} look like a database.`);
  const names = within(choice)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(names.slice(0, 3)).toEqual(['the top level', './', `${SHOWN}/`]);
  expect(names[3]).toHaveLength(80);
  await userEvent.click(within(choice).getByRole('button', { name: 'the top level' }));
  expect(choose).toHaveBeenCalledWith('');
});

it('shows a failure without what could disguise it', () => {
  const failure = { kind: 'damaged', message: `No "${HOSTILE}".` } as const;
  const state = { state: 'failed', name: HOSTILE, failure } as const;
  render(<LensStart lens={{} as Lens} state={state} {...AROUND} />);
  expect(screen.getByRole('alert')).toHaveTextContent(
    `▲ ${SHOWN} could not be opened: No "${SHOWN}".`,
  );
});
