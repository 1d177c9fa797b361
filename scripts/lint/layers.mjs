// Which part may import which. A part not in a row's list is out of its reach.

import { posix } from 'node:path';
import { isTest, parsed, visitAll } from './source.mjs';

/** The npm package: what hosts share, the calls of a database, its hosts, and the element that draws one. */
const PACKAGE = {
  engine: [],
  calls: ['engine'],
  browser: ['engine', 'calls'],
  node: ['engine', 'calls'],
  view: ['engine', 'calls', 'styles'],
};

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

function packagePart(name) {
  const inside = name.slice('js/src/'.length);
  return inside.includes('/') ? inside.split('/')[0] : 'calls';
}

/** Imports in a folder of TypeScript against its table. The element of the package is drawn by parts of the page. */
function imports(files, folder, table, partOf, outside) {
  const own = files.filter(({ name }) => name.startsWith(folder) && /\.tsx?$/.test(name));
  return own.flatMap((file) => {
    if (isTest(file.name)) return [];
    const from = partOf(file.name);
    const allowed = table[from];
    if (!allowed) return [{ key: file.name, says: `${file.name} is in no part of the table` }];
    return importsOf(file).flatMap((target) => {
      if (!target.startsWith('.')) return [];
      const path = posix.join(posix.dirname(file.name), target.replace(/\?.*/, ''));
      if (!path.startsWith(folder) && outside(from, path)) return [];
      const to = path.endsWith('.css') ? 'styles' : partOf(withEnding(path));
      if (to === from || to === 'pkg' || allowed.includes(to)) return [];
      const says = `${file.name} (${from}) imports ${target} (${to})`;
      return [{ key: `${file.name} ${path}`, says }];
    });
  });
}

export const webImports = (files) => imports(files, 'web/src/', WEB, webPart, () => false);

export const packageImports = (files) =>
  imports(
    files,
    'js/src/',
    PACKAGE,
    packagePart,
    (from, path) => path.startsWith('js/dist/') || (from === 'view' && path.startsWith('web/src/')),
  );

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

/** The crates, each from the bottom up: a module imports its own row and those before it. */
const CRATES = {
  engine: [
    ['coding', 'limits', 'prefix', 'text', 'flaw', 'live'],
    ['key', 'identity', 'storage'],
    ['batch', 'error', 'ranges', 'options'],
    ['view', 'event'],
    ['wal', 'probe', 'filter', 'outcome'],
    ['memtable', 'table', 'manifest', 'iter', 'cache', 'transaction'],
    ['survey', 'compaction', 'inspect'],
    ['check', 'state', 'internals', 'testing', 'ttl'],
    ['job', 'repair'],
    ['db'],
  ],
  formats: [
    ['binary', 'recognize', 'entry', 'trail', 'own', 'testing'],
    ['stored', 'unknown', 'other_programs', 'leveldb', 'directory'],
    ['exchange', 'froopy', 'kvdb', 'ladder', 'rocksdb'],
  ],
  foreign: [
    ['bytes', 'files', 'key', 'sorting', 'text', 'comparator', 'name', 'options', 'error'],
    ['checksum', 'examined', 'batch', 'compression', 'entry', 'problem', 'frame', 'version'],
    ['table', 'pebble', 'read', 'manifest'],
    ['blob', 'events', 'recognize'],
    ['directory', 'inspect'],
    ['export', 'report', 'summary'],
    ['query'],
    ['testing'],
  ],
  labs: [
    ['report', 'generate', 'counted', 'settling'],
    ['article', 'logs', 'trial', 'slides', 'froopy', 'ladder', 'prefixes', 'settings', 'words'],
    ['commas', 'compare', 'engine'],
  ],
  console: [
    ['text', 'output', 'glossary', 'prose'],
    ['language'],
    ['history', 'shelf'],
    ['host'],
    ['session'],
    ['time'],
    ['result', 'protocol'],
    ['commands'],
    ['console'],
    ['lesson'],
    ['native', 'main'],
  ],
  'wasm/origin': [
    ['numbered', 'host', 'open_handle'],
    ['handle', 'directory', 'entry', 'staging', 'storage'],
    ['closing'],
  ],
  wasm: [
    ['event_buffer', 'samples', 'wire', 'clock', 'conformance'],
    ['worker'],
    ['session'],
    ['bindings'],
  ],
  'wasm/lens': [['pages', 'work'], ['files'], ['lens'], ['bindings']],
  'js/wasm': [['packed', 'inspect'], ['cursor'], ['core'], ['files', 'bindings']],
};

/** Imports of the crates against their rows, each once for a pair of modules. */
export function crateImports(files) {
  const found = new Map();
  const placed = (name) => /^(.+)\/src\/([a-z_]+)/.exec(name) ?? [];
  for (const { name, text } of files) {
    const [, crate, from] = placed(name);
    const rows = CRATES[crate];
    if (rows === undefined || from === 'lib' || isTest(name) || /tests\.rs$/.test(name)) continue;
    const rowOf = (module) => rows.findIndex((row) => row.includes(module));
    if (rowOf(from) < 0) found.set(name, { key: name, says: `${name} is in no row of its crate` });
    for (const to of crateModules(name, text, `${crate}/src/`)) {
      const key = `${crate} ${from} ${to}`;
      const says = `${crate}: ${from} imports ${to}, in ${name}`;
      if (rowOf(to) > rowOf(from) && !found.has(key)) found.set(key, { key, says });
    }
  }
  return [...found.values()];
}

/** Modules named after `crate::`, or by as many `super::` as lead there, those in braces too; tests inside a module do not count. */
function crateModules(name, text, sources) {
  const folders = name.slice(sources.length).split('/').length - 1;
  const depth = name.endsWith('/mod.rs') ? folders : folders + 1;
  const root = new RegExp(`(?<![:\\w])(?:super::){${depth}}(?!super)`, 'g');
  const [product] = text.split(/^#\[cfg\(test\)\]\nmod /m);
  const code = product.replace(/^\s*\/\/.*$/gm, '').replace(root, 'crate::');
  const found = new Set();
  for (const [, rest] of code.matchAll(/\bcrate::(\{(?:[^{}]|\{[^{}]*\})*\}|[a-z_]+)/g)) {
    const flat = rest.replace(/\{([\s\S]*)\}/, '$1').replace(/\{[^{}]*\}/g, '');
    for (const [, module] of flat.matchAll(/(?:^|,)\s*([a-z_]+)/g)) found.add(module);
  }
  found.delete('self');
  return found;
}
