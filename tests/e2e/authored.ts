// The lessons as their authors wrote them: the marked answers and the solutions.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('../../lessons/', import.meta.url));

/** A lesson as its author wrote it: the right answers, in the order of the questions. */
export interface Authored {
  id: string;
  /** The numbers of the marked choices, and values; `?`: only the engine knows. */
  answers: string[];
  /** The lines that do the tasks. */
  solutions: string[][];
}

/** The text of the lesson in a file of the library. */
export const textOf = (name: string): string => readFileSync(`${LIBRARY}${name}`, 'utf8');

function authored(name: string): Authored {
  const text = textOf(name);
  const blocks = [...text.matchAll(/```levelscope\n([\s\S]*?)\n```/g)].map(([, body = '']) => body);
  const answers = blocks
    .filter((body) => body.startsWith('ask '))
    .map((body) => {
      const lines = body.split('\n');
      const choices = lines.filter((line) => /^\([ x]\) /.test(line));
      const marked = choices.findIndex((line) => line.startsWith('(x)'));
      const value = lines.find((line) => line.startsWith('= '))?.slice(2);
      return marked >= 0 ? `${marked + 1}` : (value ?? '?');
    });
  const solutions = blocks
    .filter((body) => body.startsWith('try '))
    .map((body) => {
      const [, solution = ''] = body.split('\nsolution\n');
      return solution.split('\n').map((line) => line.trim());
    });
  const id = /^id: (.*)$/m.exec(text)?.[1] ?? '';
  return { id, answers, solutions };
}

/** The lessons of the library, in their order. */
export const lessons = readdirSync(LIBRARY)
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map(authored);
