import { expect, it } from 'vitest';
import { FIRST_PAGE, type PageState } from '../model/page';
import { createStore } from '../model/store';
import { KeptBookmarks } from './keptBookmarks';

const MAIN = {
  id: 0,
  name: 'main',
  parent: null,
  forkedAt: null,
  memory: false,
  steps: 9,
  pastless: null,
  damaged: [],
  crash: null,
};
const FORK = { ...MAIN, id: 2, name: 'fork 2', parent: 0, forkedAt: 4, memory: true };
const OPEN: PageState = { ...FIRST_PAGE, connection: { state: 'open' }, isHistoryKept: true };

/** A visit, of which the browser has kept `items`. */
function visit(items: Map<string, string>, step: number, isHistoryKept = true) {
  const store = createStore<PageState>(FIRST_PAGE);
  const kept = new KeptBookmarks(store, {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
  });
  kept.begin(step);
  store.update(() => ({ ...OPEN, isHistoryKept }));
  const set = (branch: number, marks: readonly { step: number; name: string }[]) =>
    store.update((page) => ({ ...page, bookmarks: new Map(page.bookmarks).set(branch, marks) }));
  return { store, set, of: (branch: number) => store.get().bookmarks.get(branch) ?? [] };
}

it('brings back the bookmarks of the history that is there again, each with its branch', () => {
  const items = new Map<string, string>();
  const first = visit(items, 0);
  first.store.update((page) => ({ ...page, branches: [MAIN, FORK] }));
  first.set(0, [
    { step: 3, name: 'a full memtable' },
    { step: 9, name: 'later' },
  ]);
  first.set(2, [{ step: 5, name: '' }]);

  const second = visit(items, 8);
  expect(second.of(0)).toEqual([{ step: 3, name: 'a full memtable' }]);
  expect(second.of(2)).toEqual([]);
  second.set(0, []);
  second.store.update((page) => ({ ...page, branches: [MAIN, FORK] }));
  expect(second.of(2)).toEqual([{ step: 5, name: '' }]);

  const third = visit(items, 8);
  third.store.update((page) => ({ ...page, branches: [MAIN, FORK] }));
  expect([third.of(0), third.of(2)]).toEqual([[], [{ step: 5, name: '' }]]);
});

it('forgets them with the history, and believes no stranger', () => {
  const items = new Map<string, string>();
  visit(items, 0).set(0, [{ step: 3, name: 'x' }]);
  expect(visit(items, 0).of(0)).toEqual([]);
  expect(visit(items, 9).of(0)).toEqual([]);
  for (const text of ['{', '7', '[[0]]', '[[0,[{"step":"1","name":"x"}]]]', '[["0",[]],null]']) {
    items.set('levelscope.bookmarks', text);
    expect(visit(items, 9).of(0), text).toEqual([]);
  }
});

it('keeps nothing where the history is not kept', () => {
  const items = new Map<string, string>();
  visit(items, 0, false).set(0, [{ step: 3, name: 'x' }]);
  expect(items.size).toBe(0);
});
