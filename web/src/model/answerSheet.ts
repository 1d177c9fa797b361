// A learner's answers, for a teacher to collect. `levelscope lesson tally` of the native program counts sheets.

import { csvField } from './labs';
import type { GivenAnswer, Progress } from './progress';

/** The version of the form; the native program reads this one. */
const FORM = 1;

/** `text` identifies the text of the lesson. */
type Answer = Required<Omit<GivenAnswer, 'again'>> & { lesson: string; question: string };

/** All stored answers, by lesson, in the order in which they were given. */
export function answersOf(progress: Progress): Answer[] {
  return Object.entries(progress).flatMap(([lesson, { text: newest, answers }]) =>
    Object.entries(answers).map(([question, answer]) => {
      const { given, said = given, text = newest, engine, right } = answer;
      return { lesson, text, question, given, said, engine, right };
    }),
  );
}

/** The sheet for programs; `name` may be empty. */
export function sheetAsJson(progress: Progress, name: string): string {
  const sheet = { answerSheet: FORM, name: name.trim(), answers: answersOf(progress) };
  return `${JSON.stringify(sheet, null, 2)}\n`;
}

const COLUMNS = ['lesson', 'text', 'question', 'given', 'said', 'engine', 'right'] as const;

/** The sheet as comma-separated values, RFC 4180. */
export function sheetAsCsv(progress: Progress, name: string): string {
  const rows = answersOf(progress).map((answer) => [
    name.trim(),
    ...COLUMNS.map((column) => `${answer[column] ?? ''}`),
  ]);
  return [['name', ...COLUMNS], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell of text: a spreadsheet would run a text that begins with `=` or the like as a formula. */
function cell(text: string): string {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return csvField(tame);
}
