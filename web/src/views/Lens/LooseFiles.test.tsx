import { readFileSync } from 'node:fs';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { giveHeights } from '../../testing/heights';
import { OpenLens } from '../../testing/OpenLens';
import { realLens } from '../../testing/realLens';
import { blobOf } from '../../testing/slices';

giveHeights();

it.each([
  ['leveldb/p_snapshot_head/000005.ldb', 'LevelDB', 'copy (1) of 000005.ldb'],
  ['rocksdb/tiny.sst', 'RocksDB', 'tiny.sst'],
])('a single file has its entries and its bytes on show: %s', async (path, engine, name) => {
  const lens = realLens();
  const file = blobOf(readFileSync(`tests/fixtures/formats/${path}`));
  await lens.open({ kind: 'files', name, files: [{ path: name, file }] });
  const user = userEvent.setup();
  render(<OpenLens lens={lens} />);
  const tab = (named: string) =>
    user.click(screen.getByRole('tab', { name: new RegExp(`^${named}`) }));
  expect(screen.getByRole('heading', { name: `${engine} ${name}` })).toBeVisible();
  await tab('Read');
  const entries = await screen.findByRole('table', { name: 'Live entries' });
  expect(within(entries).getAllByRole('row').length).toBeGreaterThan(1);
  await tab('Files');
  expect(screen.getByText(/^1 file;/)).toHaveTextContent('every table and log counts');
  await tab('Bytes');
  const tree = await screen.findByRole('tree', { name: 'Parts of the file' });
  const part = await within(tree).findByRole('treeitem', { name: /^data blocks/ });
  await user.click(part);
  await vi.waitFor(() => expect(part).toHaveAttribute('aria-selected', 'true'));
});
