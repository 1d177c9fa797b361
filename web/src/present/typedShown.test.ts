import { expect, it } from 'vitest';
import type { OutputLine } from '../model/engine.generated';
import { type Log, newestCommand, typedShown } from './typedShown';

const line = (text: string): OutputLine => ({ spans: [{ text, style: 'plain' }] });
const output = (id: number, text: string) => ({ id, kind: 'output' as const, line: line(text) });
const input = (id: number, text: string) => ({ id, kind: 'input' as const, text });

it('is the newest command with the first lines of its answer', () => {
  const log: Log = [output(1, 'welcome'), input(2, 'kvdb put a 1'), output(3, 'ok')];
  expect(typedShown(log)).toEqual({ command: 'kvdb put a 1', lines: ['ok'] });
  expect(newestCommand(log)).toBe(2);
  expect(typedShown([...log, input(4, 'kvdb get a')])).toBeNull();
  const many = Array.from({ length: 30 }, (_, at) => output(5 + at, 'x'.repeat(1000)));
  const shown = typedShown([...log, input(4, 'hex a'), ...many]);
  expect(shown?.lines).toHaveLength(11);
  expect(shown?.lines.at(-1)).toBe('… 20 more');
  expect(shown?.lines[0]).toHaveLength(200);
});

it('is nothing before the first command', () => {
  expect(typedShown([output(1, 'welcome')])).toBeNull();
  expect(newestCommand([])).toBe(0);
});

it('is nothing where the answer is the sentence of the step on show', () => {
  const answer = output(2, 'step 5 of 679: The database is open.');
  for (const command of ['goto 5', 'back', 'forward 2', 'step entry', 'now']) {
    expect(typedShown([input(1, command), answer]), command).toBeNull();
  }
  expect(typedShown([input(1, 'back; stats'), answer])).not.toBeNull();
  const failure = { spans: [{ text: 'there is no step 9', style: 'bad' as const }] };
  expect(typedShown([input(1, 'goto 9'), { ...answer, line: failure }])).not.toBeNull();
});
