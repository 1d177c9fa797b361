import { SPEEDS } from './page';
import type { Grain } from './timelineWalk';
import type { Goal } from './travel';

/** A command that the page carries out itself. */
export type OwnCommand =
  | { verb: 'clear' }
  | { verb: 'pause' }
  | { verb: 'play'; stepsPerSecond: number | null }
  | { verb: 'go'; goal: Goal }
  | { verb: 'refused'; why: string };

/** Reads `play`, `pause`, `clear`, `back`, `forward`, `goto` and `now`; anything else is the engine's. */
export function readOwn(line: string, grain: Grain): OwnCommand | null {
  const words = line.trim().split(/\s+/);
  const [verb, word] = words;
  if (words.length > 2) return null;
  switch (verb) {
    case 'clear':
    case 'pause':
      return word === undefined ? { verb } : null;
    case 'play':
      return play(word);
    case 'now':
      return word === undefined ? { verb: 'go', goal: { to: 'now' } } : null;
    case 'back':
    case 'forward': {
      const count = word === undefined ? 1 : whole(word);
      if (count === null) return { verb: 'refused', why: `${verb} takes a number of steps` };
      const direction = verb === 'back' ? -1 : 1;
      return { verb: 'go', goal: { to: 'walk', grain, count: direction * count } };
    }
    case 'goto': {
      const step = word === undefined ? null : whole(word);
      if (step === null) return { verb: 'refused', why: 'goto takes the number of a step' };
      return { verb: 'go', goal: { to: 'step', step } };
    }
    default:
      return null;
  }
}

function whole(word: string): number | null {
  return /^[1-9]\d{0,14}$/.test(word) ? Number(word) : null;
}

function play(speed: string | undefined): OwnCommand {
  if (speed === undefined) return { verb: 'play', stepsPerSecond: null };
  const known = SPEEDS.find(({ name }) => plainSpeed(name) === speed);
  if (known) return { verb: 'play', stepsPerSecond: known.stepsPerSecond };
  const names = SPEEDS.map(({ name }) => plainSpeed(name)).join(', ');
  return { verb: 'refused', why: `play takes one of these speeds: ${names}` };
}

function plainSpeed(name: string): string {
  return name === '½×' ? '0.5' : name.replace('×', '');
}

/** The command that plays at this speed. */
export function playCommand(stepsPerSecond: number): string {
  const speed = SPEEDS.find((known) => known.stepsPerSecond === stepsPerSecond);
  return `play ${speed ? plainSpeed(speed.name) : '1'}`;
}

/** What one step of background work is called at each grain. */
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

/** Verbs about the whole session: they mean the same wherever the page looks. */
const SESSION = /^\s*(fork|branch|branches|break)(\s|$)/;

/**
 * How a line is asked while the page looks at the past: of which step, and in which words. `fork` alone
 * means from here.
 */
export function askedInPast(line: string, at: number | null): { line: string; at: number | null } {
  if (at === null || !SESSION.test(line)) return { line, at };
  return { line: line.trim() === 'fork' ? `fork ${at}` : line, at: null };
}
