import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { addressOf } from '../../lens/names';
import { fragmentOf, PICTURE, parseFragment } from '../../model/address';
import { OpenLens } from '../../testing/OpenLens';
import { fixtureSource, openedLens, realLens } from '../../testing/realLens';

describe('the address of a directory', () => {
  it('names it, whatever its name is', async () => {
    for (const name of ['rocksdb', 'a db/b%2f~1', '#directory~2', 'inside~3', '…/bytes~4']) {
      for (const way of [{}, { inspecting: true }, { opened: 'table:12/block:2' }]) {
        const address = { ...PICTURE, directory: name, ...way };
        expect(parseFragment(fragmentOf(address))).toEqual(address);
      }
    }
    const lens = await openedLens('m_levels');
    expect(addressOf(lens.store.get(), lens.source)).toMatch(/^m_levels~\d+$/);
  });

  it('of one that is not open says so, and leads back to the open one', async () => {
    const user = userEvent.setup();
    const lens = await openedLens('m_levels');
    render(<OpenLens lens={lens} address="p_history~99" />);
    expect(screen.getByRole('status')).toHaveTextContent('p_history is not open.');
    expect(screen.queryByRole('heading', { name: /m_levels/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back to m_levels' }));
    expect(await screen.findByRole('heading', { name: 'RocksDB m_levels' })).toBeVisible();
  });

  it('becomes that of the directory that opens', async () => {
    const lens = realLens();
    render(<OpenLens lens={lens} address="p_history~99" />);
    expect(screen.getByRole('status')).toHaveTextContent('p_history is not open.');
    await act(() => lens.open(fixtureSource('m_levels')));
    expect(await screen.findByRole('heading', { name: 'RocksDB m_levels' })).toBeVisible();
  });
});
