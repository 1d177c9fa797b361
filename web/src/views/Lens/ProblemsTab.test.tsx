import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { LensError } from '../../lens/failure';
import type { Lens } from '../../lens/lens';
import type { ExportForm, ExportPolicy } from '../../lens/protocol';
import { BYTES_MAX } from '../../model/engine.generated';
import type { ForeignFile } from '../../share/foreign';
import { ProblemsTab } from './ProblemsTab';
import type { FamilyLine, Problem, Severity } from './scene/answers';

const problem = (severity: Severity, at: number): Problem => ({
  file: 'a.sst',
  offset: at,
  severity,
  state: 'damaged',
  message: 'It is damaged.',
  family: null,
  level: null,
  keys: null,
});

const family = {
  id: 0,
  name: 'default',
  comparator: 'leveldb.BytewiseComparator',
} as FamilyLine;

/** The tab of a directory in which nothing was found or done yet, but for `props`. */
function shown(props: Partial<ComponentProps<typeof ProblemsTab>>): void {
  const untouched = { lens: {} as Lens, family, work: null, problems: [], found: null };
  render(<ProblemsTab {...untouched} onFound={() => {}} {...props} />);
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const made = (losses: readonly string[] = []) => ({ table: new Blob(['made']), losses });

describe('a table that cannot hold everything', () => {
  it('is made without the rest when a person asks for that', async () => {
    const user = userEvent.setup();
    const why = 'Not everything can be carried over: 2 entries lose columns.';
    const exportTable = vi.fn(async (_: number, { lossy }: ExportPolicy, form: ExportForm) => {
      if (!lossy) throw new LensError('lossy', why);
      return made([`2 entries of the ${form} with the default column only`]);
    });
    URL.createObjectURL = () => 'blob:1';
    URL.revokeObjectURL = () => {};
    shown({ lens: { exportTable } as unknown as Lens });
    await user.click(button(/^Save “default” as a table/));
    expect(await screen.findByRole('alert')).toHaveTextContent(`Nothing was saved. ${why}`);
    await user.click(button('Save the table with these losses'));
    expect(await screen.findByText(/of the table with the default column only$/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(exportTable.mock.calls.map(([, { lossy }]) => lossy)).toEqual([false, true]);
    expect(screen.queryByRole('button', { name: /playground/ })).toBeNull();
  });
});

describe('the entries for the playground', () => {
  const open = () => button('Open the entries in the playground');

  it('are a log with the name of the family, whole unless a person chooses otherwise', async () => {
    const user = userEvent.setup();
    const exportTable = vi.fn(async (_: number, { lossy }: ExportPolicy, _form: ExportForm) => {
      if (!lossy) throw new LensError('lossy', '2 entries lose columns.');
      return made();
    });
    const onBranch = vi.fn();
    shown({ lens: { exportTable } as unknown as Lens, onBranch });
    await user.click(open());
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Nothing was opened. 2 entries lose columns.',
    );
    expect(onBranch).not.toHaveBeenCalled();
    await user.click(button('Open the entries with these losses'));
    await waitFor(() => expect(onBranch).toHaveBeenCalledOnce());
    const [[[log]]] = onBranch.mock.calls as [[[ForeignFile]]];
    expect([log.name, new TextDecoder().decode(log.bytes)]).toEqual(['default.db', 'made']);
    expect(exportTable.mock.calls.map(([, , form]) => form)).toEqual(['log', 'log']);
  });

  it('are not opened when they are too large', async () => {
    const user = userEvent.setup();
    const table = Object.defineProperty(new Blob(), 'size', { value: BYTES_MAX + 1 });
    const onBranch = vi.fn();
    const exportTable = async () => ({ table, losses: [] });
    shown({ lens: { exportTable } as unknown as Lens, onBranch });
    await user.click(open());
    expect(await screen.findByText(/too large for the playground, which opens/)).toBeVisible();
    expect(onBranch).not.toHaveBeenCalled();
  });
});

describe('a table of a damaged database', () => {
  it('is made of what can be read when a person asks for that, and lists what it leaves out', async () => {
    const user = userEvent.setup();
    const exportTable = vi.fn(async (_: number, { lossy, skipDamage }: ExportPolicy) => {
      if (!skipDamage) throw new LensError('damaged', '000010.blob is missing.');
      if (!lossy) throw new LensError('lossy', '2 entries lose columns.');
      return made(['000010.blob: the file is missing']);
    });
    URL.createObjectURL = () => 'blob:1';
    URL.revokeObjectURL = () => {};
    shown({
      lens: { exportTable } as unknown as Lens,
      family: { ...family, comparator: 'rocksdb.ReverseBytewiseComparator' },
      onBranch: () => {},
    });
    await user.click(screen.getByRole('button', { name: /^Save “default” as a table/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Nothing was saved. 000010.blob is missing.',
    );
    await user.click(screen.getByRole('button', { name: 'Save what can be read' }));
    // A permission stays when another obstacle appears.
    await user.click(
      await screen.findByRole('button', { name: 'Save the table with these losses' }),
    );
    expect(await screen.findByText('000010.blob: the file is missing')).toBeVisible();
    // Its keys are not in the order that the playground reads.
    expect(screen.getByText(/reads keys in bytewise order only/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /playground/ })).toBeNull();
  });

  it('is not offered where leaving something out does not help', async () => {
    const user = userEvent.setup();
    const exportTable = async () => {
      throw new LensError('invalid', 'The order of the keys is not known.');
    };
    shown({ lens: { exportTable } as unknown as Lens });
    await user.click(screen.getByRole('button', { name: /^Save “default” as a table/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Nothing was saved\./);
    expect(screen.queryByRole('button', { name: /Save what|Save the table/ })).toBeNull();
  });
});

describe('a check that was stopped', () => {
  it.each([
    [
      { parts: 12, left: 5, next: ['table 9', 'table 7', 'blob file 3'], done: 2048, total: 4096 },
      'No damage was found so far. The check was stopped: 12 of 17 tables and blob files were checked (2.0 KiB of 4.0 KiB, the largest files first). Not checked: table 9, table 7, blob file 3 and 2 more.',
    ],
    [
      { parts: 0, left: null, next: [], done: 0, total: null },
      'No damage was found so far. The check was stopped before the first table or blob file was checked.',
    ],
  ])('lists what was checked and what not: %j', (stopped, words) => {
    shown({ found: { extent: '', stopped } });
    expect(screen.getByText(words)).toBeVisible();
  });
});

const EXTENTS = [
  'every checksum was compared',
  'every checksum was compared and every entry decoded',
];

describe('the verdict', () => {
  it('names the tables that a check did not reach', () => {
    const extent = '1 of 1 table was not checked: its index cannot be read';
    shown({ problems: [problem('not_read', 0)], found: { extent, stopped: null } });
    expect(screen.getByText(`No damage was found, but 1 remark: ${extent}.`)).toBeVisible();
  });

  it.each<[Severity[], boolean | null, string]>([
    [[], null, 'No damage was found so far. A check compares every checksum.'],
    [['error'], false, '1 problem was found: every checksum was compared.'],
    [['error', 'error'], null, '2 problems were found so far. A check compares every checksum.'],
    [['error', 'note'], false, '1 problem and 1 remark were found: every checksum was compared.'],
    [['note'], false, 'No damage was found, but 1 remark: every checksum was compared.'],
    [
      ['note', 'not_read'],
      true,
      'No damage was found, but 2 remarks: every checksum was compared and every entry decoded.',
    ],
  ])('of %j, checked: %s', (severities, deep, words) => {
    shown({
      problems: severities.map(problem),
      found: deep === null ? null : { extent: EXTENTS[deep ? 1 : 0] ?? '', stopped: null },
    });
    expect(screen.getByText(words)).toBeVisible();
  });
});
