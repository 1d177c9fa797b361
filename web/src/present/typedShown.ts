// A command that made no step, such as those on files of other programs: the picture does not show it, so the audience reads
// what was typed and answered. Pure.

import type { OutputLine } from '../model/engine.generated';
import { cutEnd } from '../model/keys';

/** A command and the first lines of its answer, as text. */
export type Typed = NonNullable<ReturnType<typeof typedShown>>;

/** The part of the terminal's log that is used. */
export type Log = readonly (
  | { id: number; kind: 'input'; text: string }
  | { id: number; kind: 'output'; line: OutputLine }
)[];

/** Lines that a room can read beside the picture. */
const LINES_MAX = 10;
/** Most letters of a line. */
const LINE_MAX = 200;

/** Commands that move through time: their answer is the sentence above the picture. */
const TRAVEL = /^\s*(?:step|back|forward|goto|now|until)\b[^;]*$/;

/** The number of the newest command of a log; 0: there is none. */
export function newestCommand(log: Log): number {
  return log.findLast(({ kind }) => kind === 'input')?.id ?? 0;
}

/** The newest command with its answer; `null`: there is none, it printed nothing, or only the sentence of the step on show. */
export function typedShown(log: Log) {
  const at = log.findLastIndex(({ kind }) => kind === 'input');
  const input = log[at];
  if (input?.kind !== 'input') return null;
  const printed = log
    .slice(at + 1)
    .flatMap((entry) => (entry.kind === 'output' ? [entry.line] : []));
  const isFailure = printed.some(({ spans }) => spans.some(({ style }) => style === 'bad'));
  if (printed.length === 0 || (TRAVEL.test(input.text) && !isFailure)) return null;
  const lines = printed
    .slice(0, LINES_MAX)
    .map(({ spans }) => cutEnd(spans.map(({ text }) => text).join(''), LINE_MAX));
  const more = printed.length - lines.length;
  return {
    command: cutEnd(input.text, LINE_MAX),
    lines: more > 0 ? [...lines, `… ${more} more`] : lines,
  };
}
