// The page of `npm run bench`: what it loads, and one measurement in a worker of it.

import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { path } from './lib.mjs';

/** Packages of js/ are resolved from there. */
const packages = createRequire(path('js', 'package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>bench</title>
<link rel="icon" href="data:," />
`;

/** Writes the site into `directory`: an empty page, the worker, the engines. */
export async function site(directory) {
  const { build } = packages('esbuild');
  await build({
    entryPoints: [path('js/bench/stores/worker.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    outfile: join(directory, 'bench.js'),
    logLevel: 'error',
  });
  const sqlite = dirname(packages.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));
  cpSync(join(sqlite, 'sqlite3.wasm'), join(directory, 'sqlite3.wasm'));
  for (const name of ['worker.js', 'levelscope.wasm']) {
    cpSync(path('js/dist', name), join(directory, name));
  }
  writeFileSync(join(directory, 'index.html'), PAGE);
}

/** Measures in a new worker of the page; resolves to what the worker has found. */
export async function measureIn(page, task) {
  const { measured, error } = await page.evaluate(
    (asked) =>
      new Promise((resolve) => {
        const worker = new Worker('./bench.js', { type: 'module' });
        const end = (answer) => {
          worker.terminate();
          resolve(answer);
        };
        worker.onmessage = ({ data }) => end(data);
        worker.onerror = ({ message }) => end({ error: message || 'the worker did not start' });
        worker.postMessage(asked);
      }),
    task,
  );
  if (measured === undefined) throw new Error(error);
  return measured;
}
