import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Damages } from '../../model/damage';
import type { Query } from '../../model/engine.generated';
import { EMPTY_VIEW } from '../../model/reduce';
import { answers, type SampleFile, sampleTable } from '../../testing/bytes';
import { giveHeights } from '../../testing/heights';
import { Offers } from '../../testing/Offers';
import { asking } from '../../testing/queries';
import { BytesView } from './BytesView';

giveHeights();

function start(file: SampleFile, first: string | null = 'table:12', damages: Damages = new Map()) {
  const selected: (string | null)[] = [];
  const types = vi.fn();
  const close = vi.fn();
  let answer = answers(file);
  const silence = (message: string) => {
    answer = () => {
      throw new Error(message);
    };
  };
  let next: () => void = () => {};
  const asked: Query[] = [];
  const ask = asking((query) => {
    asked.push(query);
    return answer(query);
  });
  let choose: (selection: string | null) => void = () => {};
  function Harness() {
    const [selection, setSelection] = useState(first);
    const [asTable, setAsTable] = useState(false);
    const [moment, setMoment] = useState(1);
    next = () => setMoment((old) => old + 1);
    choose = (next) => {
      selected.push(next);
      setSelection(next);
    };
    return (
      <>
        <button type="button" onClick={() => setAsTable(true)}>
          twin
        </button>
        <Offers moment={String(moment)} ask={ask} select={choose} type={types} closeFull={close}>
          <BytesView page={{ view: EMPTY_VIEW, selection, damages }} asTable={asTable} />
        </Offers>
      </>
    );
  }
  render(<Harness />);
  return {
    user: userEvent.setup(),
    selected,
    types,
    close,
    asked,
    silence,
    again: () => act(() => next()),
    choose: (s: string) => act(() => choose(s)),
  };
}

const tree = () => screen.getByRole('tree', { name: 'Parts of the file' });
const grid = () => screen.findByRole('grid', { name: /^Bytes of/ });
const item = (name: RegExp) => within(tree()).findByRole('treeitem', { name });
const cell = (offset: number) => document.getElementById(`hex-${offset}`) as HTMLElement;
const marked = (mark: string) =>
  [...document.querySelectorAll(`[role=gridcell].${mark}`)].map((byte) =>
    Number((byte as HTMLElement).dataset.o),
  );
const range = (from: number, end: number) =>
  Array.from({ length: end - from }, (_, index) => from + index);

describe('the byte inspector', () => {
  it('marks the flipped byte wherever it is drawn, with a word', async () => {
    const damage = { file: '000012.sst', offset: 5, mask: 4, step: 9 };
    start(sampleTable(), 'table:12', new Map([['table:12', [damage]]]));
    await item(/^data block 1.*, damaged$/);
    expect(marked('flipped')).toEqual([5]);
    const ribbon = screen.getByRole('listbox', { name: /^The file 000012.sst/ });
    expect(within(ribbon).getAllByRole('option', { name: /, damaged$/ })).toHaveLength(1);
    expect(screen.getByText('▲ Damaged.').parentElement).toHaveTextContent(
      'The byte at offset 5 was changed: bits 00000100 are flipped.',
    );
    expect(screen.getByRole('option', { name: /damaged at offset 5$/ })).toHaveTextContent(
      '▲ damaged',
    );
  });

  it('shows every byte with the engine’s value', async () => {
    const file = sampleTable();
    start(file);
    await item(/^data block 1/);
    for (let offset = 0; offset < 64; offset += 1) {
      const value = (file.bytes[offset] ?? 0).toString(16).padStart(2, '0');
      expect(cell(offset)).toHaveTextContent(value);
    }
    const ribbon = screen.getByRole('listbox', { name: /^The file 000012.sst/ });
    const drawn = within(ribbon).getAllByRole('option');
    // The ribbon draws exactly the parts that `layout` lists.
    expect(drawn.map((part) => part.getAttribute('aria-label'))).toEqual(
      file.root.children.map(({ name, bytes, offset }) => `${name}: ${bytes} bytes at ${offset}`),
    );
  });

  it('leads from the tree to the bytes', async () => {
    const file = sampleTable();
    const { user, selected } = start(file);
    const block = file.root.children[1];
    if (!block) throw new Error('no block');
    await user.hover(await item(/^data block 2/));
    expect(marked('hover')).toEqual(range(block.offset, block.offset + block.bytes));
    // The line below names that part with its own place, not with the place of the keyboard's byte.
    const status = document.querySelector('.byte-status');
    expect(status).toHaveTextContent(`= ${block.offset}, ${block.bytes} bytes`);
    expect(status).toHaveTextContent(block.name);
    expect(selected).toEqual([]);
    await user.click(await item(/^data block 2/));
    expect(selected).toEqual(['table:12/block:2']);
    await waitFor(() =>
      expect(marked('pin')).toEqual(range(block.offset, block.offset + block.bytes)),
    );
    const data = screen.getByRole('region', { name: 'Data inspector' });
    expect(within(data).getByRole('heading', { level: 2 })).toHaveTextContent('data block 2');
  });

  it('leads from a byte to the tree and names it', async () => {
    const { user, selected } = start(sampleTable());
    await item(/^data block 1/);
    await user.pointer([{ keys: '[MouseLeft]', target: cell(4) }]);
    expect(selected).toEqual(['table:12/block:1/entry:1/key:1']);
    const row = await item(/^key suffix: apple/);
    await waitFor(() => expect(row).toHaveAttribute('aria-selected', 'true'));
    expect(row).toHaveAttribute('aria-level', '3');
    expect(marked('pin')).toEqual(range(3, 8));
    const data = screen.getByRole('region', { name: 'Data inspector' });
    expect(within(data).getByText(/^As text/)).toHaveTextContent('As text: apple');
    expect(within(data).getByText(/3 – 7/)).toBeInTheDocument();
  });

  it('is walked by keyboard: arrows, Enter, Shift, g, f and Escape', async () => {
    const { user, selected, close } = start(sampleTable());
    await item(/^data block 1/);
    const bytes = await grid();
    act(() => bytes.focus());
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(bytes).toHaveAttribute('aria-activedescendant', 'hex-2');
    expect(cell(2)).toHaveAccessibleName(/offset 2, hexadecimal 2, .*value length/);
    expect(selected).toEqual([]);
    await user.keyboard('{Enter}');
    expect(selected.at(-1)).toBe('table:12/block:1/entry:1/length:3');
    // The cursor follows the part that was chosen, once its place is known.
    await waitFor(() => expect(marked('pin')).toEqual([2]));
    await user.keyboard('{ArrowDown}{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
    expect(selected.at(-1)).toBe('table:12/bytes:18-20');
    await waitFor(() => expect(marked('pin')).toEqual([18, 19, 20]));
    await user.keyboard('g');
    expect(screen.getByLabelText(/^Go to offset/)).toHaveFocus();
    await user.keyboard('0x05{Enter}');
    expect(selected.at(-1)).toBe('table:12/bytes:5-5');
    expect(bytes).toHaveFocus();
    await user.keyboard('f');
    await user.keyboard('pple{Enter}');
    await waitFor(() => expect(selected.at(-1)).toBe('table:12/bytes:4-7'));
    await user.keyboard('{Escape}');
    expect(bytes).toHaveFocus();
    expect(close).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(close).toHaveBeenCalledOnce();
  });

  it('leads to its fields by g and f from the list of files, where a click leaves the focus', async () => {
    const { user } = start(sampleTable());
    await item(/^data block 1/);
    await user.click(screen.getByRole('option', { name: /^000012\.sst/ }));
    expect(screen.getByRole('listbox', { name: 'Files' })).toHaveFocus();
    await user.keyboard('fapple');
    expect(screen.getByLabelText(/^Find text/)).toHaveValue('apple');
    await user.keyboard('{Escape}g');
    expect(screen.getByLabelText(/^Go to offset/)).toHaveFocus();
  });

  it('is walked by keyboard in the tree, too', async () => {
    const { user, selected } = start(sampleTable());
    await item(/^data block 1/);
    act(() => tree().focus());
    await user.keyboard('{ArrowRight}');
    await item(/^entry 2/);
    expect(await item(/^data block 1/)).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{ArrowRight}{ArrowDown}{Enter}');
    expect(selected.at(-1)).toBe('table:12/block:1/entry:2');
    const data = screen.getByRole('region', { name: 'Data inspector' });
    const key = await within(data).findByRole('region', { name: 'Key' });
    expect(key.querySelector('.shared')).toHaveTextContent('ap');
    expect(key).toHaveTextContent('apricot');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    await waitFor(() => expect(within(tree()).queryByText('entry 2')).toBeNull());
  });

  it('compares checksums, follows what leads elsewhere, and types corrupt', async () => {
    const { user, selected, types, choose } = start(sampleTable());
    const data = await screen.findByRole('region', { name: 'Data inspector' });
    choose('table:12/block:1/trailer:1/checksum:1');
    expect(await within(data).findByText(/✓ correct/)).toBeInTheDocument();
    choose('table:12/block:2/trailer:1/checksum:1');
    expect(await within(data).findByText(/does not match/)).toBeInTheDocument();
    expect(within(data).getByText('0x00000bad')).toBeInTheDocument();
    expect(within(data).getByText('0x0000cafe')).toBeInTheDocument();
    await user.click(within(data).getByText(/20 B from/));
    expect(selected.at(-1)).toBe('table:12/bytes:0-19');
    await user.click(await within(data).findByText('Flip a bit here'));
    expect(types).toHaveBeenCalledWith('corrupt table:12 0 1');
    choose('table:12/footer:1/offset:1');
    await user.click(await within(data).findByText(/^0x0000 \(0\)/));
    expect(selected.at(-1)).toBe('table:12/block:1/entry:1/length:1');
  });

  it('shows nothing old when the engine does not answer', async () => {
    const { again, silence } = start(sampleTable());
    await item(/^data block 1/);
    expect(cell(0)).toHaveTextContent('00');
    silence('The past cannot be asked yet.');
    again();
    expect(await screen.findByText('The past cannot be asked yet.')).toBeInTheDocument();
    await waitFor(() => expect(within(tree()).queryAllByRole('treeitem')).toEqual([]));
    await waitFor(() => expect(cell(0)).toHaveTextContent('··'));
    expect(screen.queryByText('is no longer there')).toBeNull();
  });

  it('shows hostile bytes as text and as nothing else', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e\u001b[2J';
    const { choose } = start(sampleTable(hostile));
    const data = await screen.findByRole('region', { name: 'Data inspector' });
    choose('table:12/block:1/entry:1/key:1');
    const row = await within(data).findByText(/^As text/);
    expect(row).toHaveTextContent('<img src=x onerror=alert(1)>\\xe2\\x80\\xae\\x1b[2J');
    expect(document.querySelector('img')).toBeNull();
    const letters = [...document.querySelectorAll('.hex-letters')].map((line) => line.textContent);
    expect(letters.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('has a table of fields, a list of files, and reports a file that is gone', async () => {
    const { user, selected, choose } = start(sampleTable(), null);
    await user.click(await screen.findByRole('button', { name: '000012.sst' }));
    expect(selected).toEqual(['table:12']);
    await item(/^data block 1/);
    await user.click(screen.getByText('twin'));
    const fields = await screen.findByRole('region', { name: 'Fields, one a row' });
    await user.click(within(fields).getByText('data block 1 › entry 1 › key suffix'));
    expect(selected.at(-1)).toBe('table:12/block:1/entry:1/key:1');
    choose('table:99');
    expect(await screen.findByText('is no longer there')).toBeInTheDocument();
    expect(fireEvent.keyDown(screen.getByRole('listbox', { name: 'Files' }), { key: 'Home' })).toBe(
      false,
    );
  });
});
