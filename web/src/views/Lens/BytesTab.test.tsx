import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { giveHeights } from '../../testing/heights';
import { OpenLens } from '../../testing/OpenLens';
import { openedLens } from '../../testing/realLens';

giveHeights();

/** The bytes of a file of a fixture. */
async function shown(fixture: string, file: string) {
  const lens = await openedLens(fixture);
  const user = userEvent.setup();
  render(<OpenLens lens={lens} />);
  await user.click(screen.getByRole('tab', { name: 'Files' }));
  await user.click(screen.getByRole('button', { name: file }));
  const tree = await screen.findByRole('tree', { name: 'Parts of the file' });
  const part = (name: RegExp) => within(tree).findByRole('treeitem', { name });
  return { user, tree, part };
}

describe('the bytes', () => {
  it('of a table are named down to a key, in its decoded content too', async () => {
    const { user, tree, part } = await shown('t_fv3_snappy_xxhash', '000012.sst');
    for (const name of [/^data blocks/, /^data block 1/, /^compressed content/, /^decompressed/]) {
      await user.click(await part(name));
      // The tree follows the chosen part, once its place is known.
      await vi.waitFor(async () =>
        expect(await part(name)).toHaveAttribute('aria-selected', 'true'),
      );
      await user.keyboard('{ArrowRight}');
    }
    await user.click(await part(/^entries/));
    await user.keyboard('{ArrowRight}');
    await vi.waitFor(() => expect(tree.textContent).toContain('user:000005'));
    expect(await screen.findByRole('listbox', { name: /^The file 000012.sst/ })).toBeVisible();
  });

  it('of a damaged file show the place of the damage', async () => {
    const { user, tree, part } = await shown('d_table_flip', '000010.sst');
    await user.click(await part(/^data blocks/));
    await user.keyboard('{ArrowRight}');
    await vi.waitFor(() => expect(tree.textContent).toMatch(/checksum/));
  });

  it('of manifest, log and options have names, too', async () => {
    await shown('m_levels', 'MANIFEST-000005');
    const files = screen.getByLabelText('File');
    const user = userEvent.setup();
    for (const name of ['000051.log', 'OPTIONS-000007', 'CURRENT']) {
      await user.selectOptions(files, name);
      expect(await screen.findByRole('region', { name })).toBeVisible();
      await vi.waitFor(() => expect(screen.getAllByRole('treeitem').length).toBeGreaterThan(0));
    }
  });

  it('are shown where an address of the terminal leads', async () => {
    const lens = await openedLens('t_fv3_snappy_xxhash');
    render(<OpenLens lens={lens} />);
    act(() => lens.place.update(() => ({ address: '@000012.sst/blocks:1/block:2' })));
    expect(screen.getByRole('tab', { name: 'Bytes' })).toHaveAttribute('aria-selected', 'true');
    const tree = await screen.findByRole('tree', { name: 'Parts of the file' });
    const block = await within(tree).findByRole('treeitem', { name: /^data block 2/ });
    await vi.waitFor(() => expect(block).toHaveAttribute('aria-selected', 'true'));
  });
});
