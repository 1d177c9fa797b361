import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Lazy } from './Lazy';
import { lazyPart } from './lazyPart';

const GONE = new TypeError(
  'error loading dynamically imported module: http://localhost:1/assets/Chart-abc.js',
);

function show(part: ReturnType<typeof lazyPart<{ word: string }>>) {
  render(
    <Lazy part={part} name="charts" instead={<p>a table</p>}>
      {({ word }) => <p>{word}</p>}
    </Lazy>,
  );
  return userEvent.setup();
}

describe('a part that is fetched when it is used', () => {
  it('leaves only its place empty when it does not come, and comes with the next attempt', async () => {
    const fetchPart = vi.fn().mockRejectedValueOnce(GONE).mockResolvedValue({ word: 'a chart' });
    const fetchAgain = vi.fn().mockRejectedValue(GONE);
    const user = show(lazyPart(fetchPart, fetchAgain));
    expect(await screen.findByRole('status')).toHaveTextContent(
      'The charts could not be fetched from the server; everything else goes on.',
    );
    expect(screen.getByText('a table')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('a chart')).toBeInTheDocument();
    expect(screen.queryByText('a table')).toBeNull();
  });

  it('asks for it under another address where the browser remembers the failure', async () => {
    const fetchPart = vi.fn().mockRejectedValue(GONE);
    const fetchAgain = vi.fn().mockRejectedValueOnce(GONE).mockResolvedValue({ word: 'a chart' });
    const user = show(lazyPart(fetchPart, fetchAgain));
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('a chart')).toBeInTheDocument();
    const address = 'http://localhost:1/assets/Chart-abc.js';
    expect(fetchAgain.mock.calls).toEqual([[`${address}?again=1`], [`${address}?again=2`]]);
  });

  it('is fetched once', async () => {
    const fetchPart = vi.fn().mockResolvedValue({ word: 'a chart' });
    const part = lazyPart<{ word: string }>(fetchPart);
    show(part);
    await screen.findByText('a chart');
    show(part);
    expect(screen.getAllByText('a chart')).toHaveLength(2);
    await part.load();
    expect(fetchPart).toHaveBeenCalledTimes(1);
  });
});
