// The service worker of the built page: bundled into one classic script, because not all browsers load modules as service
// workers, with the list of all files that the build has made.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder, path, printLine, Unmet } from './lib.mjs';

export const WORKER_NAME = 'sw.js';
/** How long the worker may be [bytes, gzip], and all listed files together [bytes]. */
const WORKER_MAX = 2.75 * 1024;
const CACHE_MAX = 6 * 1024 * 1024;

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Every file below `directory` except the worker itself, compressed twins and licences: path, length and hash. */
export function listFiles(directory) {
  return [...filesUnder(directory)].flatMap((file) => {
    const name = relative(directory, file).split(sep).join('/');
    if (name === WORKER_NAME || /\.(br|txt)$/.test(name)) return [];
    const bytes = readFileSync(file);
    return [{ path: name, bytes: bytes.length, hash: sha256(bytes) }];
  });
}

/** Fails when the copy in a browser, or the worker that is fetched at each visit, would be larger than allowed. */
export function checkSizes(files, worker) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const packed = gzipSync(worker, { level: 9 }).length;
  const copy = `${files.length} files, ${(total / 1024).toFixed(0)} KiB`;
  if (total > CACHE_MAX) {
    throw new Unmet(
      `The copy for offline use is too large: ${copy}; at most ${CACHE_MAX / 1024} KiB are allowed.`,
    );
  }
  if (packed > WORKER_MAX) {
    throw new Unmet(
      `The service worker is too large: ${packed} bytes compressed; at most ${WORKER_MAX} are allowed.`,
    );
  }
  printLine(
    `Offline copy: ${copy} (budget ${CACHE_MAX / 1024} KiB); service worker: ${packed} bytes compressed (budget ${WORKER_MAX}).`,
  );
}

/** Writes the worker for the page that was built into `directory`. */
export async function buildServiceWorker(directory = path('dist')) {
  const { build } = await import('vite');
  const files = listFiles(directory);
  // A change of the worker alone is a new version, too: two versions never share a cache.
  const sources = ['sw.ts', 'files.ts'].map((name) => readFileSync(path('web/src/offline', name)));
  const hash = sha256(Buffer.concat([...sources, Buffer.from(JSON.stringify(files))])).slice(0, 16);
  // Vite sets the environment of later programs, too: tests are no production.
  const { NODE_ENV } = process.env;
  await build({
    configFile: false,
    root: path('web'),
    publicDir: false,
    logLevel: 'warn',
    define: { BUILT: JSON.stringify({ hash, files }) },
    build: {
      outDir: directory,
      emptyOutDir: false,
      target: 'es2023',
      rolldownOptions: {
        input: path('web/src/offline/sw.ts'),
        output: { format: 'iife', entryFileNames: WORKER_NAME },
      },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  checkSizes(files, readFileSync(join(directory, WORKER_NAME)));
}
