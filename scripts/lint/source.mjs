// The files that the rules are about, and what they are made of.

import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { filesUnder, path } from '../lib.mjs';

const { parseSync, Visitor } = await import('vite').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('npm packages are missing: run npm ci');
  process.exit(1);
});

/** Made by a program, or kept as another program wrote it. */
const FOREIGN = /(^|\/)(fixtures|pkg|corpus)\/|\.generated\.ts$/;
const READABLE = /\.(rs|ts|tsx|mts|mjs|css|md)$/;

/** Every file that people write, with its text. */
export function sourceFiles() {
  const root = path('.');
  return [...filesUnder(root)].flatMap((file) => {
    const name = relative(root, file).split(sep).join('/');
    if (!READABLE.test(name) || FOREIGN.test(name)) return [];
    return [{ name, text: readFileSync(file, 'utf8') }];
  });
}

export const isTest = (name) =>
  /\.(test|spec)\.[a-z]+$/.test(name) || /(^|\/)(tests|testing)\//.test(name);

/** The syntax tree of TypeScript or JavaScript, and the line of a place in it. */
export function parsed({ name, text }) {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  return { program, lineOf: (offset) => text.slice(0, offset).split('\n').length };
}

/** Calls `visit` with every node of the given types. */
export function visitAll(program, types, visit) {
  new Visitor(Object.fromEntries(types.map((type) => [type, visit]))).visit(program);
}

export const lineCount = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
