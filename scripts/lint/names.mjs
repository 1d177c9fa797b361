// What the documents name: files of this repository, and tests.

/** A path in backticks, from a folder of the repository on. */
const PATH =
  /`((?:bench|console|docs|engine|formats|fuzz|labs|scripts|tests|wasm|web)\/[\w./-]+\.(?:rs|ts|tsx|mjs|md|css))`/g;

/** `module::test`, at least two names. */
const TEST = /`([a-z_0-9]+(?:::[a-z_0-9]+)+)`/g;

/** Files and tests that documents name and that do not exist. */
export function lostNames(files) {
  const names = new Set(files.map(({ name }) => name));
  const tests = new Set(
    files
      .filter(({ name }) => name.endsWith('.rs'))
      .flatMap(({ text }) => [...text.matchAll(/\bfn (\w+)/g)].map(([, name]) => name)),
  );
  const lost = (name, what) => ({
    key: `${name} ${what}`,
    says: `${name} names \`${what}\`, which does not exist`,
  });
  return files
    .filter(({ name }) => name.endsWith('.md'))
    .flatMap(({ name, text }) => [
      ...[...text.matchAll(PATH)]
        .filter(([, file]) => !names.has(file))
        .map(([, file]) => lost(name, file)),
      ...(/^docs\/(TESTING|HISTORIES).md$/.test(name) ? [...text.matchAll(TEST)] : [])
        .filter(([, test]) => !tests.has(test.split('::').at(-1)) && !test.startsWith('levelscope'))
        .map(([, test]) => lost(name, test)),
    ]);
}
