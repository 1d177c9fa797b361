// Turns of speech that readers stumble over, counted in comments, strings and documents alike.

import { lineCount } from './source.mjs';

const TURNS = {
  nobody: /\bnobody('s)?\b/gi,
  anybody: /\b(anybody|everybody|someone)\b/gi,
  somebody: /\b(somebody|whoever)\b/gi,
  // For time, "after". A place in space is all right, as one of the exceptions.
  behind: /\bbehind\b/gi,
  'what is':
    /\bwhat (is|was|are|were|has|had)\b(?=[^.?!\n"'`]{1,60}\b(is|was|are|were|has|had)\b)/gi,
  'whatever else': /\bwhatever else\b/gi,
  'in vain': /\bin vain\b/gi,
  halving: /\bhalving\b/gi,
  'front to back': /\bfrom front to back\b/gi,
  // A doc comment names the thing.
  'empty comment':
    /\/(?:\/\/|\*\*) (which one|how many|that many|its content|why|where)\.(?= ?\*\/|\n)/gi,
  'takes away': /\b(take|takes|taken|took) [^.\n]{0,30}\baway\b/gi,
};

/** The number of each turn in each file. */
export function turns(files) {
  return files
    .filter(({ name }) => !name.startsWith('scripts/lint'))
    .flatMap(({ name, text }) =>
      Object.entries(TURNS).flatMap(([turn, pattern]) => {
        const size = [...text.matchAll(pattern)].length;
        if (size === 0) return [];
        const message = `${name} has "${turn}" ${size}×`;
        return [{ key: `${name} ${turn}`, size, message }];
      }),
    );
}

/** Tell and say, also as a part of a name: where return, report, contain, print, record, name or mean is the verb. */
const VAGUE =
  /(?<![A-Za-z])(?:tell|tells|told|telling|say|says|said|saying)(?![a-z])|(?:Tell|Tells|Told|Telling|Say|Says|Said|Saying)(?![a-z])/g;
const GENERATED = /^docs\/(EVENTS|GLOSSARY|OPTIONS)\.md$/;
const PER_LINES = 10_000;
const VAGUE_MAX = 5;

/** Folders with more vague verbs in 10,000 lines than a text may need, and their number; documents outside of folders count as `docs`. */
export function vagueVerbs(files) {
  const counts = new Map();
  for (const { name, text } of files) {
    if (name.startsWith('scripts/lint') || GENERATED.test(name)) continue;
    const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : 'docs';
    const [verbs, lines] = counts.get(folder) ?? [0, 0];
    counts.set(folder, [verbs + [...text.matchAll(VAGUE)].length, lines + lineCount(text)]);
  }
  return [...counts].flatMap(([folder, [verbs, lines]]) => {
    if (Math.round((verbs * PER_LINES) / lines) <= VAGUE_MAX) return [];
    const message = `${folder}/ has "tell" or "say" ${verbs}× in ${lines} lines: use the exact verb`;
    return [{ key: folder, size: verbs, message }];
  });
}
