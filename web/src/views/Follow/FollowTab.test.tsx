import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { FollowResult, ShownKey } from '../../model/engine.generated';
import { followedOf, heldText, isOfEntry, pathsIn } from '../../model/followed';
import { Offers } from '../../testing/Offers';
import { asking } from '../../testing/queries';
import { FollowTab } from './FollowTab';
import { Following } from './following';

const shown = (head: string): ShownKey => ({ head, bytes: head.length });

const VERSIONS: NonNullable<FollowResult['versions']> = {
  key: shown('apple'),
  versions: [
    {
      sequence: 5,
      entry: 'delete',
      value: shown(''),
      verdict: { is: 'deleted' },
      snapshot: null,
      places: [
        { in: 'memtable', memtable: 2 },
        { in: 'log', wal: 3, record: 1, entry: 2, offset: 72, bytes: 40 },
      ],
    },
    {
      sequence: 3,
      entry: 'put',
      value: shown('green'),
      verdict: { is: 'covered', by: 5 },
      snapshot: 4,
      places: [{ in: 'table', level: 1, table: 7, block: 1, entry: 2, offset: 0, bytes: 90 }],
    },
  ],
  more: 0,
  without: [{ level: 2, table: 9, maybe: false, unread: null }],
};

it('lists the versions, and a click selects the entry', async () => {
  const select = vi.fn();
  const type = vi.fn();
  render(
    <Offers ask={asking(() => ({ key: 'apple', versions: VERSIONS }))} select={select} type={type}>
      <Following followed="apple">
        <FollowTab />
      </Following>
    </Offers>,
  );
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('#5 deleted◆ a read finds this tombstone');
  expect(screen.getByText('◇ under the tombstone #5; a snapshot at #4 reads it')).toBeVisible();
  expect(screen.getByText(/its filter excludes the key/)).toBeVisible();
  const place = screen.getByRole('button', { name: 'L1 table 7, block 1' });
  await userEvent.click(place);
  expect(select).toHaveBeenLastCalledWith('table:7/block:1/entry:2');
  await userEvent.click(screen.getByRole('button', { name: /follow --off/ }));
  expect(type).toHaveBeenLastCalledWith('follow --off');
});

it('labels an object that holds several versions with the newest', () => {
  const [newest, older] = VERSIONS.versions;
  if (!newest || !older) throw new Error('two versions are needed');
  const places = [...older.places, ...older.places];
  const versions = [
    { ...newest, places },
    { ...older, places },
  ];
  const { objects } = followedOf('apple', { ...VERSIONS, versions });
  expect([...objects]).toEqual([['table:7', { text: 'deleted +1', isRead: true }]]);
});

it('finds the bytes of the entries', () => {
  const followed = followedOf('apple', VERSIONS);
  const tombstone = { text: 'deleted', isRead: true };
  expect([...followed.objects]).toEqual([
    ['memtable:2', tombstone],
    ['wal:3', tombstone],
    ['table:7', { text: 'green', isRead: false }],
  ]);
  expect(heldText('apple', tombstone)).toBe(
    'holds a version of apple: deleted, which a read finds',
  );
  const paths = pathsIn(followed, 'table:7');
  expect(paths).toEqual(['block:1/entry:2']);
  expect(pathsIn(followed, 'table:70')).toEqual([]);
  expect(isOfEntry(paths, 'block:1/entry:2/key:1')).toBe(true);
  expect(isOfEntry(paths, 'block:1/entry:21/key:1')).toBe(false);
  expect(isOfEntry(paths, 'block:2/entry:2/key:1')).toBe(false);
  expect(isOfEntry(paths, 'block:1/compressed:1')).toBe(true);
});

it('lists tables that cannot be read, and what comes after them', async () => {
  const [, older] = VERSIONS.versions;
  if (!older) throw new Error('a version is needed');
  const why = '000006.sst: its footer has another checksum';
  const versions = {
    ...VERSIONS,
    versions: [{ ...older, snapshot: null, verdict: { is: 'unreached' as const, table: 6 } }],
    without: [{ level: 0, table: 6, maybe: null, unread: why }],
  };
  render(
    <Offers ask={asking(() => ({ key: 'apple', versions }))}>
      <Following followed="apple">
        <FollowTab />
      </Following>
    </Offers>,
  );
  expect(await screen.findByText('◇ not reached past table 6')).toBeVisible();
  expect(screen.getByText(/its footer has another checksum/)).toBeVisible();
});
