import type { OutputLine } from '../model/engine.generated';
import { line } from '../terminal/session';

/** The terminal's lines before anything is typed. */
export const WELCOME: OutputLine[] = [
  {
    spans: [
      { text: 'Levelscope', style: 'strong' },
      {
        text: ': a real LSM-tree storage engine, at work in this page. The picture shows what it did.',
        style: 'plain',
      },
    ],
  },
  line(
    'Tab completes · ↑ ↓ history · Ctrl-R search · Ctrl-C stops · Esc leaves · help lists all',
    'dim',
  ),
];

/** Keys of the page by the focus that they need, for the help panel and for screen readers. */
export const KEYS = [
  {
    where: 'Clicker keys (anywhere, unless you are typing)',
    keys: [
      ['PgDn PgUp', 'one step forward, one step back; a hidden verdict is revealed first'],
      ['F5', 'begin or end the presentation: everything larger, the stage alone'],
      ['.', 'darken the page, or show it again'],
      ['Esc', 'leave the terminal, a window, bytes, experiments, darkness or the presentation'],
    ],
  },
  {
    where: 'On the page, while nothing is being typed',
    keys: [
      ['→ or s', 'one step: in the past along history, now of background work'],
      ['←', 'one step back; with Shift ten steps, both ways'],
      ['1 2 3', 'step size: operation, phase, detail'],
      ['o u', 'step over; step out'],
      ['Home End', 'to the first step, to now'],
      ['[ ]', 'previous landmark; next landmark'],
      ['v', 'predict: hide each verdict until it is revealed'],
      ['+ - 0', 'everything larger, smaller, as designed'],
      ['t i', 'fold or open the terminal; hide or show the side panel'],
      ['k', 'bookmark this step, or remove its bookmark'],
      ['w c', 'why: the chain of causes; crash: a power failure here'],
      ['Space or p', 'play or pause'],
      ['r', 'run all pending work'],
      ['n', 'in a lesson: go on, or type its next line'],
      ['/ g', 'go to the terminal; go to the picture'],
      ['b x', 'bytes of files; experiments: claims tried on real bytes'],
      ['m or Menu', 'the menu of the object in focus, or of the selected one'],
      ['?', 'this help'],
    ],
  },
  {
    where: 'In the picture, once a key has led there',
    keys: [
      ['← → ↑ ↓', 'move from object to object; Space selects'],
      [
        'Enter',
        'look inside a table, memtable or log, a part of it, the bytes of an entry; select anything else',
      ],
      ['Esc', 'one level out; select nothing'],
    ],
  },
  {
    where: 'Among bytes',
    keys: [
      ['g f', 'go to an offset; find bytes or text'],
      ['PgDn PgUp', 'one page of bytes'],
    ],
  },
] as const;
