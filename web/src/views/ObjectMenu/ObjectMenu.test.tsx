import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../app/App';
import { Lab } from '../../app/lab';
import { FakeEngine } from '../../testing/fakeEngine';
import { noCopy } from '../../testing/noCopy';
import { busyView } from '../../testing/sample';

beforeEach(() => {
  window.localStorage.clear();
  window.localStorage.setItem('levelscope.preferences', '{"plainTerminal":true}');
  window.history.replaceState(null, '', '/');
});

function start() {
  const engine = new FakeEngine();
  const lab = new Lab(engine, window.localStorage, (callback) => callback());
  render(<App lab={lab} copy={noCopy()} onReload={vi.fn()} />);
  act(() => engine.opened(busyView()));
  return { engine, lab, user: userEvent.setup() };
}

const picture = () => screen.getByRole('listbox');
const drawn = (name: RegExp) => within(picture()).getByRole('option', { name });

describe('the menu of an object', () => {
  it('opens with a right click, walks with the arrow keys, types the command', async () => {
    const { engine, user } = start();
    picture().focus();
    fireEvent.contextMenu(drawn(/^table 7,/), { button: 2, clientX: 200, clientY: 100 });
    const menu = screen.getByRole('menu', { name: 'table 7' });
    const items = within(menu).getAllByRole('menuitem');
    expect(items[0]).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(items[1]).toHaveFocus();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(items.at(-1)).toHaveFocus();
    await user.keyboard('{Home}b');
    expect(document.activeElement).toHaveTextContent('Break on this table');
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(engine.asked).toContain('break on table 7');
    expect(screen.getByRole('log')).toHaveTextContent('lsm> break on table 7');
    expect(picture()).toHaveFocus();
  });

  it('opens with m for the object in focus, and closes with Escape to where it was', async () => {
    const { user } = start();
    picture().focus();
    await user.keyboard('{ArrowDown}m');
    const menu = screen.getByRole('menu');
    expect(menu).toHaveAccessibleName(/memtable|wal|table|L\d/);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(picture()).toHaveFocus();
  });

  it('opens with m for what is selected, and with the menu key in the picture', async () => {
    const { lab, user } = start();
    act(() => lab.select('wal:14'));
    await user.keyboard('m');
    expect(screen.getByRole('menu', { name: 'wal 14' })).toBeInTheDocument();
    await user.keyboard('{Escape}');
    picture().focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    fireEvent.contextMenu(picture(), { button: 0 });
    expect(screen.getByRole('menu')).toBeInTheDocument();
  });

  it('opens after a long press, not after a short one or a slip', () => {
    vi.useFakeTimers();
    try {
      start();
      const touch = { pointerType: 'touch', clientX: 50, clientY: 50 };
      const target = drawn(/^table 7,/);
      fireEvent.pointerDown(target, touch);
      act(() => vi.advanceTimersByTime(300));
      fireEvent.pointerUp(target, touch);
      act(() => vi.advanceTimersByTime(1000));
      expect(screen.queryByRole('menu')).toBeNull();
      fireEvent.pointerDown(target, touch);
      fireEvent.pointerMove(target, { ...touch, clientX: 90 });
      act(() => vi.advanceTimersByTime(1000));
      expect(screen.queryByRole('menu')).toBeNull();
      fireEvent.pointerDown(target, touch);
      act(() => vi.advanceTimersByTime(600));
      expect(screen.getByRole('menu', { name: 'table 7' })).toBeInTheDocument();
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves other context menus to the browser, and closes with a click elsewhere', async () => {
    const { user } = start();
    expect(fireEvent.contextMenu(screen.getByRole('log'), { button: 2 })).toBe(true);
    expect(screen.queryByRole('menu')).toBeNull();
    fireEvent.contextMenu(drawn(/^L1,/), { button: 2 });
    expect(screen.getByRole('menu', { name: 'L1' })).toBeInTheDocument();
    await user.click(screen.getByRole('log'));
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('shows bytes and sets bookmarks, by their labels', async () => {
    const { engine, lab, user } = start();
    act(() => engine.happened([{ kind: 'op.scan' }]));
    fireEvent.contextMenu(drawn(/^table 7,/), { button: 2 });
    await user.click(screen.getByRole('menuitem', { name: /^Bookmark step 1/ }));
    expect(screen.getByRole('log')).toHaveTextContent('Step 1 has a bookmark.');
    fireEvent.contextMenu(drawn(/^table 7,/), { button: 2 });
    expect(screen.getByRole('menuitem', { name: /Remove this bookmark/ })).toBeVisible();
    await user.click(screen.getByRole('menuitem', { name: /^Every byte of it/ }));
    expect(lab.store.get()).toMatchObject({ selection: 'table:7', inspecting: true });
  });
});

describe('bookmarks', () => {
  it('are listed with their names, renamed, visited and removed', async () => {
    const { engine, lab, user } = start();
    act(() => engine.happened([{ kind: 'op.scan' }, { kind: 'op.scan' }, { kind: 'op.scan' }]));
    await user.keyboard('k');
    await user.click(screen.getByRole('button', { name: /^Break/ }));
    const name = screen.getByRole('textbox', { name: 'Name of the bookmark at step 3' });
    await user.type(name, 'the scan; "third"{Enter}');
    expect(lab.store.get().bookmarks.get(0)).toEqual([{ step: 3, name: 'the scan; "third"' }]);
    expect(screen.getByText(/bookmark “the scan; "third"”/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove the bookmark at step 3' }));
    expect(lab.store.get().bookmarks.get(0)).toEqual([]);
    act(() => lab.type('bookmark first --at 1'));
    act(() => lab.type('bookmark too-late --at 9'));
    act(() => lab.type('bookmark --list'));
    await waitFor(() => expect(screen.getByRole('log')).toHaveTextContent('step 1 first'));
    expect(screen.getByRole('log')).toHaveTextContent('there is no step 9');
    expect(screen.getByRole('log')).toHaveTextContent('until the page is loaded again');
  });
});
