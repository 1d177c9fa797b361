import { type Typed, wordOfName, wordsOfLine } from './commandWords';
import type { Grain } from './engine.generated';
import { PAGE_VERBS, SPEEDS } from './engine.generated';
import { idOfName } from './files';
import { parseSelection } from './selection';
import type { Goal } from './travel';

/** A command that the page carries out itself. */
export type OwnCommand =
  | { verb: 'clear' }
  | { verb: 'pause' }
  | { verb: 'play'; stepsPerSecond: number | null }
  | { verb: 'go'; goal: Goal }
  /** Shows the bytes of an object; `null`: of what is selected. */
  | { verb: 'bytes'; selection: string | null }
  /** Sets a bookmark; no name keeps the one that it has, no step means the one shown. */
  | { verb: 'bookmark'; step: number | null; name: string | null }
  | { verb: 'unmark'; step: number | null }
  | { verb: 'bookmarks' }
  /** Shows the last comparison again. */
  | { verb: 'compare' }
  | { verb: 'refused'; why: string };

/** Reads the words after a verb of the page; `null` leaves the line to the console. */
type Read = (words: readonly string[], grain: Grain, typed: readonly Typed[]) => OwnCommand | null;

type PageVerb = (typeof PAGE_VERBS)[number];

/** Every verb that the engine's console leaves to the page. */
const READ: Readonly<Record<PageVerb, Read>> = {
  back: (words, grain) => steps('back', words, grain, -1),
  forward: (words, grain) => steps('forward', words, grain, 1),
  goto: (words) => {
    const step = words.length === 1 ? whole(words[0]) : null;
    if (step === null) return refused('goto takes the number of a step');
    return { verb: 'go', goal: { to: 'step', step } };
  },
  now: alone({ verb: 'go', goal: { to: 'now' } }),
  play: (words) => (words.length > 1 ? refused('play takes one speed') : play(words[0])),
  pause: alone({ verb: 'pause' }),
  clear: alone({ verb: 'clear' }),
  bytes: (words) => {
    const [word] = words;
    if (word === undefined) return { verb: 'bytes', selection: null };
    // A number alone is a table, as in the questions about files.
    const selection = idOfName(word) ?? word.replace(/^(?=\d+(\/|$))/, 'table:');
    if (words.length === 1 && parseSelection(selection)) return { verb: 'bytes', selection };
    return refused('bytes takes a file or a part of one, such as table:12/block:2');
  },
  bookmark: (_words, _grain, typed) => bookmark(typed),
};

/** Reads a line that the page carries out itself; anything else is the engine's. */
export function readOwn(line: string, grain: Grain): OwnCommand | null {
  // Several commands are a line for the engine, which refuses what only a page can do.
  const [first, ...typed] = wordsOfLine(line) ?? [];
  const verb = first?.text.toLowerCase() ?? '';
  const words = typed.map(({ text }) => text);
  // Without words, the last comparison is shown again.
  if (verb === 'compare' && words.length === 0) return { verb };
  return isOwn(verb) ? READ[verb](words, grain, typed) : null;
}

function isOwn(verb: string): verb is PageVerb {
  return (PAGE_VERBS as readonly string[]).includes(verb);
}

function refused(why: string): OwnCommand {
  return { verb: 'refused', why };
}

function alone(command: OwnCommand): Read {
  return (words) => (words.length === 0 ? command : null);
}

function steps(
  verb: string,
  words: readonly string[],
  grain: Grain,
  direction: 1 | -1,
): OwnCommand {
  const count = words.length === 0 ? 1 : whole(words[0]);
  if (count === null || words.length > 1) return refused(`${verb} takes a number of steps`);
  return { verb: 'go', goal: { to: 'walk', grain, count: direction * count } };
}

function whole(word: string | undefined): number | null {
  return word !== undefined && /^[1-9]\d{0,14}$/.test(word) ? Number(word) : null;
}

/** `bookmark [NAME] [--at STEP] [--delete]` or `bookmark --list`; the words of a name need no quotes. */
function bookmark(words: readonly Typed[]): OwnCommand {
  const isFlag = (word: Typed | undefined, flag = '') =>
    word?.isBare === true && word.text.startsWith('--') && (flag === '' || word.text === flag);
  if (words.length === 1 && isFlag(words[0], '--list')) return { verb: 'bookmarks' };
  const name: string[] = [];
  let step: number | null = null;
  let deletes = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (isFlag(word, '--delete')) {
      deletes = true;
    } else if (isFlag(word, '--at')) {
      index += 1;
      step = whole(words[index]?.text);
      if (step === null) return refused('--at takes the number of a step');
    } else if (isFlag(word)) {
      return refused(`bookmark has no option ${word?.text}`);
    } else {
      name.push(word?.text ?? '');
    }
  }
  if (deletes && name.length > 0) return refused('bookmark --delete takes no name');
  if (deletes) return { verb: 'unmark', step };
  return { verb: 'bookmark', step, name: name.length === 0 ? null : name.join(' ') };
}

/** The command that gives the bookmark at `step` this name. */
export function renameCommand(step: number, name: string): string {
  return `bookmark ${wordOfName(name.trim())} --at ${step}`;
}

function play(speed: string | undefined): OwnCommand {
  if (speed === undefined) return { verb: 'play', stepsPerSecond: null };
  const known = SPEEDS.find(({ word }) => word === speed);
  if (known) return { verb: 'play', stepsPerSecond: known.stepsPerSecond };
  const names = SPEEDS.map(({ word }) => word).join(', ');
  return refused(`play takes one of these speeds: ${names}`);
}

/** The command that plays at this speed. */
export function playCommand(stepsPerSecond: number): string {
  const speed = SPEEDS.find((known) => known.stepsPerSecond === stepsPerSecond);
  return `play ${speed?.word ?? '1'}`;
}

/** The name of one step of background work at each grain. */
const WORK = { operation: 'job', phase: 'phase', detail: 'entry' } as const;

/** The grain of background work that fits that of the cursor. */
export function workGrain(grain: Grain): 'job' | 'phase' | 'entry' {
  return WORK[grain];
}

/** The command for `count` steps of background work. */
export function stepCommand(grain: Grain, count = 1): string {
  const work = workGrain(grain);
  const words = ['step', ...(work === 'phase' ? [] : [work]), ...(count === 1 ? [] : [count])];
  return words.join(' ');
}
