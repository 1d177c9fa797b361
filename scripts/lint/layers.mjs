// Which part may import which. A part not in a row's list is out of its reach.

import { posix } from 'node:path';
import { isTest, parsed, visitAll } from './source.mjs';

/** The page, from the bottom up. `scene` is the geometry of a picture, in the picture's own folder. */
const WEB = {
  model: [],
  scene: ['model', 'lens'],
  share: ['model', 'engine'],
  // Directories of other engines: a worker and a module of their own.
  lens: ['model', 'share'],
  engine: ['model', 'share', 'lens'],
  offline: ['engine'],
  present: ['model', 'engine'],
  terminal: ['model', 'styles'],
  views: ['model', 'scene', 'share', 'lens', 'present', 'styles'],
  app: ['model', 'views', 'terminal', 'share', 'lens', 'present', 'engine', 'offline', 'styles'],
  main: ['app', 'model', 'offline', 'present', 'styles'],
  styles: [],
};

function webPart(name) {
  const inside = name.slice('web/src/'.length);
  if (/^views\/[^/]+\/scene(\.ts$|\/)/.test(inside)) return 'scene';
  return inside.includes('/') ? inside.split('/')[0] : 'main';
}

/** Imports of the page against the table. */
export function webImports(files) {
  const own = files.filter(({ name }) => /^web\/src\/.*\.tsx?$/.test(name) && !isTest(name));
  return own.flatMap((file) => {
    const from = webPart(file.name);
    const allowed = WEB[from];
    if (!allowed) return [{ key: file.name, says: `${file.name} is in no part of the table` }];
    return importsOf(file).flatMap((target) => {
      if (!target.startsWith('.')) return [];
      const path = posix.join(posix.dirname(file.name), target.replace(/\?.*/, ''));
      const to = path.endsWith('.css') ? 'styles' : webPart(withEnding(path));
      if (to === from || to === 'pkg' || allowed.includes(to)) return [];
      const says = `${file.name} (${from}) imports ${target} (${to})`;
      return [{ key: `${file.name} ${path}`, says }];
    });
  });
}

const withEnding = (path) => (/\.tsx?$/.test(path) ? path : `${path}.ts`);

function importsOf(file) {
  const found = [];
  const { program } = parsed(file);
  const take = ({ source }) => {
    if (typeof source?.value === 'string') found.push(source.value);
  };
  const types = [
    'ImportDeclaration',
    'ImportExpression',
    'ExportNamedDeclaration',
    'ExportAllDeclaration',
  ];
  visitAll(program, types, take);
  return found;
}

/** The console, from the bottom up. A module imports its own row and those before it. */
const CONSOLE = [
  ['text', 'output', 'glossary', 'prose', 'experiments'],
  ['language'],
  ['history', 'shelf'],
  ['host'],
  ['session'],
  ['time'],
  ['result', 'protocol'],
  ['commands'],
  ['console'],
  ['lesson'],
  ['native', 'main', 'lib'],
];

/** Imports of the console against its rows, each once for a pair of modules. */
export function consoleImports(files) {
  const rowOf = (module) => CONSOLE.findIndex((row) => row.includes(module));
  const found = new Map();
  for (const { name, text } of files) {
    const [, from] = /^console\/src\/([a-z_]+)/.exec(name) ?? [];
    if (from === undefined || from === 'lib') continue;
    for (const to of crateModules(name, text)) {
      const says = `console: ${from} imports ${to}, in ${name}`;
      const isUpwards = rowOf(to) > rowOf(from) || rowOf(from) < 0 || rowOf(to) < 0;
      if (isUpwards && !found.has(`${from} ${to}`)) {
        found.set(`${from} ${to}`, { key: `console ${from} ${to}`, says });
      }
    }
  }
  return [...found.values()];
}

/** Modules named after `crate::`, or by as many `super::` as lead there, those in braces too; tests inside a module count with it. */
function crateModules(name, text) {
  const folders = name.split('/').length - 'console/src/x.rs'.split('/').length;
  const depth = name.endsWith('/mod.rs') ? folders : folders + 1;
  const root = new RegExp(`(?<![:\\w])(?:super::){${depth}}(?!super)`, 'g');
  const code = text.replace(/^\s*\/\/.*$/gm, '').replace(root, 'crate::');
  const found = new Set();
  for (const [, rest] of code.matchAll(/\bcrate::(\{(?:[^{}]|\{[^{}]*\})*\}|[a-z_]+)/g)) {
    const flat = rest.replace(/\{([\s\S]*)\}/, '$1').replace(/\{[^{}]*\}/g, '');
    for (const [, module] of flat.matchAll(/(?:^|,)\s*([a-z_]+)/g)) found.add(module);
  }
  return found;
}
