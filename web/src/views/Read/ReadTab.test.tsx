import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { ExplainResult } from '../../model/engine.generated';
import type { ReadMoment } from '../../model/readMoment';
import { Offers } from '../../testing/Offers';
import { ReadTab } from './ReadTab';

const key = (head: string) => ({ head, bytes: head.length });

const READ: ExplainResult = {
  lookup: 'get',
  step: 12,
  key: 'kiwi',
  found: true,
  value: 'green',
  stops: [
    { stop: 'memtable', memtable: 4, comparisons: 3, hit: null },
    {
      stop: 'filtered',
      level: 0,
      table: 9,
      filter: {
        bits: 160,
        probes: 7,
        asked: [
          { bit: 12, set: true, byte: 0b00010010 },
          { bit: 131, set: false, byte: 0b00000001 },
        ],
        maybe: false,
      },
    },
    {
      stop: 'table',
      level: 1,
      table: 6,
      filter: { bits: 160, probes: 7, asked: [{ bit: 12, set: true, byte: 16 }], maybe: true },
      prefixIndex: 'none',
      searches: [
        {
          among: 'blocks',
          count: 4,
          turns: [
            { low: 0, middle: 2, high: 4, key: key('fig'), before: true, again: false },
            { low: 3, middle: 3, high: 4, key: key('lime'), before: false, again: false },
          ],
          found: 3,
        },
      ],
      blocks: [
        {
          offset: 512,
          bytes: 240,
          cached: false,
          restarts: { among: 'restarts', count: 1, turns: [], found: 0 },
          entries: [
            { offset: 0, shared: 0, key: key('kale'), sequence: 5, order: 'before' },
            { offset: 21, shared: 1, key: key('kiwi'), sequence: 9, order: 'found' },
          ],
        },
      ],
      comparisons: 4,
      hit: { sequence: 9, entry: 'put' },
      verdict: 'hit',
    },
  ],
  winner: { sequence: 9, entry: 'put' },
  outcome: 'found',
  comparisons: 7,
  blocksRead: 1,
  blocksCached: 0,
  skippedByRange: 0,
  skippedByFilter: 1,
  skippedByPrefix: 0,
};

const NOW: ReadMoment = { isCurrent: true, when: 'Step 12', step: 12, why: '' };

function start(
  read: ExplainResult | null = READ,
  moment: ReadMoment | null = NOW,
  at: number | null = null,
  revealed: number | null = null,
) {
  const offered = { select: vi.fn(), type: vi.fn(), go: vi.fn(), readStop: vi.fn() };
  const { container, unmount } = render(
    <Offers {...offered}>
      <ReadTab read={read} moment={moment} at={at} revealed={revealed} />
    </Offers>,
  );
  return { ...offered, container, unmount, user: userEvent.setup() };
}

it('fades an answer of another state, names its step, and offers it and a new answer', async () => {
  const why = 'the database has moved on to step 20';
  const { container, user, go, type } = start(READ, { ...NOW, isCurrent: false, why });
  expect(screen.getByRole('note')).toHaveTextContent(`Step 12: an earlier answer, ${why}.`);
  expect(container.querySelector('.read-old')).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Step 12' }));
  expect(go).toHaveBeenCalledWith(12);
  await user.click(screen.getByRole('button', { name: 'explain get kiwi' }));
  expect(type).toHaveBeenCalledWith('explain get kiwi');
});

it('asks again for exactly the key of the answer, whatever it is', async () => {
  for (const key of ['x; reset --yes', '0x61', 'a b', '--detail', '']) {
    const { unmount, user, type } = start({ ...READ, key });
    await user.click(screen.getByRole('button', { name: /--detail$/ }));
    expect(type).toHaveBeenCalledWith(`explain get "${key}" --detail`);
    unmount();
  }
});

it('shows the step of a current answer, and fades nothing', () => {
  const { container } = start();
  expect(screen.getByText('Step 12.')).toBeInTheDocument();
  expect(container.querySelector('.read-old')).toBeNull();
});

it('describes each stop in words, and opens the details of the one on show', async () => {
  const { user, readStop } = start(READ, NOW, 1);
  const [first, second, third] = screen.getAllByRole('listitem');
  expect(first).toHaveTextContent('memtable 4: does not have it; 3 comparisons');
  expect(second).toHaveTextContent('L0 table 9: skipped by its filter; no block');
  expect(second).toHaveAttribute('aria-current', 'step');
  expect(third).toHaveTextContent(
    'L1 table 6: has it: put, sequence 9; 4 comparisons, 1 block read',
  );
  const isOpen = (details: HTMLElement) => (details as HTMLDetailsElement).open;
  expect(screen.getAllByRole('group').map(isOpen)).toEqual([true, false]);
  await user.click(screen.getAllByRole('button', { name: 'show' })[1] as HTMLElement);
  expect(readStop).toHaveBeenCalledWith(2);
});

it('covers the result, the cost and later stops while they are predicted', () => {
  const { container } = start(READ, NOW, 1, 1);
  expect(screen.getByRole('heading')).toHaveTextContent(/^get kiwi\s*$/);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(container).not.toHaveTextContent(/green|L0 table 9|L1 table 6|key comparisons|--detail/);
  expect(container).toHaveTextContent('memtable 4: does not have it');
});

it('names the source of blocks alike at a stop and in total', () => {
  const table = READ.stops[2];
  if (table?.stop !== 'table') throw new Error('the last stop is a table');
  const blocks = table.blocks.map((block) => ({ ...block, cached: true }));
  const stops = [...READ.stops.slice(0, 2), { ...table, blocks }];
  const { container } = start({ ...READ, stops, blocksRead: 0, blocksCached: 1 });
  expect(container).toHaveTextContent('7 key comparisons, 1 block from the cache;');
  expect(screen.getAllByRole('listitem')[2]).toHaveTextContent(
    '4 comparisons, 1 block from the cache',
  );
});

it('has the bits, comparisons and entries of each stop as tables', async () => {
  const { user, select } = start();
  const index = screen.getByRole('table', { name: /Index: 4 blocks, 2 comparisons/ });
  const rows = within(index).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual(['134figyes', '444limeno']);
  const entries = screen.getByRole('table', { name: /Block at 512, 240 B, read from the file/ });
  expect(within(entries).getAllByRole('row')).toHaveLength(3);
  expect(screen.getByRole('table', { name: /2 of 7 probes, no/ })).toHaveTextContent('131');
  await user.click(screen.getByRole('button', { name: 'L1 table 6' }));
  expect(select).toHaveBeenCalledWith('table:6');
});

it.each([
  ['falsePositive', 'L1 table 6: false positive of the filter'],
  ['onlyNewer', 'L1 table 6: has only newer versions'],
  ['absent', 'L1 table 6: does not have it'],
] as const)('marks a table with the verdict %s', (verdict, words) => {
  const stops = READ.stops.map((stop) =>
    stop.stop === 'table' ? { ...stop, hit: null, verdict } : stop,
  );
  start({ ...READ, found: false, stops });
  expect(screen.getAllByRole('listitem')[2]).toHaveTextContent(words);
});

it('names a range delete that hides the key', async () => {
  const range = { begin: key('a'), end: key('z') };
  const place = { memtable: null, level: 1, table: 6 };
  const stop = { stop: 'rangeDelete' as const, ...place, sequence: 12, range };
  const { user, select } = start({ ...READ, found: false, stops: [stop] });
  const words = /^L1 table 6: range delete .* hides it; sequence 12$/;
  expect(screen.getByRole('listitem')).toHaveTextContent(words);
  await user.click(screen.getByRole('button', { name: 'L1 table 6' }));
  expect(select).toHaveBeenCalledWith('table:6');
});

it('shows how the lookup ended in the words of the engine', () => {
  const outcome = 'deleted (tombstone with sequence number 9)';
  start({ ...READ, found: false, value: null, outcome });
  expect(screen.getByRole('heading')).toHaveTextContent(outcome);
});

it('offers a lookup when there is none', async () => {
  const { user, type } = start(null, null);
  await user.click(screen.getByRole('button', { name: 'explain get apple' }));
  expect(type).toHaveBeenCalledWith('explain get apple');
});
