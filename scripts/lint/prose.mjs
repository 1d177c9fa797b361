// Turns of speech that readers stumble over. What is counted stands in comments, strings and documents alike.

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

/** How often each file has each turn. */
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
