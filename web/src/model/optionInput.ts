import { wordOfText } from './commandWords';
import type { OptionState } from './engine.generated';

/** Whether a typed value may be sent. */
export type Checked = { ok: true; text: string } | { ok: false; problem: string };

const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Whether the option takes only its words: no word is followed by a value. */
export function isClosed({ words }: OptionState): boolean {
  return words.length > 0 && !words.some(goesOn);
}

function goesOn(word: string): boolean {
  return word.endsWith(':');
}

/** Whether `value` is one of the words, or one with a value after it. */
function fitsWords({ words }: OptionState, value: string): boolean {
  return words.some((word) =>
    goesOn(word) ? value.startsWith(word) && value.length > word.length : value === word,
  );
}

/** Checks a value by the engine's rules; the engine's own answer decides. */
export function checkOption(option: OptionState, text: string): Checked {
  const value = text.trim();
  if (option.words.length > 0) {
    const fits = fitsWords(option, value);
    return fits ? { ok: true, text: value } : { ok: false, problem: `takes ${option.unit}` };
  }
  const match = /^(\d[\d_]*)([kmg]?)$/i.exec(value);
  const number =
    Number(match?.[1]?.replaceAll('_', '')) * (FACTORS[match?.[2]?.toLowerCase() ?? ''] ?? 1);
  if (!match || !Number.isFinite(number)) {
    return { ok: false, problem: 'takes a number such as 4096, 64k or 2m' };
  }
  if (number < option.min || number > option.max) {
    return { ok: false, problem: `must be ${rangeText(option)}` };
  }
  return { ok: true, text: value };
}

/** The commands that apply `changes`. */
export function optionCommands(changes: Readonly<Record<string, string>>): string[] {
  return Object.entries(changes).map(([name, value]) => `options set ${name} ${wordOfText(value)}`);
}

/** The range of a number as it may be typed: `64 – 1g bytes`. */
export function rangeText(option: OptionState): string {
  return `${short(option.min)} – ${short(option.max)} ${option.unit}`.trimEnd();
}

/** Its default as it may be typed: `4m`. */
export function defaultText({ words, default: value }: OptionState): string {
  return words.length > 0 ? value : short(Number(value));
}

function short(value: number): string {
  for (const [letter, factor] of Object.entries(FACTORS).reverse()) {
    if (letter !== '' && value >= factor && value % factor === 0)
      return `${value / factor}${letter}`;
  }
  return String(value);
}
