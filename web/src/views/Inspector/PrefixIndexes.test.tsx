import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { PrefixBuckets, ShownKey } from '../../model/engine.generated';
import { Offers } from '../../testing/Offers';
import { asking } from '../../testing/queries';
import { PrefixIndexes } from './PrefixIndexes';

const key = (head: string): ShownKey => ({ head, bytes: head.length });

const COMPACT: PrefixBuckets = {
  table: 5,
  form: 'compact',
  prefixes: 3,
  blockBytes: 40,
  memoryBytes: 28,
  buckets: 4,
  free: 2,
  shared: 1,
  skip: 0,
  rows: [
    { bucket: 0, word: 0x7fffffff, free: true, prefixes: [], blocks: [], blockCount: 0 },
    {
      bucket: 1,
      word: 0x80000000,
      free: false,
      prefixes: [key('abc'), key('def')],
      blocks: [3, 9],
      blockCount: 2,
    },
    { bucket: 2, word: 0x7fffffff, free: true, prefixes: [], blocks: [], blockCount: 0 },
    { bucket: 3, word: 4, free: false, prefixes: [key('xyz')], blocks: [4], blockCount: 1 },
  ],
};

const ask = (result: PrefixBuckets[]) => asking(() => result);

it('shows the words of the buckets, and which prefixes share one', async () => {
  render(
    <Offers ask={ask([COMPACT])}>
      <PrefixIndexes table={5} />
    </Offers>,
  );
  expect(
    await screen.findByText(
      '3 prefixes in 4 buckets, 2 free, 1 shared by several prefixes: 28 B in memory (9.3 bytes a prefix).',
    ),
  ).toBeVisible();
  const row = screen.getByRole('row', { name: /^1 80000000/ });
  expect(within(row).getByRole('cell', { name: '4, 10' })).toBeVisible();
  expect(within(row).getByRole('cell', { name: /abc\s*def/ })).toBeVisible();
  // A free bucket has no row.
  expect(screen.getAllByRole('row')).toHaveLength(3);
});

it('shows nothing for a table without a prefix index', async () => {
  const { container } = render(
    <Offers ask={ask([])}>
      <PrefixIndexes table={5} />
    </Offers>,
  );
  await expect(screen.findByRole('heading', {}, { timeout: 400 })).rejects.toThrow();
  expect(container).toBeEmptyDOMElement();
});
