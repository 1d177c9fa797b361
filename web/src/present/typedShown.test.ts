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
