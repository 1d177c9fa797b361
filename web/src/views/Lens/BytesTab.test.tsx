import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { openedLens } from '../../testing/realLens';
import { LensView } from './LensView';

/** The bytes of a file of a fixture. */
async function shown(fixture: string, file: string) {
  const lens = await openedLens(fixture);
  const user = userEvent.setup();
  render(<LensView lens={lens} onLeave={() => {}} />);
  await user.click(screen.getByRole('tab', { name: 'Files' }));
  await user.click(screen.getByRole('button', { name: file }));
  await screen.findByRole('navigation', { name: 'The way to this part' });
  return { user };
}

const way = () =>
  within(screen.getByRole('navigation', { name: 'The way to this part' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const open = (name: RegExp) => screen.findByRole('button', { name });

describe('the bytes', () => {
  it('of a table are named down to a key, beside the bytes themselves', async () => {
    const { user } = await shown('m_levels', '000052.sst');
    expect(screen.getByText(/^RocksDB block-based table/)).toBeVisible();
    await user.click(await open(/^data blocks/));
    await user.click(await open(/^data block 0/));
    expect(await screen.findByText('data block 0', { selector: 'strong' })).toBeVisible();
    expect(way()).toEqual(['000052.sst', 'data blocks', 'data block 0']);
    const bytes = screen.getByRole('region', { name: 'Bytes as hexadecimal digits' });
    expect(bytes.textContent).toContain('user:000002');
    await user.click(screen.getByRole('button', { name: '000052.sst' }));
    expect(await open(/^footer/)).toBeVisible();
  });

  it('that were chosen are marked, and arrow keys go from part to part', async () => {
    const { user } = await shown('m_levels', '000052.sst');
    (await open(/^data blocks/)).focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(await open(/^properties/)).toHaveFocus();
    expect(screen.getByRole('row', { name: /^properties/ })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(await open(/^footer/)).toHaveFocus();
  });

  it('of a file that was damaged say where', async () => {
    const { user } = await shown('d_table_flip', '000010.sst');
    await user.click(await open(/^data blocks/));
    await user.click(await open(/^data block 0/));
    expect(await screen.findByText(/checksum/, { selector: 'strong.problem' })).toBeVisible();
  });

  it('of manifest, log and options have names, too', async () => {
    const { user } = await shown('m_levels', 'MANIFEST-000005');
    const files = screen.getByLabelText('File');
    for (const name of ['000051.log', 'OPTIONS-000007', 'CURRENT']) {
      await user.selectOptions(files, name);
      await vi.waitFor(() => expect(way()[0]).toBe(name));
      expect(screen.getAllByRole('row').length).toBeGreaterThan(1);
    }
  });

  it('of a file with one part begin in that part, and the way leads back to the file', async () => {
    const { user } = await shown('m_levels', 'MANIFEST-000005');
    await vi.waitFor(() => expect(way().slice(0, 2)).toEqual(['MANIFEST-000005', 'block 0']));
    await user.click(screen.getByRole('button', { name: 'MANIFEST-000005' }));
    await vi.waitFor(() => expect(way()).toEqual(['MANIFEST-000005']));
    expect(await open(/^block 0/)).toBeVisible();
  });
});
