import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEngine } from '../testing/fakeEngine';
import { noCopy } from '../testing/noCopy';
import { busyView, table } from '../testing/sample';
import { App } from './App';
import { Lab } from './lab';

beforeEach(() => {
  window.localStorage.clear();
  window.localStorage.setItem('levelscope.preferences', '{"plainTerminal":true}');
  window.history.replaceState(null, '', '/');
});

function start(view = busyView()) {
  const engine = new FakeEngine();
  const lab = new Lab(engine, window.localStorage, (callback) => callback());
  const reload = vi.fn();
  render(
    <StrictMode>
      <App lab={lab} copy={noCopy()} onReload={reload} />
    </StrictMode>,
  );
  act(() => engine.opened(view));
  return { engine, lab, reload, user: userEvent.setup() };
}

const log = () => screen.getByRole('log');
const picture = () => screen.getByRole('listbox');
// Without layout, a click into a panel counts as one on its divider and moves no focus.
const focusLine = () => screen.getByLabelText('Command line').focus();

describe('the page', () => {
  it('draws memory, logs and levels, each with a name', () => {
    start();
    const names = within(picture())
      .getAllByRole('option')
      .map((option) => option.getAttribute('aria-label'));
    expect(names).toContain('memtable 7, active, 620 of 1024 bytes, 24 entries');
    expect(names).toContain('WAL 14, 24 records, 19 synced, 5 not yet, active');
    expect(names).toContain('L1, 4 tables, 4.6 KiB, score 0.75');
    expect(names.some((name) => name?.startsWith('table 7, orange to zucchini'))).toBe(true);
  });

  it('shows where the data is', () => {
    const { engine } = start();
    act(() => engine.happened([{ kind: 'op.scan' }]));
    expect(screen.getByRole('banner')).toHaveTextContent('Saved in this browser · 412.0 KiB');
    act(() => engine.opened(busyView(), { storage: 'memory', why: 'a private window' }));
    expect(screen.getByRole('banner')).toHaveTextContent(
      'Not saved: memory only (a private window)',
    );
  });

  it('types no step where nothing waits', async () => {
    const { engine, user } = start();
    act(() => engine.skipped(3, busyView()));
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(engine.asked).not.toContain('step');
    expect(screen.getByText('nothing to do')).toBeVisible();
  });

  it('buttons type their command into the terminal', async () => {
    const { engine, user } = start();
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(engine.asked).toContain('step');
    expect(log()).toHaveTextContent('lsm> step');
    await user.click(screen.getByRole('radio', { name: 'op' }));
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(engine.asked).toContain('step job');
    await user.click(screen.getByRole('button', { name: 'Run' }));
    expect(engine.asked).toContain('run');
  });

  it('plays and pauses', async () => {
    const { engine, user } = start();
    await user.selectOptions(screen.getByLabelText('Speed of Play'), '4×');
    await user.click(screen.getByRole('button', { name: /Play/ }));
    expect(engine.asked).toContain('play phase 8');
    expect(log()).toHaveTextContent('lsm> play 4');
    await user.click(screen.getByRole('button', { name: /Pause/ }));
    expect(engine.asked).toContain('pause');
  });

  it('shows what happened, why, and what comes next, also to screen readers', async () => {
    const { engine, user } = start();
    engine.answers = () => {
      engine.happened([
        { kind: 'flush.begin', job: 4 },
        { kind: 'table.create', job: 4, cause: 1, sentence: 'Table 12 was made.' },
      ]);
      return { answers: [], error: null };
    };
    act(focusLine);
    await user.keyboard('step{Enter}');
    expect(screen.getByText('Step 2.')).toBeInTheDocument();
    expect(screen.getByText('because').closest('p')).toHaveTextContent(
      'because of step 1: flush.begin happened.',
    );
    expect(screen.getByText('Next:').closest('p')).toHaveTextContent('job 1 will sync table 12.');
    expect(screen.getByText('table 12')).toHaveClass('word-table');
    const announced = await screen.findByText('Step 2. Table 12 was made.');
    expect(announced).toHaveAttribute('aria-live', 'polite');
  });

  it('shows a failure and its hint in the terminal, and drops what was queued', async () => {
    const { engine, lab, user } = start();
    const error = {
      kind: 'usage',
      message: 'there is no command stpe',
      hint: 'did you mean step?',
    };
    engine.answers = () => ({ answers: [], error });
    act(focusLine);
    await user.keyboard('stpe{Enter}');
    expect(log()).toHaveTextContent('there is no command stpe');
    expect(log()).toHaveTextContent('did you mean step?');
    expect(lab.terminal.busy).toBe(false);
  });

  it('selects by click, keyboard and terminal link, and keeps it in the address', async () => {
    const { engine, user } = start();
    act(() => engine.print({ spans: [{ text: 'table 6', style: { link: 'table:6' } }] }));
    await user.click(within(log()).getByRole('button', { name: 'table 6' }));
    expect(window.location.hash).toBe('#table:6');
    expect(screen.getByRole('heading', { name: /000006.sst/ })).toBeInTheDocument();
    act(() => picture().focus());
    await user.keyboard('{ArrowRight} ');
    expect(window.location.hash).toBe('#table:8');
    expect(picture()).toHaveAttribute('aria-activedescendant', 'stage-table-8');
    await user.keyboard('{Enter}');
    expect(window.location.hash).toBe('#inside/table:8');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(window.location.hash).toBe('#table:8'));
    expect(picture()).toHaveAttribute('aria-activedescendant', 'stage-table-8');
    await user.keyboard('{Escape}');
    expect(window.location.hash).toBe('');
  });

  it('looks inside a selected table, and inside its selected block', async () => {
    const { lab, user } = start();
    for (const id of ['table:6', 'table:6/block:1']) {
      act(() => lab.select(id));
      await user.click(await screen.findByRole('button', { name: 'Look inside' }));
      expect(window.location.hash).toBe(`#inside/${id}`);
    }
  });

  it('asks before a reset', async () => {
    const { engine, user } = start();
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    await user.click(screen.getByText('Keep everything'));
    expect(engine.asked).not.toContain('reset --yes');
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    await user.click(screen.getByText('Delete: reset --yes'));
    expect(engine.asked).toContain('reset --yes');
  });

  it('checks options as they are typed, and types the commands that set them', async () => {
    const { engine, user } = start();
    await user.click(screen.getByRole('button', { name: /preset classroom/ }));
    const field = screen.getByLabelText('memtable_bytes');
    await user.clear(field);
    await user.type(field, '3');
    expect(field).toBeInvalid();
    expect(screen.getByText('Apply')).toBeDisabled();
    await user.clear(field);
    await user.type(field, '2k');
    await user.click(screen.getByText('Apply'));
    expect(engine.asked).toContain('options set memtable_bytes 2k');
  });

  it('plays a lesson that was dropped before the database was open', async () => {
    const engine = new FakeEngine();
    const lab = new Lab(engine, window.localStorage, (callback) => callback());
    const play = vi.spyOn(lab.files, 'play').mockResolvedValue();
    render(<App lab={lab} copy={noCopy()} onReload={vi.fn()} />);
    const file = new File(['# A lesson'], 'mine.md');
    const dataTransfer = { types: ['Files'], files: [file], items: [] };
    expect(fireEvent.drop(window, { dataTransfer }), 'the browser is kept from it').toBe(false);
    expect(play).not.toHaveBeenCalled();
    act(() => engine.opened(busyView()));
    await waitFor(() => expect(play).toHaveBeenCalledTimes(1));
  });

  it('offers to take over when another tab owns the database', async () => {
    const { engine, user } = start();
    act(() => engine.emit({ type: 'lost' }));
    expect(screen.getByText('Another tab has taken over this database')).toBeInTheDocument();
    expect(log()).toHaveTextContent('Another tab has taken over');
    expect(screen.getByRole('alertdialog')).toHaveTextContent('with its history and branches');
    await user.click(screen.getByText('Take the database back'));
    expect(engine.asked).toContain('open');
  });

  it('shows the way out when the engine stopped', async () => {
    const { engine, reload, user } = start();
    act(() =>
      engine.emit({ type: 'failed', id: null, kind: 'panic', message: 'index out of bounds' }),
    );
    expect(screen.getByRole('alertdialog')).toHaveTextContent('index out of bounds');
    expect(log()).toHaveTextContent('The engine stopped: index out of bounds');
    await user.click(screen.getByText('Reload the page'));
    expect(reload).toHaveBeenCalled();
  });

  it('shows when the database is read-only and when writes wait', () => {
    const { engine } = start();
    const cause = { kind: 'outOfSpace', error: 'It did not fit.' } as const;
    act(() => engine.happened([{ kind: 'db.read_only', patches: [{ of: 'readOnly', cause }] }]));
    expect(screen.getByRole('alert')).toHaveTextContent(
      'It did not fit. Reads go on. Free some space',
    );
  });

  it('ends the reason with a period before the advice', () => {
    const { engine } = start();
    const cause = { kind: 'outOfSpace', error: '000013.sst: no more space' } as const;
    act(() => engine.happened([{ kind: 'db.read_only', patches: [{ of: 'readOnly', cause }] }]));
    expect(screen.getByRole('alert')).toHaveTextContent('000013.sst: no more space. Reads go on.');
  });

  it('does not take another failure for a full disk, whatever its words', () => {
    const { engine } = start();
    const cause = { kind: 'corruption', error: 'the quota of the key is out of space' } as const;
    act(() => engine.happened([{ kind: 'db.read_only', patches: [{ of: 'readOnly', cause }] }]));
    expect(screen.getByRole('alert')).toHaveTextContent('`check` names the damaged parts');
  });

  it('shows the same as tables of text', async () => {
    const { user } = start();
    await user.click(screen.getByRole('button', { name: 'As table' }));
    const region = screen.getByRole('region', { name: 'The tree as tables' });
    await user.click(within(region).getByRole('button', { name: 'table 6' }));
    expect(window.location.hash).toBe('#table:6');
  });

  it('runs pasted commands one by one after asking', async () => {
    const { engine, user } = start();
    act(focusLine);
    await user.paste('put a 1\nput b 2\n');
    expect(engine.asked).not.toContain('put a 1');
    await user.keyboard('y{Enter}');
    await waitFor(() => expect(engine.asked).toContain('put b 2'));
    expect(engine.asked.indexOf('put a 1')).toBeLessThan(engine.asked.indexOf('put b 2'));
  });

  it('single keys work only when nothing is being typed', async () => {
    const { engine, user } = start();
    act(focusLine);
    await user.keyboard('s');
    expect(engine.asked).not.toContain('step');
    act(() => picture().focus());
    await user.keyboard('s');
    expect(engine.asked).toContain('step');
  });

  it('walks back and forward through what happened, by keys, buttons and the number box', async () => {
    const { engine, user } = start();
    act(() => engine.happened(Array.from({ length: 12 }, () => ({ kind: 'op.scan' }))));
    const slider = screen.getByRole('slider', { name: 'History' });
    expect(slider).toHaveAttribute('aria-valuenow', '12');
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByText(/Viewing the past/)).toHaveTextContent(
      'Viewing the past · step 11 of 12',
    );
    expect(slider).toHaveAttribute(
      'aria-valuetext',
      expect.stringContaining('Step 11 of 12, the past'),
    );
    await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    expect(slider).toHaveAttribute('aria-valuenow', '1');
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(log()).toHaveTextContent('lsm> forward');
    expect(slider).toHaveAttribute('aria-valuenow', '2');
    expect(engine.asked.filter((line) => line.startsWith('step'))).toEqual([]);
    const box = screen.getByLabelText('Go to step');
    act(() => box.focus());
    await user.keyboard('7{Enter}');
    expect(slider).toHaveAttribute('aria-valuenow', '7');
    act(() => slider.focus());
    await user.keyboard('{PageDown}');
    expect(slider).toHaveAttribute('aria-valuenow', '8');
    await user.keyboard('{End}');
    expect(screen.queryByText(/Viewing the past/)).toBeNull();
    await user.keyboard('{Home}');
    expect(slider).toHaveAttribute('aria-valuenow', '1');
    await user.click(screen.getByRole('button', { name: 'Return to now' }));
    expect(slider).toHaveAttribute('aria-valuenow', '12');
  });

  it('asks the past with its step, and offers a fork for a command that writes', async () => {
    const { engine, user } = start();
    act(() => engine.happened(Array.from({ length: 5 }, () => ({ kind: 'op.scan' }))));
    engine.answers = (line) =>
      line.startsWith('put') && engine.asked.at(-1)?.includes(' at ')
        ? { answers: [], error: { kind: 'past', message: 'That is the past.', hint: null } }
        : { answers: [], error: null };
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    act(focusLine);
    await user.keyboard('get a{Enter}');
    expect(engine.asked).toContain('get a at 3');
    await user.keyboard('put a 1{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'This is the past' });
    await user.click(within(dialog).getByRole('button', { name: 'Fork here' }));
    await waitFor(() => expect(engine.asked).toContain('fork 3 at 3'));
    act(focusLine);
    await user.keyboard('put b 1{Enter}');
    const again = await screen.findByRole('dialog', { name: 'This is the past' });
    await user.click(within(again).getByRole('button', { name: 'Return to now' }));
    await waitFor(() => expect(engine.asked).toContain('put b 1'));
    expect(screen.queryByText(/Viewing the past/)).toBeNull();
  });

  it('fetches what it has let go of before it goes there', async () => {
    const { engine, user } = start();
    engine.viewBefore = () => busyView();
    act(() => engine.happened([{ kind: 'op.scan' }, { kind: 'op.scan' }, { kind: 'op.scan' }]));
    act(() => engine.skipped(40, busyView()));
    await user.keyboard('{Home}');
    const slider = screen.getByRole('slider', { name: 'History' });
    expect(slider).toHaveAttribute('aria-valuenow', '1');
    const box = screen.getByLabelText('Go to step');
    act(() => box.focus());
    await user.keyboard('20{Enter}');
    await waitFor(() => expect(slider).toHaveAttribute('aria-valuenow', '20'));
    expect(engine.asked.some((line) => line.startsWith('window'))).toBe(true);
    expect(screen.getByText(/Viewing the past/)).toHaveTextContent(
      'Viewing the past · step 20 of 44',
    );
  });

  it('shows the chain of causes, sets breakpoints and pulls the plug, each by its command', async () => {
    const { engine, user } = start();
    act(() =>
      engine.happened([
        { kind: 'op.sync', sentence: 'Sync was asked for.' },
        { kind: 'wal.sync', cause: 1, sentence: 'The log is durable.' },
      ]),
    );
    await user.click(screen.getByRole('button', { name: 'Why?' }));
    expect(engine.asked).toContain('why 2');
    const panel = screen.getByRole('tabpanel', { name: 'Why' });
    await user.click(within(panel).getByRole('button', { name: 'step 1' }));
    expect(screen.getByText(/Viewing the past/)).toHaveTextContent(
      'Viewing the past · step 1 of 2',
    );
    await user.click(screen.getByRole('button', { name: /Break/ }));
    await user.click(screen.getByRole('checkbox', { name: /a flush begins/ }));
    expect(engine.asked).toContain('break before flush at 1');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByRole('button', { name: 'Crash' }));
    await user.click(screen.getByRole('radio', { name: /some survive/ }));
    await user.click(screen.getByRole('button', { name: 'Pull the plug' }));
    expect(engine.asked).toContain('crash at 1 --keep torn at 1');
  });

  it('stays readable with thousands of tables', async () => {
    const view = busyView();
    const name = (index: number) => `k${String(index).padStart(6, '0')}`;
    const many = Array.from({ length: 3000 }, (_, index) =>
      table(100 + index, name(2 * index), name(2 * index + 1)),
    );
    const levels = view.levels.map((l, i) => (i === 2 ? { ...l, tables: many } : l));
    const { lab, user } = start({ ...view, levels });
    expect(within(picture()).getAllByRole('option').length).toBeLessThan(30);
    // Each is there for the keyboard and the pointer all the same.
    act(() => lab.select('level:2'));
    picture().focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    const active = picture().getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.getAttribute('aria-label')).toMatch(
      /^(\d+ tables from )?table \d+/,
    );
    await user.keyboard('{Enter}');
    const selected = lab.store.get().selection;
    expect(selected).toMatch(/^table:\d+$/);
    const hit = document.querySelector('.bars-hit');
    if (!hit) throw new Error('no bars');
    const place = {
      clientX: Number(hit.getAttribute('x')) + 400,
      clientY: Number(hit.getAttribute('y')) + 5,
    };
    fireEvent.click(hit, place);
    expect(lab.store.get().selection).toMatch(/^table:\d+$/);
    expect(lab.store.get().selection).not.toBe(selected);
  });
});
