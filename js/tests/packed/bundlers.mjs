// Each bundler as a user without any special configuration would call it, with the files copied that README.md names.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nodeResolve from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

const modules = ['levelscope.wasm', 'levelscope-inspect.wasm'];

function page(out, html) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'index.html'), `${html}<script type="module" src="./main.js"></script>`);
}

/** A bundler that does not follow `new URL(…, import.meta.url)` needs worker and module beside the bundle. */
function copy(out, from) {
  for (const name of ['worker.js', ...modules]) cpSync(join(from, 'dist', name), join(out, name));
}

export const bundlers = {
  vite: ({ source, out }) =>
    vite.build({ root: source, logLevel: 'silent', build: { outDir: out, target: 'es2023' } }),

  webpack: ({ source, out, html }) => {
    page(out, html);
    return new Promise((resolve, reject) => {
      webpack(
        {
          mode: 'production',
          context: source,
          entry: './main.js',
          output: { path: out, filename: 'main.js' },
        },
        (error, stats) => {
          if (error) reject(error);
          else if (stats.hasErrors()) reject(new Error(stats.toString()));
          else resolve();
        },
      );
    });
  },

  esbuild: async ({ source, out, package: from, html }) => {
    page(out, html);
    const entryPoints = [join(source, 'main.js')];
    await esbuild.build({
      entryPoints,
      bundle: true,
      format: 'esm',
      outdir: out,
      logLevel: 'silent',
    });
    copy(out, from);
  },

  rollup: async ({ source, out, package: from, html }) => {
    page(out, html);
    const plugins = [nodeResolve({ browser: true })];
    const bundle = await rollup({ input: join(source, 'main.js'), plugins });
    await bundle.write({ dir: out, format: 'es' });
    await bundle.close();
    copy(out, from);
  },
};
