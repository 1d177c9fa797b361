import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { LessonQuestion, LessonState } from '../../model/engine.generated';
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

function show(lesson: LessonState) {
  const [type, next] = [vi.fn(), vi.fn()];
  const column = (shown: LessonState) => (
    <Offers type={type} next={next}>
      <LessonColumn lesson={shown} isBusy={false} onInspect={() => {}} />
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
  expect(screen.getByRole('status')).toHaveTextContent('Not so. They grow.');
  expect(screen.getByRole('status')).toHaveTextContent('You predicted: They shrink.');
  await userEvent.click(screen.getByRole('button', { name: /^Next/ }));
  expect(lesson.next).toHaveBeenCalledOnce();
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
