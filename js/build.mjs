// Bundles the JavaScript of the package into dist, and describes its types.

import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

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

for (const name of ['levelscope', 'levelscope-inspect']) {
  cpSync(path(`dist/engine/${name}.wasm`), path(`dist/${name}.wasm`));
}
await build({
  ...common,
  platform: 'node',
  entryPoints: { node: 'src/node/index.ts' },
  external: ['abstract-level'],
});

// What the tests need of the inside; it is not published.
await build({
  ...common,
  platform: 'node',
  entryPoints: { 'test/blocking': 'test/blocking.ts' },
  external: ['abstract-level'],
  loader: { '.wasm': 'empty' },
});
