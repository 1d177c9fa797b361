// Names: files and tests that documents name, and types that are named by a participle.

import { existsSync } from 'node:fs';
import { path } from '../lib.mjs';

/** A path in backticks, from a folder of the repository on. */
const PATH =
  /`((?:\.github|bench|console|docs|engine|foreign|formats|fuzz|js|labs|lessons|mapped|scripts|tests|wasm|web)\/[\w./-]+\.(?:css|json|md|mjs|out|rs|svg|toml|ts|tsx|txt|yml))`/g;

/** Files that the build makes, and the pattern of a name. */
const ELSEWHERE = /(^|\/)dist\/|\.generated\.ts$|\/NN-/;

/** A decision that another one has replaced speaks of its own time. */
const REPLACED = /^\*\*Later\.\*\* Replaced by/m;

/** `module::test`, at least two names. */
const TEST = /`([a-z_0-9]+(?:::[a-z_0-9]+)+)`/g;

/** Files and tests that documents name and that do not exist. */
export function lostNames(files, exists = (name) => existsSync(path(name))) {
  const names = new Set(files.map(({ name }) => name));
  const tests = new Set(
    files
      .filter(({ name }) => name.endsWith('.rs'))
      .flatMap(({ text }) => [...text.matchAll(/\bfn (\w+)/g)].map(([, name]) => name)),
  );
  const lost = (name, what) => ({
    key: `${name} ${what}`,
    message: `${name} names \`${what}\`, which does not exist`,
  });
  return files
    .filter(({ name, text }) => name.endsWith('.md') && !REPLACED.test(text))
    .flatMap(({ name, text }) => [
      ...[...text.matchAll(PATH)]
        .filter(([, file]) => !ELSEWHERE.test(file) && !names.has(file) && !exists(file))
        .map(([, file]) => lost(name, file)),
      ...(/^docs\/(TESTING|HISTORIES).md$/.test(name) ? [...text.matchAll(TEST)] : [])
        .filter(([, test]) => !tests.has(test.split('::').at(-1)) && !test.startsWith('levelscope'))
        .map(([, test]) => lost(name, test)),
    ]);
}

/** A type whose whole name is a participle. */
const PARTICIPLE =
  /^[ \t]*(?:(?:export|declare|pub(?:\([a-z]+\))?) )*(?:struct|enum|trait|class|interface|type) (Told|Asked|Found|Shown|Known|Kept|Given|Held|Seen|Said|Left|Gone)(?=\s*[<={(;]|\s+extends\b)/gm;

/** Types named by what was done to a thing instead of by the thing. */
export function participles(files) {
  return files
    .filter(({ name }) => !name.startsWith('scripts/lint'))
    .flatMap(({ name, text }) =>
      [...text.matchAll(PARTICIPLE)].map(([, type]) => ({
        key: `${name} ${type}`,
        message: `${name} has a type ${type}: name it by the field's noun`,
      })),
    );
}
