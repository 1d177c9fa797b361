// @vitest-environment jsdom
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { experiment, FIRST_PAGE, inspect, lookInside, select } from '../model/page';
import { createStore } from '../model/store';
import { ViewHistory } from './viewHistory';

let views: ViewHistory | null = null;
beforeEach(() => window.history.pushState(null, '', '/lab/'));
afterEach(() => views?.dispose());

/** A page at an address of its own; `entries`: how many entries of the browser's history were added. */
function start(hash = '') {
  window.history.replaceState(null, '', `/lab/${hash}`);
  const store = createStore(FIRST_PAGE);
  const before = window.history.length;
  views = new ViewHistory(window, store);
  const page = () => {
    const { selection, inspecting, experiment: id, window: name } = store.get();
    return [inspecting ? 'bytes' : (id ?? 'lab'), selection, name];
  };
  const entries = () => window.history.length - before;
  return { store, page, entries };
}

async function go(delta: number, page: () => unknown, expected: unknown) {
  window.history.go(delta);
  await waitFor(() => expect(page()).toEqual(expected));
}

describe('the history of views', () => {
  it('has an entry for a table of a directory, one for its block, and one for bytes', async () => {
    const { store, entries } = start('#directory/rocksdb');
    const opened = () => store.get().opened;
    store.update((now) => lookInside(now, 'table:6'));
    store.update((now) => lookInside(now, 'table:6/block:2'));
    expect(entries()).toBe(3);
    expect(window.location.hash).toBe('#directory/rocksdb/inside/table:6/block:2');
    expect(store.get().selection).toBeNull();
    store.update((now) => inspect(now, true));
    expect(window.location.hash).toBe('#directory/rocksdb/bytes');
    const inspecting = () => store.get().inspecting;
    await go(-1, inspecting, false);
    expect(opened()).toBe('table:6/block:2');
    await go(+1, inspecting, true);
    expect(store.get().directory).toBe('rocksdb');
    await go(-2, opened, 'table:6');
    await go(-1, opened, null);
    expect(store.get().directory).toBe('rocksdb');
  });

  it('has an entry for each view, and none for a selection', async () => {
    const { store, page, entries } = start();
    store.update((now) => select(now, 'table:6'));
    expect(entries()).toBe(0);
    store.update((now) => inspect(now, true));
    store.update((now) => select(now, 'wal:7'));
    store.update((now) => experiment(now, 'L4'));
    store.update((now) => ({ ...now, window: 'help' }));
    expect(entries()).toBe(3);
    await go(-1, page, ['L4', null, null]);
    await go(-1, page, ['bytes', 'wal:7', null]);
    expect(window.location.hash).toBe('#bytes/wal:7');
    await go(-1, page, ['lab', 'table:6', null]);
    await go(+3, page, ['L4', null, 'help']);
    expect(entries()).toBe(3);
  });

  it('closing a view goes back, so that views do not pile up, and keeps what was selected last', async () => {
    const { store, page, entries } = start('#table:6');
    for (let turn = 0; turn < 3; turn += 1) {
      store.update((now) => ({ ...now, window: 'help' }));
      store.update((now) => ({ ...now, window: null }));
      await waitFor(() => expect(window.history.state).toMatchObject({ view: 'lab' }));
    }
    store.update((now) => inspect(now, true));
    store.update((now) => select(now, 'table:8'));
    store.update((now) => inspect(now, false));
    await waitFor(() => expect(window.location.hash).toBe('#table:8'));
    expect(page()).toEqual(['lab', 'table:8', null]);
    expect(entries()).toBe(1);
  });

  it('opens another view while it is still on the way back', async () => {
    const { store, page } = start();
    store.update((now) => ({ ...now, window: 'open' }));
    store.update((now) => ({ ...now, window: null }));
    store.update((now) => inspect(now, true));
    await waitFor(() => expect(window.location.hash).toBe('#bytes'));
    expect(page()).toEqual(['bytes', null, null]);
    await go(-1, page, ['lab', null, null]);
  });

  it('puts the picture before an inner view that the address led to', async () => {
    const { page, entries } = start('#experiments/L4');
    expect(page()).toEqual(['L4', null, null]);
    expect(entries()).toBe(1);
    await go(-1, page, ['lab', null, null]);
  });

  it('shows the same view after a reload', async () => {
    const { store, entries } = start();
    store.update((now) => experiment(now, 'L4'));
    views?.dispose();
    const again = createStore(FIRST_PAGE);
    views = new ViewHistory(window, again);
    expect(again.get().experiment).toBe('L4');
    expect(entries()).toBe(1);
    await go(-1, () => again.get().experiment, null);
  });

  it('follows an address typed by hand, and selects nothing for nonsense', async () => {
    const { page } = start();
    window.location.hash = '#bytes/wal:7';
    await waitFor(() => expect(page()).toEqual(['bytes', 'wal:7', null]));
    await go(-1, page, ['lab', null, null]);
    window.location.hash = '#table:%zz';
    await waitFor(() => expect(window.history.state).toMatchObject({ view: 'lab' }));
    expect(page()).toEqual(['lab', null, null]);
  });

  it('keeps the address of a link until it is answered', () => {
    window.history.replaceState({ view: 'lab', before: null }, '', '/lab/#v1/t.put%20a%20b');
    const store = createStore(FIRST_PAGE);
    const followed: string[] = [];
    let held: string | null = 'v1/t.put%20a%20b';
    const links = { follow: (fragment: string) => followed.push(fragment), held: () => held };
    // As after a reload: the entry is ours already.
    views = new ViewHistory(window, store, links);
    expect(followed).toEqual(['v1/t.put%20a%20b']);
    store.update((now) => select(now, 'table:6'));
    expect(window.location.hash).toBe('#v1/t.put%20a%20b');
    held = null;
    store.update((now) => select(now, 'table:7'));
    expect(window.location.hash).toBe('#table:7');
  });
});
