// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QUESTIONS } from '../../lens/lens.generated';
import { OpenLens } from '../../testing/OpenLens';
import { openedLens } from '../../testing/realLens';
import { saveFile } from '../shared/saveFile';

vi.mock('../shared/saveFile', () => ({ saveFile: vi.fn() }));

beforeEach(() => vi.mocked(saveFile).mockClear());

/** The page of a fixture, with one of its tabs open. */
async function shown(fixture: string, tab: string) {
  const lens = await openedLens(fixture);
  const user = userEvent.setup();
  render(<OpenLens lens={lens} />);
  await user.click(screen.getByRole('tab', { name: new RegExp(`^${tab}`) }));
  return { lens, user };
}

const words = (element: HTMLElement) => element.textContent?.replace(/\s+/g, ' ') ?? '';

describe('the questions', () => {
  it.each(QUESTIONS)('$text is answered with a sentence and figures', async ({ text }) => {
    const { user } = await shown('h_history', 'Questions');
    await user.click(screen.getByRole('button', { name: new RegExp(escaped(text)) }));
    const report = await screen.findByRole('article', { name: text });
    expect(await within(report).findByRole('heading', { name: text })).toBeVisible();
    expect(within(report).getByRole('status')).toHaveTextContent(/\.$/);
  });

  it('draw curves with their triggers, bars and spans of time', async () => {
    const { user } = await shown('h_history', 'Questions');
    expect(await screen.findByText('Files in level 0', { selector: 'figcaption' })).toBeVisible();
    expect(screen.getByText('compaction trigger 4')).toBeInTheDocument();
    const spans = screen.getByRole('img', { name: /^Compactions from level 0/ });
    expect(spans.querySelectorAll('rect')).toHaveLength(5);
    expect(spans).toHaveTextContent('LevelL0FilesNum to level 1, 97.0 ms');
    await user.click(screen.getByRole('button', { name: /I deleted data/ }));
    const figure = (await screen.findByText('Share of tombstones by table')).closest('figure');
    expect(words(figure!)).toContain('24 %');
  });

  it('lead from a row to its step and to its table', async () => {
    const { user } = await shown('h_history', 'Questions');
    await user.click(await screen.findByRole('button', { name: '29' }));
    expect(screen.getByRole('tab', { name: 'Levels' })).toHaveAttribute('aria-selected', 'true');
    expect(await screen.findByText(/^Step 29/)).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Questions' }));
    await user.click(screen.getByRole('button', { name: /I deleted data/ }));
    await user.click(await screen.findByRole('button', { name: '130' }));
    expect(await screen.findByRole('heading', { name: /table 130|000130/ })).toBeVisible();
  });

  it('are saved as CSV', async () => {
    const { user } = await shown('h_history', 'Questions');
    await user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    await vi.waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
    const [name, content] = vi.mocked(saveFile).mock.calls[0]!;
    expect(name).toBe('level0.csv');
    expect(await textOf(content)).toMatch(/^step,family,kind,files in level 0,/);
  });

  it('can be about one key, typed as text or as digits', async () => {
    const { user } = await shown('m_levels', 'Questions');
    await user.click(screen.getByRole('button', { name: /Which tables cover/ }));
    await user.type(await screen.findByLabelText('About the key'), 'user:000300');
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    expect(
      await screen.findByText(/^Key "user:000300" of family "default" is covered by 3 tables/),
    ).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'About the key as hex' }));
    expect(screen.getByLabelText('About the key')).toHaveValue('757365723a303030333030');
    await user.type(screen.getByLabelText('About the key'), 'x');
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    expect(screen.getByRole('alert')).toHaveTextContent('two for each byte');
  });
});

describe('the choice of a column family among the questions', () => {
  it('is there for questions about a key only, which is looked for in that family', async () => {
    const { user } = await shown('c_families', 'Questions');
    expect(await screen.findByRole('status')).toBeVisible();
    expect(screen.queryByLabelText('Column family')).toBeNull();
    await user.click(screen.getByRole('button', { name: /Which tables cover/ }));
    await user.selectOptions(screen.getByLabelText('Column family'), '4');
    expect(screen.getByLabelText('About the key')).toHaveAttribute(
      'placeholder',
      'any key of any family',
    );
    await user.type(screen.getByLabelText('About the key'), 'user:000300');
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    expect(await screen.findByText(/^Key "user:000300" of family "größe" /)).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Why are logs/ }));
    expect(screen.queryByLabelText('Column family')).toBeNull();
  });
});

const escaped = (text: string) => text.replace(/[?.]/g, '\\$&');

/** The text of a file that is to be saved; what tests know as a file cannot be read as a whole. */
function textOf(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsText(content);
  });
}

describe('reading', () => {
  it('scans live entries, and lists the entries that it skipped', async () => {
    const { user } = await shown('e_range_deletions', 'Read');
    expect(await screen.findByText('50 live entries')).toBeVisible();
    const passed = screen.getByText(/hidden by range deletions/);
    expect(words(passed)).toBe(' 17 hidden by range deletions (24 %)');
    expect(screen.getByRole('row', { name: /user:000005 fig-85 19 415 logs/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Go on from/ }));
    expect(await screen.findByText(/live entr/)).toBeVisible();
    expect(screen.queryByRole('row', { name: /user:000005/ })).toBeNull();
  });

  it('looks one key up: every place in order, every read to scale', async () => {
    const { user } = await shown('m_levels', 'Read');
    await user.click(screen.getByRole('radio', { name: 'get one key' }));
    await user.type(screen.getByLabelText('Key'), 'user:000300{Enter}');
    expect(await screen.findByText('has no value at this sequence number')).toBeVisible();
    const stops = [...document.querySelectorAll('.stops > li > p')].map((stop) =>
      words(stop as HTMLElement),
    );
    expect(stops).toEqual([
      'logs · nothing The key is not in it.',
      expect.stringMatching(/^L0 table 52 · nothing The key is not in it\. 2 reads, /),
      expect.stringMatching(/^L1 table 46 · nothing /),
      expect.stringMatching(/^L3 table 36 · nothing /),
    ]);
    const bars = [...document.querySelectorAll<HTMLElement>('.lens-read-bar')];
    // The longest file sets the scale.
    expect(bars.map((bar) => bar.style.width).filter((width) => width === '100%')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'L0 table 52' }));
    expect(await screen.findByRole('heading', { name: '000052.sst L0' })).toBeVisible();
  });

  it('reads at an older sequence number', async () => {
    const { user } = await shown('m_levels', 'Read');
    await user.click(screen.getByRole('radio', { name: 'get one key' }));
    await user.type(screen.getByLabelText('Key'), 'user:000002');
    await user.click(screen.getByRole('button', { name: 'Get' }));
    expect(await screen.findByText(/sequence 883, found in logs/)).toBeVisible();
    await user.type(screen.getByLabelText('at sequence number'), '880{Enter}');
    expect(await screen.findByText(/sequence 8\d\d, found in L0 table 52/)).toBeVisible();
    await user.type(screen.getByLabelText('at sequence number'), 'x{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('Type a number, or nothing.');
  });

  it('shows columns, timestamps and merged values as they are', async () => {
    await shown('e_wide_columns', 'Read');
    const row = await screen.findByRole('row', { name: /^user:000001/ });
    expect(words(row)).toContain('default columnbanana-17 78age1name');
  });

  it('shows timestamps', async () => {
    await shown('e_timestamps', 'Read');
    expect(await screen.findByRole('columnheader', { name: 'timestamp' })).toBeVisible();
    expect(screen.getByRole('row', { name: /user:000001 olive-238 .* 69 400 logs/ })).toBeVisible();
  });

  it('shows bytes that are no text as text only', async () => {
    await shown('e_odd_keys', 'Read');
    expect(await screen.findByText(/live entr/)).toBeVisible();
    const keys = [...document.querySelectorAll('.lens-entries th code')].map(
      (key) => key.textContent,
    );
    expect(keys).toContain('""');
    expect(keys.some((key) => key?.includes('\\x00'))).toBe(true);
  });
});

describe('problems', () => {
  it('are found by a check, with the file, the place and the keys', async () => {
    const { user } = await shown('d_table_flip', 'Problems');
    expect(screen.getByText(/A check compares every checksum/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Check all checksums' }));
    expect(
      await screen.findByText('1 problem was found: every checksum was compared.'),
    ).toBeVisible();
    const line = screen.getByText(/wrong xxh3/).closest('li') as HTMLElement;
    expect(words(line)).toMatch(
      /damaged000010\.sst at offset 0: the block of 694 bytes has a wrong xxh3 checksum/,
    );
    expect(words(line)).toContain('family default, L6, keys user:000000 to user:000011');
    expect(screen.getByRole('button', { name: '1 problem' })).toBeVisible();
  });

  it('are listed as soon as a read has met them', async () => {
    const { user } = await shown('d_blob_flip', 'Read');
    await user.click(await screen.findByRole('radio', { name: 'get one key' }));
    await user.type(screen.getByLabelText('Key'), 'user:000000');
    await user.click(screen.getByRole('button', { name: 'Get' }));
    expect(await screen.findByRole('button', { name: '1 problem' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: /^Problems/ }));
    expect(await screen.findByText(/^1 problem was found so far/)).toBeVisible();
  });

  it('lead to the byte that is damaged', async () => {
    const { lens, user } = await shown('d_blob_flip', 'Problems');
    await user.click(screen.getByRole('button', { name: 'Check all checksums' }));
    await user.click(await screen.findByRole('button', { name: 'Bytes of 000013.blob' }));
    expect(lens.place.get()).toEqual({ address: '@000013.blob/bytes:30-30' });
  });

  it('count in the answers after the check, and are marked in the levels', async () => {
    const { user } = await shown('d_table_flip', 'Questions');
    const damage = { name: /Which files are damaged or missing/ };
    await user.click(screen.getByRole('button', damage));
    expect(await screen.findByText(/^No damage was found in the parts read so far/)).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Levels' }));
    expect(await screen.findByRole('option', { name: /^table 10 in L6/ })).not.toHaveClass(
      'is-damaged',
    );
    await user.click(screen.getByRole('tab', { name: /^Problems/ }));
    await user.click(screen.getByRole('button', { name: 'Check all checksums' }));
    await screen.findByText(/^1 problem was found/);
    await user.click(screen.getByRole('tab', { name: 'Questions' }));
    await user.click(screen.getByRole('button', damage));
    expect(
      await screen.findByText(/^Table 10 in level 6 of family "default" is damaged at offset 0/),
    ).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Levels' }));
    const table = await screen.findByRole('option', { name: /table 10.*damaged$/ });
    expect(table).toHaveClass('is-damaged');
    await user.click(table);
    expect(screen.getByText(/^▲ The file is damaged: Problems lists the place/)).toBeVisible();
  });

  it('are none in a sound directory, also when every entry is decoded', async () => {
    const { user } = await shown('m_levels', 'Problems');
    await user.click(screen.getByRole('button', { name: 'Check every entry' }));
    expect(
      await screen.findByText(
        /^No damage.* was found: every checksum was compared and every entry decoded\.$/,
      ),
    ).toBeVisible();
  });

  it('leave a copy of the live entries as a table', async () => {
    const { user } = await shown('m_levels', 'Problems');
    await user.click(screen.getByRole('button', { name: 'Save “default” as a table (.sst)' }));
    expect(await screen.findByText(/^default\.sst, .* RocksDB ingests it/)).toBeVisible();
    const [name, table] = vi.mocked(saveFile).mock.calls[0]!;
    expect(name).toBe('default.sst');
    expect(table.size).toBeGreaterThan(1000);
  });
});

describe('the files', () => {
  it('are listed with what they are and whether they count', async () => {
    await shown('m_levels', 'Files');
    const row = screen.getByRole('row', { name: /^000052\.sst table/ });
    expect(words(row)).toMatch(/✓ yesa table of a level$/);
    expect(screen.getAllByRole('row')).toHaveLength(19);
  });
});
