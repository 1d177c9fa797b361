import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { NewVersion } from './NewVersion';

it('is empty without a newer version', () => {
  const { container } = render(<NewVersion hasNewer={false} onLoad={vi.fn()} />);
  expect(container).toHaveTextContent(/^$/);
});

it('offers a newer version, lists what it ends, and loads it', async () => {
  const load = vi.fn();
  const { container } = render(<NewVersion hasNewer onLoad={load} />);
  expect(container).toHaveTextContent('A new version is here.');
  const button = screen.getByRole('button', { name: 'Load it' });
  expect(button).toHaveAttribute('title', expect.stringMatching(/branches.*the database stays/));
  await userEvent.click(button);
  expect(load).toHaveBeenCalledOnce();
});
