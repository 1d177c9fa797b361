// The rules of the house that no other tool knows: sizes, directions of imports, turns of speech,
// names and links in documents.
//   node scripts/lint.mjs             fails on what breaks a rule and is not in scripts/lint/exceptions.json
//   node scripts/lint.mjs --tighten   takes from the exceptions what is not needed any more; it never adds any

import { readFileSync, writeFileSync } from 'node:fs';
import { asScript, path, printLine, Unmet } from './lib.mjs';
import { crateImports, webImports } from './lint/layers.mjs';
import { lostLinks } from './lint/links.mjs';
import { lostNames, participles } from './lint/names.mjs';
import { turns, vagueVerbs } from './lint/prose.mjs';
import { longFiles, longFunctions } from './lint/sizes.mjs';
import { sourceFiles } from './lint/source.mjs';

const EXCEPTIONS = 'scripts/lint/exceptions.json';

/** By name: what breaks the rule, each with a key, a sentence, and a size where one may only shrink. */
const RULES = {
  longFiles,
  longFunctions,
  webImports,
  crateImports,
  turns,
  vagueVerbs,
  participles,
  lostNames,
  lostLinks,
};

/** The cases that no exception covers: new, or larger than before. */
export function broken(found, exceptions = {}) {
  return found.filter(({ key, size = 1 }) => size > (exceptions[key] ?? 0));
}

/** The exceptions that are still needed, none larger than it has to be. */
export function tightened(found, exceptions = {}) {
  const sizes = new Map(found.map(({ key, size = 1 }) => [key, size]));
  const kept = Object.entries(exceptions).flatMap(([key, allowed]) => {
    const size = Math.min(sizes.get(key) ?? 0, allowed);
    return size === 0 ? [] : [[key, size]];
  });
  return Object.fromEntries(kept);
}

async function lint() {
  const files = sourceFiles();
  let exceptions = JSON.parse(readFileSync(path(EXCEPTIONS), 'utf8'));
  const found = Object.entries(RULES).map(([rule, find]) => [rule, find(files)]);
  if (process.argv.includes('--tighten')) {
    const next = found.map(([rule, cases]) => [rule, tightened(cases, exceptions[rule])]);
    exceptions = Object.fromEntries(next);
    writeFileSync(path(EXCEPTIONS), `${JSON.stringify(exceptions, null, 2)}\n`);
  }
  const problems = found.flatMap(([rule, cases]) => broken(cases, exceptions[rule]));
  for (const { message } of problems) printLine(message);
  if (problems.length > 0) throw new Unmet(`${problems.length} × against the rules of the house.`);
  const slack = found.filter(([rule, cases]) => {
    const needed = tightened(cases, exceptions[rule]);
    return JSON.stringify(needed) !== JSON.stringify(exceptions[rule] ?? {});
  });
  if (slack.length > 0) printLine(`Exceptions can shrink: node scripts/lint.mjs --tighten`);
  printLine(`${files.length} files keep the rules.`);
}

asScript(import.meta.url, lint);
