import type { OutputLine, Span } from '../model/engine.generated';

function spans(...parts: Span[]): OutputLine {
  return { spans: parts };
}

const plain = (text: string): Span => ({ text, style: 'plain' });
const strong = (text: string): Span => ({ text, style: 'strong' });
const dim = (text: string): Span => ({ text, style: 'dim' });

/** What the terminal says before anything is typed. */
export const WELCOME: OutputLine[] = [
  spans(
    strong('Levelscope'),
    plain(
      ': a real LSM-tree storage engine, at work in this page. Everything drawn is what it did.',
    ),
  ),
  spans(
    dim('try  '),
    strong('fill 60 --words --seed 7'),
    dim('   write some pairs;  '),
    strong('step'),
    dim('   watch a flush phase by phase;  '),
    strong('explain get apple'),
    dim('   see what a read asks'),
  ),
  spans(
    dim('Tab completes · ↑ ↓ history · Ctrl-R search · Ctrl-C stops · Esc leaves · help lists all'),
  ),
];

/** Keys of the page, for the help panel and for screen readers. */
export const KEYS: readonly (readonly [string, string])[] = [
  ['→ or s', 'one step: in the past along history, now of background work'],
  ['←', 'one step back; with Shift ten steps, both ways'],
  ['1 2 3', 'how far a step goes: operation, phase, detail'],
  ['o u', 'step over what comes next; step out of what this is part of'],
  ['Home End', 'to the first step, to now'],
  ['[ ]', 'to the landmark before, to the next one'],
  ['k', 'bookmark this step, or remove its bookmark'],
  ['m or menu key', 'the menu of the object in focus, or of the selected one; also right click'],
  ['w', 'why: the chain of causes'],
  ['Space or p', 'play or pause'],
  ['PgDn PgUp .', 'forward, back, play: the keys of a clicker'],
  ['r', 'run until nothing waits'],
  ['/', 'go to the terminal'],
  ['g', 'go to the picture; among bytes: go to an offset'],
  ['b', 'bytes of files; f finds bytes or text there, Esc leads back'],
  ['x', 'experiments: claims about storage engines, tried on real bytes'],
  ['?', 'this help'],
  ['← → ↑ ↓', 'in the picture: move from object to object; Enter selects'],
  ['Esc', 'in the picture: select nothing; in the terminal: leave it'],
];
