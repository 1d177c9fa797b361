import { describe, expect, it, vi } from 'vitest';
import type { LessonState } from '../model/engine.generated';
import { FIRST_PAGE, type PageState } from '../model/page';
import { createStore } from '../model/store';
import { LessonControls } from './lessonControls';

const LESSON: LessonState = {
  head: { id: 'log', title: 'Log', minutes: 10, level: 1, goal: '', needs: [], source: null },
  textHash: 7,
  kind: 'lesson',
  scenes: [
    { title: [], at: 0 },
    { title: [{ is: 'text', text: 'One write' }], at: 3 },
  ],
  scene: 0,
  items: [],
  waits: { until: 'read', scene: false },
  strayed: false,
  at: 1,
  end: 9,
};

function controls(setItem: (key: string, value: string) => void, page: Partial<PageState> = {}) {
  const typed: string[] = [];
  const desk = {
    store: createStore<PageState>({ ...FIRST_PAGE, ...page }),
    engine: { ask: () => Promise.reject(new Error('not in this test')) },
    terminal: { note: vi.fn() },
    type: (command: string) => typed.push(command),
    go: vi.fn(),
  };
  const lessons = new LessonControls(desk as never, { getItem: () => null, setItem });
  return { lessons, typed, desk };
}

const lesson = (state: LessonState) => ({ type: 'lesson', lesson: state }) as const;

describe('lessons', () => {
  it('are kept, and report a browser that keeps nothing', () => {
    const kept = new Map<string, string>();
    const { lessons } = controls((key, value) => kept.set(key, value));
    lessons.hear(lesson(LESSON));
    expect(lessons.isKept.get()).toBe(true);
    expect(kept.get('levelscope.progress')).toContain('"log"');
    const full = controls(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    full.lessons.hear(lesson(LESSON));
    expect(full.lessons.isKept.get()).toBe(false);
    expect(full.lessons.progress.get().log?.at).toBe(1);
  });

  it('are forgotten one by one, or all together', () => {
    const { lessons } = controls(() => {});
    for (const id of ['log', 'table', 'power']) {
      lessons.hear(lesson({ ...LESSON, head: { ...LESSON.head, id } }));
    }
    lessons.forget('table');
    expect(Object.keys(lessons.progress.get())).toEqual(['log', 'power']);
    lessons.forget(null);
    expect(lessons.progress.get()).toEqual({});
  });

  it('begin at the scene of a link, once', () => {
    const { lessons, typed } = controls(() => {}, {
      connection: { ...FIRST_PAGE.connection, state: 'open' },
    } as Partial<PageState>);
    lessons.follow('v1/l.log/one-write');
    expect(typed).toEqual(['lesson start log']);
    lessons.hear(lesson(LESSON));
    lessons.hear(lesson(LESSON));
    expect(typed).toEqual(['lesson start log', 'lesson start log --at 3']);
    lessons.follow('v1/l.log;reset --yes');
    expect(typed).toHaveLength(2);
  });

  it('keep the database of a link when its last line has run', () => {
    const { lessons, typed, desk } = controls(() => {});
    const over: LessonState = { ...LESSON, kind: 'script', waits: { until: 'over' } };
    desk.store.update((page) => ({ ...page, lesson: over }));
    lessons.next();
    expect(lessons.turn(true)).toBe(true);
    expect(typed).toEqual([]);
  });

  it('come back into sight before they go on', () => {
    const { lessons, typed, desk } = controls(() => {});
    desk.store.update((page) => ({ ...page, lesson: LESSON }));
    lessons.inspect(true);
    lessons.next();
    expect([lessons.inspects.get(), typed]).toEqual([false, []]);
    lessons.next();
    expect(typed).toEqual(['next']);
  });
});
