// Bundles the JavaScript of the package into dist, and describes its types.

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildView } from './build-view.mjs';
import { writeGlue } from './glue.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Most of `browser.js` and `worker.js` beside abstract-level [bytes, gzip]. */
const BROWSER_MAX = 17.25 * 1024;
/** `view.js` with `view-core.js`, most of which is React [bytes, gzip]. */
const VIEW_MAX = 104 * 1024;

function fail(why) {
  console.error(why);
  process.exitCode = 1;
}

const common = {
  absWorkingDir: path('.'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  outdir: 'dist',
};

rmSync(path('dist/types'), { recursive: true, force: true });
writeGlue(path('dist/engine'));
for (const name of ['levelscope', 'levelscope-inspect']) {
  cpSync(path(`dist/engine/${name}.wasm`), path(`dist/${name}.wasm`));
}
await build({
  ...common,
  platform: 'node',
  entryPoints: { node: 'src/node/index.ts' },
  external: ['abstract-level'],
});

// Internal parts for the tests; they are not published.
await build({
  ...common,
  platform: 'node',
  entryPoints: { 'test/blocking': 'tests/blocking.ts' },
  external: ['abstract-level'],
  loader: { '.wasm': 'empty' },
});
cpSync(path('dist/engine/levelscope.wasm'), path('dist/test/levelscope.wasm'));

const browser = { ...common, platform: 'browser', minify: true };
await build({ ...browser, entryPoints: { worker: 'src/browser/worker.ts' } });

/** The modules that `worker.js` exports: the page loads that file for its worker anyway. */
const shared = new Set(
  ['error', 'local', 'packing', 'place']
    .map((name) => path(`src/engine/${name}`))
    .concat(['frames', 'origin', 'scope'].map((name) => path(`src/browser/${name}`)))
    .concat(path('src/origin/lock')),
);
const fromWorker = {
  name: 'from-worker',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path: name, resolveDir }) =>
      shared.has(resolve(resolveDir, name)) ? { path: './worker.js', external: true } : undefined,
    );
  },
};
// The program's bundler would have to know that abstract-level needs `events` and `buffer`: both are in here.
await build({
  ...browser,
  entryPoints: { browser: 'src/browser/index.ts' },
  plugins: [fromWorker],
});

const packed = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** Size of a bundle of abstract-level alone [bytes, gzip]. */
async function abstractLevel() {
  const contents = "export * from 'abstract-level'";
  const { outputFiles } = await build({
    ...browser,
    stdin: { contents, resolveDir: path('.') },
    write: false,
  });
  return packed(outputFiles[0].contents);
}

const [page, worker, base] = [
  packed(readFileSync(path('dist/browser.js'))),
  packed(readFileSync(path('dist/worker.js'))),
  await abstractLevel(),
];
const own = page - base + worker;
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
console.log(
  `JavaScript for browsers, compressed: browser.js ${kib(page)} (abstract-level ${kib(base)}), ` +
    `worker.js ${kib(worker)}; beside abstract-level ${kib(own)} (budget ${kib(BROWSER_MAX)}).`,
);
if (own > BROWSER_MAX) fail('The JavaScript for browsers is too large.');

await buildView();
const [react, core] = ['view.js', 'view-core.js'].map((name) =>
  packed(readFileSync(path(`dist/${name}`))),
);
const view = react + core;
console.log(
  `The element levelscope-view, compressed: ${kib(view)} (budget ${kib(VIEW_MAX)}), of which React has ${kib(react)}.`,
);
if (view > VIEW_MAX) fail('The element levelscope-view is too large.');

// The types of the package, without its internal ones.
const compiler = path('node_modules/typescript/bin/tsc');
const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', path('.')], {
  encoding: 'utf8',
});
if (status !== 0) fail(stdout);
// Node's way of resolving wants the ending of each file.
cpSync(path('dist/engine/glue.d.ts'), path('dist/types/engine/glue.d.ts'));
cpSync(
  path('dist/engine/levelscope-inspect.d.ts'),
  path('dist/types/engine/levelscope-inspect.d.ts'),
);
for (const name of readdirSync(path('dist/types'), { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = path(`dist/types/${name}`);
  const text = readFileSync(file, 'utf8').replace('../../dist/engine/', './');
  writeFileSync(file, text.replace(/(from |import\()'(\.\.?\/[^']+?)(?:\.js)?'/g, "$1'$2.js'"));
}
