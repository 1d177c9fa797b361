// Measures the npm package in browsers: a site with js/bench/entry.mjs, on which stores take turns, each time in a new tab
// with a new database.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { turns } from '../../scripts/bench-document.mjs';
import { wholeBrowser } from '../../scripts/browser.mjs';
import { path, printLine, Unmet } from '../../scripts/lib.mjs';
import { serve } from '../../scripts/serve.mjs';
import { Chromium, Firefox } from '../tests/browser/drivers.mjs';

/** As visitors have it. */
class WholeChromium extends Chromium {
  path = wholeBrowser;
}

export const BROWSERS = { Chromium: WholeChromium, Firefox };

/** Packages of js/ are resolved from there. */
const packages = createRequire(path('js', 'package.json'));

export const versionOf = (name) => packages(`${name}/package.json`).version;

/** Clocks in steps of 5 µs: browsers give them to pages that are isolated. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>bench</title>
<link rel="icon" href="data:," />
<script type="module" src="./bench.js"></script>
`;

/** Serves the site while `act` works with its address. */
export async function withSite(act) {
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
  await packages('esbuild').build({
    entryPoints: [path('js/bench/entry.mjs')],
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
  const { port, stop } = await serve(directory, { headers: ISOLATED });
  try {
    return await act(`http://localhost:${port}/`);
  } finally {
    stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A store that is slow for each call makes fewer of them. */
function sizesFor({ isSlow }, sizes) {
  if (!isSlow) return sizes;
  const few = (count) => Math.ceil(count / 5);
  return { ...sizes, singles: few(sizes.singles), lookups: few(sizes.lookups) };
}

/** The version of a browser and the rows of all stores: each has a name, its `kind` in js/bench/entry.mjs, and whether it is `isInWorker`. */
export async function measureIn(name, url, stores, { rounds, ...sizes }) {
  if (name === 'Firefox' && !(await Firefox.isThere())) {
    throw new Unmet('Firefox cannot be run here; measure without it: --browsers Chromium');
  }
  const browser = await new BROWSERS[name]().start();
  const rows = [];
  let version = '';
  try {
    for (let round = 0; round < rounds; round++) {
      printLine(`${name}, round ${round + 1} of ${rounds} …`);
      for (const store of turns(stores, round)) {
        const page = await browser.page(url);
        const task = [store.kind, `bench ${store.name} ${round}`, sizesFor(store, sizes)];
        const found = await page.evaluate(
          (asked) => window.measure(...asked),
          [store.isInWorker, task],
        );
        rows.push(...found.map((row) => ({ ...row, engine: store.name, round })));
        version = await page.evaluate(() => navigator.userAgent);
        await page.close();
      }
    }
  } finally {
    await browser.stop();
  }
  return { version: /(?:Chrome|Firefox)\/([\d.]+)/.exec(version)?.[1] ?? '', rows };
}
