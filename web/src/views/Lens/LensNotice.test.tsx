import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Lens, LensNotice as Notice } from '../../lens/lens';
import { createStore } from '../../model/store';
import { LensNotice } from './LensNotice';

it('shows why a directory was not opened, with a name that cannot disguise itself', async () => {
  const failure = { kind: 'damaged', message: 'The archive is cut off.' } as const;
  const notice = createStore<Notice | null>({ name: '\u202epiz.db', failure });
  const dismiss = vi.fn();
  render(<LensNotice lens={{ notice, dismiss } as unknown as Lens} />);
  expect(screen.getByRole('alert')).toHaveTextContent(
    '▲ \\xe2\\x80\\xaepiz.db could not be opened: The archive is cut off.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(dismiss).toHaveBeenCalled();
});
