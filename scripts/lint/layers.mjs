// The allowed imports of each part.

import { posix } from 'node:path';
import { isTest, parsed, visitAll } from './source.mjs';

/** The page, from the bottom up. `scene` is the geometry of a picture, in the picture's own folder. */
const WEB = {
  model: [],
  scene: ['model', 'lens'],
  share: ['model'],
  // Requests to a worker, and its turns.
  worker: [],
  // Opened directories and files: a worker and a module of their own.
  lens: ['model', 'share', 'worker'],
  engine: ['model', 'share', 'lens', 'worker', 'origin'],
  offline: ['model', 'engine'],
  present: ['model'],
  terminal: ['model', 'styles'],
  views: ['model', 'scene', 'share', 'lens', 'present', 'styles'],
  app: [
    'model',
    'views',
    'terminal',
    'share',
    'lens',
    'present',
    'worker',
    'engine',
    'offline',
    'styles',
  ],
  main: ['app', 'model', 'offline', 'present', 'styles'],
  styles: [],
  // The package, in js/src. The page, too, opens files of its origin; the element draws with parts of the page.
  origin: [],
  database: ['glue'],
  calls: ['database'],
  browser: ['origin', 'database', 'calls'],
  node: ['database', 'calls'],
  view: ['database', 'calls', 'model', 'scene', 'views', 'styles'],
};

function webPart(name) {
  const [folder, source, part] = name.split('/');
  if (folder === 'js' && source === 'dist') return 'glue';
  if (folder === 'js' && !part.includes('.')) return part === 'engine' ? 'database' : part;
  if (folder === 'js') return 'calls';
  const inside = name.slice('web/src/'.length);
  if (/^views\/[^/]+\/scene(\.ts$|\/)/.test(inside)) return 'scene';
  return inside.includes('/') ? inside.split('/')[0] : 'main';
}

/** Imports of the page and of the package against the table. */
export function webImports(files) {
  const own = files.filter(({ name }) => /^(web|js)\/src\/.*\.tsx?$/.test(name) && !isTest(name));
  return own.flatMap((file) => {
    const from = webPart(file.name);
    const allowed = WEB[from];
    if (!allowed) return [{ key: file.name, message: `${file.name} is in no part of the table` }];
    return importsOf(file).flatMap((target) => {
      if (!target.startsWith('.')) return [];
      const path = posix.join(posix.dirname(file.name), target.replace(/\?.*/, ''));
      const to = path.endsWith('.css') ? 'styles' : webPart(withEnding(path));
      if (to === from || to === 'pkg' || allowed.includes(to)) return [];
      const message = `${file.name} (${from}) imports ${target} (${to})`;
      return [{ key: `${file.name} ${path}`, message }];
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

/** The crates, each from the bottom up: a module imports its own row and those before it. */
const CRATES = {
  engine: [
    ['coding', 'few', 'limits', 'prefix', 'sorting', 'text', 'flaw', 'live'],
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
    ['unknown', 'other_programs', 'leveldb', 'directory'],
    ['exchange', 'froopy', 'kvdb', 'ladder'],
  ],
  foreign: [
    ['bytes', 'files', 'key', 'text', 'comparator', 'name', 'options', 'error'],
    ['checksum', 'examined', 'batch', 'compression', 'entry', 'problem', 'frame', 'version'],
    ['table', 'pebble', 'own', 'read', 'manifest'],
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
    ['text', 'output', 'glossary', 'prose', 'experiments', 'nodes'],
    ['language'],
    ['history'],
    ['host'],
    ['session'],
    ['time'],
    ['result'],
    ['commands'],
    ['protocol', 'directory'],
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
    ['event_buffer', 'samples', 'wire', 'clock', 'lessons'],
    ['labs', 'worker'],
    ['session'],
    ['bindings'],
  ],
  'wasm/labs': [['work'], ['bindings']],
  'wasm/types': [['declarations'], ['directories', 'page']],
  'wasm/lens': [['pages', 'work', 'terminal'], ['files'], ['lens'], ['bindings']],
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
    if (rowOf(from) < 0)
      found.set(name, { key: name, message: `${name} is in no row of its crate` });
    for (const to of crateModules(name, text, `${crate}/src/`)) {
      const key = `${crate} ${from} ${to}`;
      const message = `${crate}: ${from} imports ${to}, in ${name}`;
      if (rowOf(to) > rowOf(from) && !found.has(key)) found.set(key, { key, message });
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
