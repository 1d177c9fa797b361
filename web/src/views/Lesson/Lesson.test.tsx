import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type {
  LessonPart,
  LessonQuestion,
  LessonState,
  LessonTask,
} from '../../model/engine.generated';
import type { Progress } from '../../model/progress';
import { Offers } from '../../testing/Offers';
import { LessonColumn } from './LessonColumn';

const QUESTION: LessonQuestion = {
  name: 'size',
  text: [{ is: 'text', text: 'How do the bytes change?' }],
  kind: 'choice',
  choices: [[{ is: 'text', text: 'They shrink.' }], [{ is: 'code', text: '<b>They grow.</b>' }]],
  given: null,
  revealed: null,
};

function state(question: Partial<LessonQuestion>, rest: Partial<LessonState> = {}): LessonState {
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

function show(lesson: LessonState, progress: Progress = {}) {
  const [type, next] = [vi.fn(), vi.fn()];
  const column = (shown: LessonState) => (
    <Offers type={type} next={next} progress={progress}>
      <div className="terminal-pane">
        <input aria-label="Terminal" />
      </div>
      <LessonColumn
        lesson={shown}
        isBusy={false}
        onInspect={() => {}}
        onType={() => {}}
        onLink={null}
      />
    </Offers>
  );
  const { rerender } = render(column(lesson));
  return { type, next, show: (shown: LessonState) => rerender(column(shown)) };
}

it('takes a prediction only when it is given, and shows it beside the answer', async () => {
  const lesson = show(state({}));
  const shrink = screen.getByRole('radio', { name: 'They shrink.' });
  expect(shrink).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Answer' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: /Next/ })).toBeNull();
  await userEvent.click(shrink);
  expect(lesson.type).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  expect(lesson.type).toHaveBeenLastCalledWith('answer 1');
  const revealed = { choice: 2, words: 'They grow.', right: false, because: null };
  const read = { until: 'read', scene: false } as const;
  lesson.show(state({ given: '1', revealed }, { waits: read }));
  expect(screen.getByRole('status')).toHaveTextContent('Not quite: They grow.');
  expect(screen.getByRole('status')).toHaveTextContent('You predicted: They shrink.');
  await userEvent.click(screen.getByRole('button', { name: /^Next/ }));
  expect(lesson.next).toHaveBeenCalledOnce();
});

it('shows the prediction of an earlier visit beside the answer, but never before it', () => {
  const answers = { size: { given: '1', engine: 'They grow.', right: false } };
  const progress = { log: { text: 7, at: 4, end: 9, done: false, answers } };
  const lesson = show(state({}), progress);
  expect(screen.getByRole('radio', { name: 'They shrink.' })).not.toBeChecked();
  const revealed = { choice: 2, words: 'They grow.', right: null, because: null };
  const read = { until: 'read', scene: false } as const;
  lesson.show(state({ revealed }, { waits: read }));
  expect(screen.getByRole('status')).toHaveTextContent('Not quite: They grow.');
  expect(screen.getByRole('status')).toHaveTextContent('You predicted: They shrink.');
});

it('marks the part of a line that is typed already', () => {
  const lines = ['put a 1; put b 2', 'flush'];
  const what: LessonPart = { is: 'run', lines, ran: 0, ends: [], wrong: [] };
  const items = [{ number: 2, what }];
  show(state({}, { items, waits: { until: 'typed', line: 'put b 2' } }));
  expect(screen.getByText('put a 1;')).toHaveClass('typed');
  expect(screen.getByText('put b 2', { selector: 'li code' })).not.toHaveClass('typed');
});

it('leads on from the terminal once a task is done, and not while lines are typed there', () => {
  const done = { until: 'done', name: 'size' } as const;
  const read = { until: 'read', scene: false } as const;
  const lesson = show(state({}, { items: [], waits: { until: 'typed', line: 'flush' } }));
  const line = screen.getByRole('textbox', { name: 'Terminal' });
  line.focus();
  lesson.show(state({}, { items: [], waits: read }));
  expect(line).toHaveFocus();
  lesson.show(state({}, { items: [], waits: done }));
  line.focus();
  lesson.show(state({}, { items: [], waits: read }));
  expect(screen.getByRole('button', { name: /^Next/ })).toHaveFocus();
});

it('shows an answer that was typed into the terminal', () => {
  const lesson = show(state({}));
  const line = { until: 'typed', line: 'flush' } as const;
  lesson.show(state({ given: '1' }, { waits: line }));
  expect(screen.getByRole('radio', { name: 'They shrink.' })).toBeChecked();
});

it('shows markup of a lesson as text, and quotes a value for the console', async () => {
  const lesson = show(state({ kind: 'word', choices: [], text: [{ is: 'text', text: '<img>' }] }));
  expect(screen.getByText('<img>')).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'A word' }), 'a "b\\{Enter}');
  expect(lesson.type).toHaveBeenLastCalledWith('answer "a \\"b\\\\"');
});

it('offers the way back where commands of one’s own have changed the database', () => {
  show(state({}, { strayed: true }));
  expect(screen.getByRole('button', { name: /^Back to the lesson/ })).toBeVisible();
});

it('names what a task misses, and offers a fresh start only where the engine does', () => {
  const task: LessonTask = {
    name: 'gone',
    text: [{ is: 'text', text: 'Delete apple.' }],
    outcome: null,
    missing: [],
    startsOver: false,
    hints: [],
    hintsLeft: 1,
    solution: [],
  };
  const waits = { until: 'done', name: 'gone' } as const;
  const of = (more: Partial<LessonTask>): LessonState => {
    const what: LessonPart = { is: 'try', ...task, ...more };
    return state({}, { items: [{ number: 2, what }], waits });
  };
  const lesson = show(of({}));
  expect(screen.queryByText('Not done yet.')).toBeNull();
  lesson.show(of({ missing: [[{ is: 'text', text: 'apple has a value.' }]] }));
  expect(screen.getByRole('status')).toHaveTextContent('Not done yet.apple has a value.');
  expect(screen.queryByText(/fresh start/)).toBeNull();
  lesson.show(of({ startsOver: true }));
  expect(screen.getByText(/fresh start/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Start over' })).toBeVisible();
});

it('leaves the database of a link by its own button, not by the key that ran the lines', async () => {
  const script: Partial<LessonState> = { kind: 'script', scene: 0, items: [], at: 9 };
  const lesson = show(state({}, { ...script, waits: { until: 'typed', line: 'put a 1' } }));
  const run = screen.getByRole('button', { name: /^Run put a 1/ });
  expect(run).toHaveFocus();
  lesson.show(state({}, { ...script, waits: { until: 'over' } }));
  const leave = screen.getByRole('button', { name: 'Back to your own database' });
  expect(leave).not.toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(lesson.type).not.toHaveBeenCalled();
  await userEvent.click(leave);
  expect(lesson.type).toHaveBeenCalledWith('leave');
});

it('scrolls a question into view with its buttons', () => {
  const seen: Element[] = [];
  Element.prototype.scrollIntoView = function scrolled(this: Element) {
    seen.push(this);
  };
  show(state({ kind: 'number', choices: [] }));
  const field = screen.getByRole('textbox', { name: 'A number' });
  expect(seen).toEqual([field.closest('form'), field]);
  expect(seen[0]).toContainElement(screen.getByRole('button', { name: 'I do not know' }));
});
