import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEngine } from '../testing/fakeEngine';
import { busyView, table } from '../testing/sample';
import { App } from './App';
import { Lab } from './lab';

beforeEach(() => {
  window.localStorage.clear();
  window.localStorage.setItem('levelscope.preferences', '{"plainTerminal":true}');
  window.location.hash = '';
});

function start(view = busyView()) {
  const engine = new FakeEngine();
  const lab = new Lab(engine, window.localStorage, (callback) => callback());
  const reload = vi.fn();
  render(
    <StrictMode>
      <App lab={lab} onReload={reload} />
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
    expect(names).toContain('WAL 14, 24 records, 19 synced, 5 not yet, open');
    expect(names).toContain('L1, 4 tables, 4\u2009800 B, score 0.75');
    expect(names.some((name) => name?.startsWith('table 7, orange to zucchini'))).toBe(true);
  });

  it('says where the data is', () => {
    const { engine } = start();
    act(() => engine.happened([{ kind: 'op.scan' }]));
    expect(screen.getByText(/Saved in this browser · 412 KB/)).toBeInTheDocument();
    act(() => engine.opened(busyView(), { storage: 'memory', why: 'a private window' }));
    expect(screen.getByText(/Not saved: memory only — a private window/)).toBeInTheDocument();
  });

  it('buttons type their command into the terminal', async () => {
    const { engine, user } = start();
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(engine.asked).toContain('step');
    expect(log()).toHaveTextContent('lsm> step');
    await user.click(screen.getByRole('radio', { name: 'job' }));
    await user.click(screen.getByRole('button', { name: 'Step' }));
    expect(engine.asked).toContain('step job');
    await user.click(screen.getByRole('button', { name: 'Run' }));
    expect(engine.asked).toContain('run');
  });

  it('plays and pauses', async () => {
    const { engine, user } = start();
    await user.click(screen.getByRole('radio', { name: '4×' }));
    await user.click(screen.getByRole('button', { name: /Play/ }));
    expect(engine.asked).toContain('play phase 8');
    expect(log()).toHaveTextContent('lsm> play 4');
    await user.click(screen.getByRole('button', { name: /Pause/ }));
    expect(engine.asked).toContain('pause');
  });

  it('tells what happened, why, and what comes next, also to screen readers', async () => {
    const { engine, user } = start();
    engine.answers = () => {
      engine.happened([
        { kind: 'flush.begin', job: 4, memtable: 6, reason: 'full', entries: 41 },
        { kind: 'table.create', job: 4, cause: 1, table: 12, level: 0, says: 'Table 12 was made.' },
      ]);
      return { result: null, error: null };
    };
    act(focusLine);
    await user.keyboard('step{Enter}');
    expect(screen.getByText('Step 2.')).toBeInTheDocument();
    expect(screen.getByText(/of step 1: flush.begin happened/)).toBeInTheDocument();
    expect(screen.getByText('Flush job 1 will sync table 12.')).toBeInTheDocument();
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
    engine.answers = () => ({ result: null, error });
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
    await user.keyboard('{ArrowRight}{Enter}');
    expect(window.location.hash).toBe('#table:8');
    expect(picture()).toHaveAttribute('aria-activedescendant', 'stage-table-8');
    await user.keyboard('{Escape}');
    expect(window.location.hash).toBe('');
  });

  it('takes the file of a selected table apart', async () => {
    const { engine, lab } = start();
    const node = (name: string, kind: string, offset: number, bytes: number) => ({
      name,
      kind,
      offset,
      bytes,
      value: '',
      children: [],
      inside: [],
    });
    const children = [node('data block 0', 'data', 0, 900), node('filter', 'filter', 900, 300)];
    engine.answers = () => ({
      result: { ...node('file', 'table', 0, 1200), children },
      error: null,
    });
    act(() => lab.select('table:6'));
    const block = await screen.findByRole('button', { name: /data block 0: 900 bytes at 0/ });
    expect(engine.asked).toContain('quiet layout table:6 -v');
    act(() => block.click());
    expect(window.location.hash).toBe('#table:6/block:1');
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

  it('offers to take over when another tab owns the database', async () => {
    const { engine, user } = start();
    act(() => engine.say({ type: 'lost' }));
    expect(screen.getByText('Another tab has taken over this database')).toBeInTheDocument();
    expect(log()).toHaveTextContent('Another tab has taken over');
    await user.click(screen.getByText('Take it back'));
    expect(engine.asked).toContain('open');
  });

  it('says what to do when the engine stopped', async () => {
    const { engine, reload, user } = start();
    act(() =>
      engine.say({ type: 'failed', id: null, kind: 'panic', message: 'index out of bounds' }),
    );
    expect(screen.getByRole('alertdialog')).toHaveTextContent('index out of bounds');
    expect(log()).toHaveTextContent('The engine stopped: index out of bounds');
    await user.click(screen.getByText('Reload the page'));
    expect(reload).toHaveBeenCalled();
  });

  it('says when the database is read-only and when writes wait', () => {
    const { engine } = start();
    act(() => engine.happened([{ kind: 'db.read_only', error: 'The disk is full.' }]));
    expect(screen.getByRole('alert')).toHaveTextContent('The disk is full.');
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
    await vi.waitFor(() => expect(engine.asked).toContain('put b 2'));
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

  it('stays readable with thousands of tables', () => {
    const view = busyView();
    const name = (index: number) => `k${String(index).padStart(6, '0')}`;
    const many = Array.from({ length: 3000 }, (_, index) =>
      table(100 + index, name(2 * index), name(2 * index + 1)),
    );
    start({ ...view, levels: view.levels.map((l, i) => (i === 2 ? { ...l, tables: many } : l)) });
    expect(within(picture()).getAllByRole('option').length).toBeLessThan(430);
  });
});
