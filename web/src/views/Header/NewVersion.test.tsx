import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { NewVersion } from './NewVersion';

function copyOf(hasNewer: boolean, load: () => void) {
  const state = { hasNewer, isComplete: false };
  return { get: () => state, subscribe: () => () => {}, load };
}

it('is empty without a newer version', () => {
  const { container } = render(<NewVersion copy={copyOf(false, vi.fn())} />);
  expect(container).toHaveTextContent(/^$/);
});

it('offers a newer version, lists what it ends, and loads it', async () => {
  const load = vi.fn();
  const { container } = render(<NewVersion copy={copyOf(true, load)} />);
  expect(container).toHaveTextContent('A new version is here.');
  const button = screen.getByRole('button', { name: 'Load it' });
  expect(button).toHaveAttribute('title', expect.stringMatching(/branches.*the database stays/));
  await userEvent.click(button);
  expect(load).toHaveBeenCalledOnce();
});
