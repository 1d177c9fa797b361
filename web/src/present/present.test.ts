import { describe, expect, it } from 'vitest';
import type { LessonQuestion, LessonState } from '../model/engine.generated';
import { FIRST_PAGE } from '../model/page';
import { type Page, shown } from '../model/shown';
import { busyView } from '../testing/sample';
import { addressOf, presentationIn } from './address';
import { clockText, isLate } from './clock';
import { lessonShown } from './lessonShown';
import { FIRST_LOOK, scaled } from './look';
import { nextAct, nextText } from './nextAct';
import { discussed, NO_POLL, type Poll, type Polls, pollKey, typed, withBars } from './polls';
import { readToAudience, readToPresenter, VERSION } from './protocol';
import { pageFrom, shownOf } from './shown';

const QUESTION: LessonQuestion = {
  name: 'size',
  text: [{ is: 'text', text: 'How do the bytes change?' }],
  kind: 'choice',
  choices: [[{ is: 'text', text: 'They shrink.' }], [{ is: 'text', text: 'They grow.' }]],
  given: null,
  revealed: null,
};
const REVEALED = { choice: 2, words: 'They grow.', right: null, because: null };

function lesson(question: Partial<LessonQuestion>, rest: Partial<LessonState> = {}): LessonState {
  return {
    head: { id: 'log', title: 'Log', minutes: 10, level: 1, goal: '', needs: [], source: null },
    textHash: 7,
    kind: 'lesson',
    scenes: [
      { title: [], at: 0 },
      { title: [{ is: 'text', text: 'Bytes' }], at: 1 },
    ],
    scene: 1,
    items: [{ number: 3, what: { is: 'ask', ...QUESTION, ...question } }],
    waits: { until: 'answered', name: 'size' },
    strayed: false,
    at: 4,
    end: 9,
    ...rest,
  };
}

const polls = (poll: Partial<Poll>): Polls =>
  new Map([[pollKey(lesson({}), 'size'), { ...NO_POLL, ...poll }]]);

describe('hands', () => {
  it('are counted unseen, shown as bars, discussed, and counted once more', () => {
    let poll = typed(typed(NO_POLL, 1, '1x2'), 0, '3');
    expect(poll.typed).toEqual(['3', '12']);
    expect(lessonShown(lesson({}), polls(poll))?.counts).toEqual([]);
    expect(nextAct(lesson({}), polls(poll)).act).toBe('bars');
    poll = withBars(poll, QUESTION);
    expect(poll).toMatchObject({ counts: [[3, 12]], typed: [] });
    expect(discussed(poll).discusses).toBe(true);
    poll = withBars(typed(discussed(poll), 0, '15'), QUESTION);
    expect(poll).toMatchObject({
      counts: [
        [3, 12],
        [15, 0],
      ],
      discusses: false,
    });
    expect(nextAct(lesson({}), polls(poll))).toEqual({ act: 'answer', answer: '1' });
    expect(nextAct(lesson({}), polls({}))).toEqual({ act: 'answer', answer: '?' });
  });
});

describe('the answer of the engine', () => {
  it('is kept from the audience until the presenter reveals it', () => {
    const answered = lesson(
      { given: '1', revealed: REVEALED },
      { waits: { until: 'read', scene: false } },
    );
    expect(lessonShown(answered, polls({}))?.question?.revealed).toBeNull();
    expect(JSON.stringify(lessonShown(answered, polls({})))).not.toContain('"choice":2');
    expect(nextText(answered, polls({}))).toBe('Reveal the answer');
    const revealed = polls({ revealedAt: 4 });
    expect(lessonShown(answered, revealed)?.question?.revealed).toEqual(REVEALED);
    expect(nextAct(answered, revealed).act).toBe('go on');
    // It stands until the lesson goes on.
    expect(lessonShown({ ...answered, at: 5 }, revealed)?.question).toBeNull();
  });
});

describe('the look', () => {
  it('stays within its sizes', () => {
    let look = FIRST_LOOK;
    for (let press = 0; press < 20; press += 1) look = scaled(look, 1);
    expect(look.scale).toBe(1.6);
    for (let press = 0; press < 20; press += 1) look = scaled(look, -1);
    expect(look.scale).toBe(0.8);
    expect(scaled(look, 0).scale).toBe(1);
  });

  it('has a clock', () => {
    expect([clockText(0), clockText(65_000), clockText(3_723_000)]).toEqual([
      '0:00',
      '1:05',
      '1:02:03',
    ]);
    expect([isLate(60_001, 1), isLate(60_000, 1), isLate(9e9, null)]).toEqual([true, false, false]);
  });
});

describe('messages', () => {
  const view = busyView();
  const page: Page = shown({ ...FIRST_PAGE, connection: { state: 'open' } });
  const message = (drawn = { ...page, view }) => ({
    v: VERSION,
    type: 'shown',
    n: 3,
    page: shownOf(drawn, 1),
    lesson: lessonShown(lesson({}), new Map()),
    typed: { command: 'kvdb get a', lines: ['1'] },
    look: FIRST_LOOK,
  });

  it('bring over what is drawn', () => {
    const read = readToAudience(JSON.parse(JSON.stringify(message())));
    if (read?.type !== 'shown') throw new Error('it was not read');
    const arrived = pageFrom(read.page);
    expect(arrived.view).toEqual(view);
    expect(arrived.place).toEqual(page.place);
    expect(read.lesson?.question?.name).toBe('size');
  });

  it('are at most 64 KiB long with 400 tables', () => {
    const tables = view.levels[1]?.tables ?? [];
    const many = Array.from({ length: 400 }, (_, at) => tables[at % tables.length]);
    const levels = view.levels.map((level, at) => (at === 1 ? { ...level, tables: many } : level));
    const drawn = { ...page, view: { ...view, levels } as typeof view };
    expect(JSON.stringify(message(drawn)).length).toBeLessThan(65_536);
  });

  it.each([
    null,
    'shown',
    { v: 'another build', type: 'over' },
    { v: VERSION, type: 'toString' },
    { ...message(), look: null },
    { ...message(), n: -1 },
    { ...message(), page: { ...shownOf(page, 1), view: { levels: 'none' } } },
    { ...message(), page: { ...shownOf(page, 1), view: { levels: [{ tables: [7] }] } } },
  ])('that are none are dropped: %#', (value) => expect(readToAudience(value)).toBeNull());

  it('from the audience are keys, signs and questions, and nothing else', () => {
    for (const value of [
      { v: VERSION, type: 'hello' },
      { v: VERSION, type: 'here', n: 3, visible: true, width: 1280, height: 720 },
      { v: VERSION, type: 'key', key: 'PageDown' },
      { v: VERSION, type: 'ask', id: 1, query: { ask: 'files' } },
    ]) {
      expect(readToPresenter(value)).toEqual(value);
    }
    for (const value of [
      { v: VERSION, type: 'ask', id: 1, query: { ask: 'command', line: 'reset --yes' } },
      { v: VERSION, type: 'command', line: 'reset --yes' },
      { v: VERSION, type: 'here', n: 3, visible: 'yes', width: 1, height: 1 },
    ]) {
      expect(readToPresenter(value)).toBeNull();
    }
  });

  it('travel between the windows of one address', () => {
    expect(presentationIn(addressOf('abc123'))).toBe('abc123');
    for (const other of ['#present/', '#present/<b>', '#present/a', '#table:4', '']) {
      expect(presentationIn(other)).toBeNull();
    }
  });
});
