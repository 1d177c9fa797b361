import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Offers } from '../../testing/Offers';
import { openedLens } from '../../testing/realLens';
import { readRecords } from '../Stage/useRecords';
import { readTable } from '../Stage/useTable';
import type { Ask } from '../shared/contexts';
import { LensInspector } from './LensInspector';

/** The details of what `select` finds in the levels of a fixture. */
async function shown(
  fixture: string,
  select: (ask: Ask) => Promise<string | undefined>,
  family = 0,
) {
  const lens = await openedLens(fixture);
  const ask = lens.ask as unknown as Ask;
  const { families, steps } = await lens.ask({ ask: 'overview' });
  const selected = (await select(ask)) ?? null;
  const [onCover, onScan, onBytes] = [vi.fn(), vi.fn(), vi.fn()];
  const of = families.find(({ id }) => id === family);
  if (!of) throw new Error('no family');
  render(
    <Offers ask={ask}>
      <LensInspector
        {...{ family: of, selected, onCover, onScan, onBytes }}
        step={steps - 1}
        onStep={() => {}}
      />
    </Offers>,
  );
  return { selected, onCover, onScan, onBytes };
}

const partShown = async () => within(await screen.findByRole('region', { name: 'Selected part' }));

const entryOf = (file: string, table: string) => async (ask: Ask) => {
  const { blocks } = await readTable(ask, file, 1, new AbortController().signal);
  const { path = '', parts = [] } = blocks[0]?.inner ?? {};
  return parts[0] && `${table}/${path}/${parts[0].kind}:${parts[0].number}`;
};

const recordOf = (file: string) => async (ask: Ask) => {
  const { part, path } = (await readRecords(ask, file)).records.at(-1) ?? {};
  return part && `${file}/${path}/${part.kind}:${part.number}`;
};

describe('the details of an entry', () => {
  it('have its key, its number, its value and its place, and lead to its bytes', async () => {
    const user = userEvent.setup();
    const { selected, onBytes, onCover, onScan } = await shown(
      'm_levels',
      entryOf('@000052.sst', 'table:52'),
    );
    const part = await partShown();
    expect(part.getByRole('heading')).toHaveTextContent(/^entry (put|delete)$/);
    const facts = part
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(facts).toEqual([
      ['Key', 'user:000002 hex'],
      ['Sequence', expect.stringMatching(/^[\d,]+$/)],
      ['Value', expect.stringMatching(/^.+$/)],
      ['In', expect.stringMatching(/^000052\.sst, data blocks, data block 1, .*entries$/)],
      ['Place', '82 B at offset 0'],
    ]);
    await user.click(part.getByRole('button', { name: 'Its bytes' }));
    expect(onBytes).toHaveBeenCalledWith(`000052.sst${selected?.replace(/^table:52/, '')}`);
    await user.click(part.getByRole('button', { name: 'What covers its key?' }));
    expect(onCover).toHaveBeenCalledWith('757365723a303030303032');
    await user.click(part.getByRole('button', { name: 'Read from its key' }));
    expect(onScan).toHaveBeenCalledWith('757365723a303030303032');
    // Its table follows.
    expect(screen.getByRole('heading', { name: /^000052.sst/ })).toBeVisible();
  });

  it('name the family of a record', async () => {
    await shown('b_blob_files', recordOf('@000028.log'));
    const part = await partShown();
    expect(part.getByText('Family').nextElementSibling).toHaveTextContent('0');
  });

  it('have the length of a value that was not read', async () => {
    await shown('b_blob_files', recordOf('@000030.blob'));
    const part = await partShown();
    expect(part.getByText('Value').nextElementSibling).toHaveTextContent(/B, not read$/);
  });

  it('are those of the part, where it is no entry', async () => {
    await shown('m_levels', async (ask) => {
      const { others } = await readTable(ask, '@000052.sst', 1, new AbortController().signal);
      return `table:52/${others.at(-1)?.path}`;
    });
    const part = await partShown();
    expect(part.getByRole('heading')).toHaveTextContent('footer');
    expect(part.getByText('In').nextElementSibling).toHaveTextContent('000052.sst');
  });

  it('are those of its table where the picture has counted a block', async () => {
    await shown('m_levels', async () => 'table:52/block:1');
    await screen.findByText('000052.sst');
    expect(screen.queryByText(/no node/)).toBeNull();
    expect(screen.queryByRole('region', { name: 'Selected part' })).toBeNull();
  });
});
