import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Lens } from '../../lens/lens';
import { QUESTIONS } from '../../lens/lens.generated';
import { OpenLens } from '../../testing/OpenLens';
import { fixtureSource, openedLens, realLens } from '../../testing/realLens';
import { blobOf } from '../../testing/slices';

async function shown(fixture: string) {
  const lens = await openedLens(fixture);
  const user = userEvent.setup();
  const onLeave = vi.fn();
  render(<OpenLens {...{ lens, onLeave }} />);
  const tab = (name: string) =>
    user.click(screen.getByRole('tab', { name: new RegExp(`^${name}`) }));
  return { lens, user, onLeave, tab };
}

const picture = () => screen.findByRole('listbox', { name: /^Levels of the family/ });
const table = async (number: number) =>
  within(await picture()).findByRole('option', { name: new RegExp(`^table ${number} `) });
const details = () => screen.getByRole('complementary', { name: 'Details' });
/** The sentence of the step, once it is the one that is waited for. */
async function sentence(text: RegExp): Promise<HTMLElement> {
  const words = ({ textContent }: Element) => textContent?.replace(/\s+/g, ' ') ?? '';
  return screen.findByText(
    (_, element) => element?.className === 'sentence' && text.test(words(element)),
  );
}

describe('the header', () => {
  it('names the engine of the database, how that was recognized, how large it is and whether it is sound', async () => {
    const { onLeave, user } = await shown('m_levels');
    expect(screen.getByRole('heading', { name: 'RocksDB m_levels' })).toBeVisible();
    expect(screen.getByText('220.4 KiB in 18 files')).toBeVisible();
    expect(screen.getByRole('button', { name: /not checked/ })).toBeVisible();
    expect(screen.getByText('Nothing is written, no byte leaves this page')).toBeVisible();
    await user.click(screen.getByText('recognized by'));
    expect(screen.getByText(/4 signs/)).toBeVisible();
    expect(
      screen.getByText('OPTIONS-000007 was written by RocksDB, version 11.8.1.'),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Playground/ }));
    expect(onLeave).toHaveBeenCalledOnce();
  });

  it('leads from a problem to the list of problems', async () => {
    const { user } = await shown('d_table_missing');
    await user.click(screen.getByRole('button', { name: /^1 problem/ }));
    expect(screen.getByRole('tab', { name: /^Problems/ })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText(/1 problem .*was found so far/)).toBeVisible();
  });
});

describe('the levels', () => {
  it('show every table of the last step with its keys, its size and its tombstones', async () => {
    await shown('m_levels');
    expect(await table(52)).toHaveAccessibleName(
      'table 52 in L0, user:000002 to user:000898, 6.2 KiB, 14 % of its entries are tombstones',
    );
    const tables = within(await picture()).getAllByRole('option', { name: /^table / });
    expect(tables).toHaveLength(11);
    const logs = within(await picture()).getByRole('option', { name: /^000051\.log/ });
    expect(logs).toHaveAccessibleName(
      '000051.log · 20 entries · 1.2 KiB, it ends after a whole record',
    );
  });

  it('go back and forward along the history, by keys and by buttons, and describe each step', async () => {
    const { user } = await shown('m_levels');
    await sentence(/^Step 34 of 0 – 34 Bookkeeping: no table changed/);
    await user.keyboard('{PageUp}');
    expect(await sentence(/^Step 33 of 0 – 34/)).toHaveTextContent('A flush wrote 1 table to L0');
    expect(screen.getByText('Manual Flush')).toBeVisible();
    await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await sentence(/^Step 23 of 0 – 34/);
    await user.click(screen.getByRole('button', { name: 'First step' }));
    expect(await sentence(/^Step 0 of 0 – 34/)).toHaveTextContent('begins with an empty database');
    await user.click(screen.getByRole('button', { name: 'Last step' }));
    await sentence(/^Step 34 of 0 – 34/);
    await user.keyboard('{Home}{ArrowRight}{ArrowRight}');
    await sentence(/^Step 2 of 0 – 34/);
    expect(await table(9)).toHaveAccessibleName(/new in this step/);
  });

  it('are those of the step and the family that a terminal chooses, and nothing is selected then', async () => {
    const { lens, user } = await shown('c_families');
    await user.click((await screen.findAllByRole('option', { name: /^L0/ }))[0]!);
    expect(await within(details()).findByRole('heading', { name: /^L0/ })).toBeVisible();
    await act(() => lens.run('family größe; goto 3'));
    await sentence(/^Step 3 of/);
    expect(screen.getByLabelText('Column family')).toHaveValue('4');
    expect(await within(details()).findByRole('heading', { name: /^größe/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Return to the last step' }));
    expect(lens.cursor.get()).toEqual({ family: 4, step: null });
  });

  it('mark what a compaction took out of a level', async () => {
    const { user } = await shown('m_levels');
    await jump(user, 'step', '6');
    await sentence(/^Step 6 of 0 – 34 A compaction merged 2 tables into 2 tables in L1/);
    const gone = await screen.findAllByText(/left the level in this step$/);
    expect(gone.map((title) => title.textContent)).toEqual([
      'table 11 left the level in this step',
      'table 9 left the level in this step',
    ]);
  });

  it('report once that the history before a rolled manifest was not kept', async () => {
    const { user } = await shown('h_manifest_rolled');
    await sentence(/^Step \d+ of/);
    await user.keyboard('{Home}');
    const words = await sentence(/^Step 0 of/);
    expect(words.textContent?.match(/was not kept/g)).toHaveLength(1);
  });

  it('lead to an edit, a table and a time', async () => {
    const { user } = await shown('m_levels');
    await sentence(/^Step 34 of 0 – 34 Bookkeeping: no table changed/);
    await jump(user, 'edit', '16');
    await sentence(/^Step 12 of 0 – 34 A trivial move took 4 tables from L1 to L2/);
    await jump(user, 'time', '2026-11-22 02:44:31.25');
    await sentence(/^Step 9 of 0 – 34/);
    await jump(user, 'edit', '99');
    expect(screen.getByRole('alert')).toHaveTextContent('There is no edit 99.');
    await jump(user, 'table', '18');
    expect(await within(details()).findByText('moved from L1 to L2')).toBeVisible();
    await user.click(await within(details()).findByRole('button', { name: 'step 25' }));
    await sentence(/^Step 25 of 0 – 34/);
  });

  it('show everything about a table, its life and what lies below it', async () => {
    const { user } = await shown('m_levels');
    await user.click(await table(45));
    const facts = within(details());
    expect(await facts.findByRole('heading', { name: '000045.sst L1' })).toBeVisible();
    expect(await facts.findByText('8, 17 % of the entries')).toBeVisible();
    expect(await facts.findByText('651 – 798')).toBeVisible();
    expect(await facts.findByText('born in L1')).toBeVisible();
    await user.click(facts.getAllByRole('button', { name: 'hex' })[0]!);
    expect(await facts.findByText('757365723a303030303130')).toBeVisible();
    await user.click(facts.getByRole('button', { name: 'What covers its first key?' }));
    expect(
      await screen.findByText(/^Key "user:000010" of family "default" is covered/),
    ).toBeVisible();
  });

  it('are walked through with the arrow keys, as one tab stop', async () => {
    const { user } = await shown('m_levels');
    const stage = await picture();
    stage.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const chosen = stage.getAttribute('aria-activedescendant');
    expect(document.getElementById(chosen ?? '')).toHaveAccessibleName(/L0/);
    await user.keyboard('{ArrowRight}{Enter}');
    expect(await within(details()).findByRole('heading', { name: '000052.sst L0' })).toBeVisible();
    // It is opened in its place, and closed before the selection is cleared.
    await within(stage).findByRole('option', { name: /^block 2, \d+ entries, user/ });
    expect(within(stage).getByRole('option', { name: 'properties' })).toBeVisible();
    await user.keyboard('{ArrowRight}{Enter}');
    const entries = { name: /, put, sequence number \d+/ };
    expect((await within(stage).findAllByRole('option', entries)).length).toBeGreaterThan(0);
    const values = [...stage.querySelectorAll('.value')].map(({ textContent }) => textContent);
    expect(values[0]).toBe('apple-30…');
    await user.keyboard('{Escape}{Escape}{Escape}');
    expect(await within(details()).findByRole('heading', { name: /^default/ })).toBeVisible();
  });

  it('open a table by a double click, also before the page has drawn what is under the pointer', async () => {
    await shown('m_levels');
    // No event of the pointer comes before it.
    fireEvent.doubleClick(await table(45));
    const way = await screen.findByRole('navigation', { name: 'The way to what is opened' });
    expect(within(way).getAllByRole('button').at(-1)).toHaveTextContent('table 45');
  });

  it('are tables of text, too, shaded by what is asked for', async () => {
    const { user } = await shown('b_blob_garbage');
    await user.click(screen.getByRole('radio', { name: 'age' }));
    expect(await screen.findByText(/^the newest/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'As table' }));
    const blobs = screen.getByRole('table', { name: 'Blob files' });
    expect(within(blobs).getByText('9.4 KiB, 67 %')).toBeVisible();
    expect(screen.getByRole('table', { name: /^L6/ })).toBeVisible();
  });

  it('show how large every level may be, or why that is not known', async () => {
    const { user } = await shown('m_levels');
    const level = async (name: string) =>
      user.click(
        await within(await picture()).findByRole('option', { name: new RegExp(`^${name},`) }),
      );
    await level('L0');
    expect(
      await within(details()).findByText(
        'no target: level 0 is compacted by the number of its tables',
      ),
    ).toBeVisible();
    const filled = within(await picture()).getAllByRole('option', { name: /^L[1-9], / });
    expect(filled.length).toBeGreaterThan(1);
    for (const each of filled) expect(each).toHaveAccessibleName(/ of \d+\.\d [KM]iB$/);
  });

  it('speak of column families only where the engine has them', async () => {
    const { user, tab } = await shown('l_history');
    expect(await screen.findByRole('listbox', { name: /^Levels of the database/ })).toBeVisible();
    expect(await within(details()).findByRole('heading', { name: 'The database' })).toBeVisible();
    for (const name of ['Levels', 'Read', 'Problems', 'Files', 'Bytes']) {
      await tab(name);
      await screen.findByRole('tab', { name: new RegExp(`^${name}`), selected: true });
      const titles = [...document.querySelectorAll('[title]')].map((one) =>
        one.getAttribute('title'),
      );
      expect(`${document.body.textContent} ${titles.join(' ')}`, name).not.toMatch(/famil/i);
    }
    await tab('Questions');
    await user.click(screen.getByRole('button', { name: /Which tables cover/ }));
    expect(screen.queryByLabelText('Column family')).toBeNull();
    expect(screen.getByPlaceholderText('any key')).toBeVisible();
  });

  it('offer the choice of a family only where it changes something', async () => {
    const { tab } = await shown('c_families');
    for (const [name, isThere] of [
      ['Levels', true],
      ['Read', true],
      ['Problems', true],
      ['Files', false],
      ['Bytes', false],
    ] as const) {
      await tab(name);
      expect(screen.queryAllByLabelText('Column family'), name).toHaveLength(isThere ? 1 : 0);
    }
  });

  it('explain the signs, in the picture and in the history', async () => {
    await shown('m_levels');
    await sentence(/^Step 34 of 0 – 34 Bookkeeping/);
    const words = (name: string) =>
      within(screen.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent?.trim());
    expect(words('Signs of the picture')).toContain('× tombstones');
    expect(words('Signs of the history')).toEqual([
      'snapshot',
      'flush',
      'trivial move',
      'compaction',
      'bytes written',
    ]);
  });

  it('have logs and blob files apart from the key axis', async () => {
    await shown('b_blob_garbage');
    const stage = await picture();
    const axis = stage.querySelector('.axis-line');
    const y = Number(axis?.getAttribute('y1'));
    const [logs, blobs] = within(stage).getAllByText('no key range');
    expect(Number(logs?.getAttribute('y'))).toBeLessThan(y);
    expect(Number(blobs?.getAttribute('y'))).toBeGreaterThan(y);
  });

  it('are those of the family that was chosen', async () => {
    const { user } = await shown('c_families');
    await user.selectOptions(screen.getByLabelText('Column family'), '4');
    expect(await within(details()).findByRole('heading', { name: /^größe/ })).toBeVisible();
    expect(
      await screen.findByRole('option', { name: /^000016.log · 40 entries/ }),
    ).toBeInTheDocument();
  });
});

async function jump(user: ReturnType<typeof userEvent.setup>, goal: string, to: string) {
  await user.selectOptions(screen.getByLabelText('Go to'), goal);
  const field = screen.getByLabelText(/^(Number of|Time)/);
  await user.clear(field);
  await user.type(field, `${to}{Enter}`);
}

describe('before a directory is open', () => {
  function start(): { lens: Lens; user: ReturnType<typeof userEvent.setup> } {
    const lens = realLens();
    render(<OpenLens lens={lens} />);
    return { lens, user: userEvent.setup() };
  }

  it('there are ways to choose one, and the questions that it answers', () => {
    start();
    expect(screen.getByRole('button', { name: 'Choose a directory …' })).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(QUESTIONS.length);
  });

  it('a directory that opens shows its progress, and can be stopped', async () => {
    const { user, lens } = start();
    const listing = lens.openListed('mydb', (onListed) => {
      onListed(64);
      return new Promise(() => {});
    });
    expect(listing).toBeInstanceOf(Promise);
    expect(await screen.findByText('64 files listed')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('Opening mydb …');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByRole('button', { name: 'Choose a directory …' })).toBeVisible();
    expect(screen.queryByText(/Opening/)).toBeNull();
  });

  it('a failure is reported, and another directory can be chosen', async () => {
    const { user, lens } = start();
    window.location.hash = '#directory/pebble';
    await user.click(screen.getByRole('link', { name: 'Pebble' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('the server answered 404');
    await lens.open(fixtureSource('p_history'));
    expect(await screen.findByRole('heading', { name: 'Pebble p_history' })).toBeVisible();
  });

  it('an archive that is none is reported as one that cannot be read', async () => {
    const { user } = start();
    const bad = new File([new Uint8Array(300)], 'bad.zip');
    bad.arrayBuffer = async () => new ArrayBuffer(300);
    bad.slice = () => blobOf(new Uint8Array(300));
    await user.upload(screen.getByLabelText('Archive to open'), bad);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      '▲ bad.zip could not be opened: The archive cannot be read: it has no end, so it was cut off or is no zip archive.',
    );
  });

  it('files of no engine are listed, without levels and questions', async () => {
    const { lens, user } = start();
    const files = ['a', 'b'].map((path) => ({ path, file: blobOf(new Uint8Array(3)) }));
    await lens.open({ kind: 'files', name: 'the files', files });
    expect(await screen.findByRole('heading', { name: 'Files the files' })).toBeVisible();
    const tabs = screen.getAllByRole('tab').map((tab) => tab.textContent);
    expect(tabs).toEqual(['Read', 'Problems1', 'Files', 'Bytes']);
    expect(screen.getByText('2 files, none of a known format.')).toBeVisible();
    expect(screen.getByRole('row', { name: /^a other 3 B/ })).toHaveTextContent('no known format');
    await user.click(screen.getByRole('tab', { name: /^Problems/ }));
    expect(
      screen.getByText(/nothing here is of a known format: files of Levelscope/),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Check all checksums' }));
    expect(await screen.findByText(/: nothing was checked\.$/)).toBeVisible();
  });

  it('one of several databases is chosen', async () => {
    const { user, lens } = start();
    const [first, second] = [fixtureSource('m_fifo'), fixtureSource('m_levels')];
    if (first.kind !== 'files' || second.kind !== 'files') throw new Error('No files.');
    await lens.open({ kind: 'files', name: 'both', files: [...first.files, ...second.files] });
    await user.click(await screen.findByRole('button', { name: 'm_fifo/' }));
    expect(await screen.findByRole('heading', { name: 'RocksDB m_fifo' })).toBeVisible();
  });
});
