// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { historyAfter } from '../model/branchHistory';
import type { LessonState } from '../model/engine.generated';
import { FIRST_PAGE, type PageState } from '../model/page';
import { EMPTY_VIEW } from '../model/reduce';
import { createStore } from '../model/store';
import { channelName } from '../present/address';
import { line, TerminalSession } from '../terminal/session';
import { Air } from '../testing/air';
import { AudienceScreen } from './audienceScreen';
import { Presentation } from './presentation';

const QUESTION = {
  is: 'ask',
  name: 'size',
  text: [{ is: 'text', text: 'Bytes?' }],
  kind: 'choice',
  choices: [[{ is: 'text', text: 'less' }], [{ is: 'text', text: 'more' }]],
  given: '1',
  revealed: { choice: 2, words: 'more', right: false, because: null },
} as const;

const ANSWERED = {
  head: { id: 'log', title: 'Log', minutes: 10, level: 1, goal: '', needs: [], source: null },
  textHash: 7,
  kind: 'lesson',
  scenes: [{ title: [], at: 0 }],
  scene: 0,
  items: [{ number: 1, what: QUESTION }],
  waits: { until: 'read', scene: false },
  strayed: false,
  at: 4,
  end: 9,
} as unknown as LessonState;

function windows() {
  const air = new Air();
  const store = createStore<PageState>({ ...FIRST_PAGE, connection: { state: 'open' } });
  const [type, next] = [vi.fn(), vi.fn()];
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const ask = vi.fn(async () => ['an answer']);
  const terminal = new TerminalSession(
    { run: async () => null, complete: async () => [], cancel: () => {} },
    null,
  );
  const presenter = () =>
    new Presentation({ store, ask, lesson: { next }, type, terminal } as never, {
      channel: air.open,
      kept: storage,
      schedule: (draw) => draw(),
      address: 'https://example.org/',
      now: () => Date.now(),
    });
  const audience = (presentation: Presentation) =>
    new AudienceScreen(presentation.store.get().id ?? '', window, air.open);
  return { air, store, type, next, ask, terminal, presenter, audience };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('two windows', () => {
  it('show the same: joined late, after each change, and after a reload of either', () => {
    const { store, presenter, audience } = windows();
    let presentation = presenter();
    presentation.begin();
    store.update((page) => ({ ...page, selection: 'table:4' }));
    const screen = audience(presentation);
    expect(screen.store.get().page?.selection).toBe('table:4');
    expect(presentation.store.get().audience).toBe('visible');
    store.update((page) => ({ ...page, selection: 'table:5' }));
    expect(screen.store.get().page?.selection).toBe('table:5');
    screen.dispose();
    expect(audience(presentation).store.get().page?.selection).toBe('table:5');
    const other = audience(presentation);
    presentation.leave();
    vi.advanceTimersByTime(5000);
    presentation = presenter();
    presentation.resume();
    vi.advanceTimersByTime(1500);
    store.update((page) => ({ ...page, selection: 'table:6' }));
    expect(other.store.get().page?.selection).toBe('table:6');
    presentation.end();
    expect(other.store.get()).toMatchObject({ page: null, isOver: true });
  });

  it('show what was typed where the picture does not show it, but never beside a question', () => {
    const { store, terminal, presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    terminal.type('kvdb put a 1');
    expect(screen.store.get().typed).toBeNull();
    terminal.print([line('ok', 'plain')]);
    expect(screen.store.get().typed).toEqual({ command: 'kvdb put a 1', lines: ['ok'] });
    store.update((page) => ({ ...page, lesson: ANSWERED }));
    expect(screen.store.get().typed).toBeNull();
    store.update((page) => ({ ...page, lesson: null }));
    expect(screen.store.get().typed).not.toBeNull();
    // The picture shows a step.
    const history = historyAfter(5, FIRST_PAGE.histories.get(0)?.timeline.now.view ?? EMPTY_VIEW);
    store.update((page) => ({ ...page, histories: new Map([[0, history]]) }));
    expect(screen.store.get().typed).toBeNull();
  });

  it('look as they did when the presenter’s window is loaded again, black included', () => {
    const { presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    presentation.toggleTheme();
    presentation.toggleBlack();
    presentation.scale(1);
    presentation.leave();
    const again = presenter();
    again.resume();
    vi.advanceTimersByTime(3000);
    expect(screen.store.get().look).toMatchObject({ theme: 'dark', black: true, scale: 1.1 });
    again.end();
    const other = presenter();
    other.resume();
    expect(other.store.get().id).toBeNull();
  });

  it('do not believe a state of the far future', () => {
    const { air, store, presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    const stranger = air.open(channelName(presentation.store.get().id ?? ''));
    let last: object = {};
    stranger.onmessage = ({ data }) => {
      if (data.type === 'shown') last = data;
    };
    store.update((page) => ({ ...page, selection: 'table:4' }));
    const look = { ...screen.store.get().look, black: true };
    stranger.postMessage({ ...last, n: Number.MAX_SAFE_INTEGER, look });
    store.update((page) => ({ ...page, selection: 'table:5' }));
    expect(screen.store.get()).toMatchObject({
      page: { selection: 'table:5' },
      look: { black: false },
    });
  });

  it('pass on no other keys than those of a clicker and of time', () => {
    const { presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const pressed: string[] = [];
    presentation.press = (key) => pressed.push(key);
    const screen = audience(presentation);
    for (const key of ['PageDown', 'r', 'b', '.', 'Enter', 'x']) screen.press(key);
    expect(pressed).toEqual(['PageDown', '.']);
  });

  it('show when the presenter’s window is closed, until it is there again', () => {
    const { presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    presentation.leave();
    expect(screen.store.get().isAway).toBe(true);
    vi.advanceTimersByTime(300);
    const again = presenter();
    again.resume();
    vi.advanceTimersByTime(3000);
    expect(screen.store.get().isAway).toBe(false);
    again.end();
    expect(screen.store.get()).toMatchObject({ isOver: true, isAway: false });
  });

  it('know of each other: a silent window is gone', () => {
    const { presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    vi.advanceTimersByTime(20_000);
    expect(presentation.store.get().audience).toBe('visible');
    screen.dispose();
    vi.advanceTimersByTime(10_000);
    expect(presentation.store.get().audience).toBe('gone');
  });

  it('share keys, answers and the look', async () => {
    const { store, presenter, audience, ask } = windows();
    const presentation = presenter();
    presentation.press = vi.fn();
    presentation.begin();
    const screen = audience(presentation);
    screen.press('PageDown');
    expect(presentation.press).toHaveBeenCalledWith('PageDown');
    await expect(screen.ask({ ask: 'files' })).resolves.toEqual(['an answer']);
    ask.mockRejectedValueOnce(new Error('no'));
    await expect(screen.ask({ ask: 'files' })).rejects.toThrow('has no answer');
    presentation.toggleCode();
    expect(screen.store.get().look.code).toBeNull();
    store.update((page) => ({ ...page, lesson: ANSWERED }));
    presentation.toggleCode();
    expect(screen.store.get().look.code).toBe('https://example.org/#v1/l.log');
    presentation.toggleCode();
    presentation.toggleBlack();
    presentation.scale(1);
    expect(screen.store.get().look).toMatchObject({ black: true, scale: 1.1 });
    expect(presentation.uncover()).toBe(true);
    expect(presentation.uncover()).toBe(false);
  });

  it('keep the answer back from a double click', () => {
    const { store, presenter, audience, next } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    store.update((page) => ({ ...page, lesson: ANSWERED }));
    presentation.next();
    expect(screen.store.get().lesson?.question?.revealed).toBeNull();
    vi.advanceTimersByTime(1000);
    presentation.next();
    expect(screen.store.get().lesson?.question?.revealed?.words).toBe('more');
    expect(next).not.toHaveBeenCalled();
    presentation.next();
    expect(next).toHaveBeenCalledOnce();
  });

  it('end the spotlight with the next step', () => {
    const { store, presenter, audience } = windows();
    const presentation = presenter();
    presentation.begin();
    const screen = audience(presentation);
    presentation.toggleSpotlight();
    expect(screen.store.get().look.spotlight).toBe(false);
    store.update((page) => ({ ...page, selection: 'table:4' }));
    presentation.toggleSpotlight();
    expect(screen.store.get().look.spotlight).toBe(true);
    store.update((page) => ({ ...page, cursor: { step: 1, detail: 0 } }));
    expect(screen.store.get().look.spotlight).toBe(false);
  });
});
