// `npm run bench`: the package on OPFS beside SQLite, IndexedDB and bare files, each in a dedicated worker of Chromium and of Firefox.
// Stores take turns on new databases; writes its section of docs/PERFORMANCE.md and the picture of it.
// `-- --rounds 1 --browser Chromium --stores levelscope,sqlite` measures a part and prints it; `--no-report` prints only.
// `-- --from test-results/bench.json` writes the report of the last run again, and measures nothing.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chromium, Firefox } from '../js/test/browser/drivers.mjs';
import { measureIn, site } from './bench-page.mjs';
import { STORES, shown, writeReport } from './bench-report.mjs';
import { buildJs } from './build-js.mjs';
import { asScript, path, say, since, Unmet } from './lib.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';

const BROWSERS = { Chromium, Firefox };
/** Clocks in steps of 5 µs: browsers give them to pages that are isolated. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** How many of each are measured, unless an option says another number. */
const NUMBERS = {
  rounds: 5,
  entries: 50_000,
  singles: 10_000,
  durable: 1000,
  lookups: 20_000,
  'value-size': 100,
};

function options() {
  const names = [...Object.keys(NUMBERS), 'stores', 'browser', 'from'];
  const strings = names.map((name) => [name, { type: 'string' }]);
  const { values } = parseArgs({
    options: { 'no-report': { type: 'boolean' }, ...Object.fromEntries(strings) },
  });
  const numbers = Object.entries(NUMBERS).map(([name, usual]) => [
    name,
    Number(values[name] ?? usual),
  ]);
  const { rounds, 'value-size': valueBytes, ...sizes } = Object.fromEntries(numbers);
  const stores = values.stores?.split(',') ?? Object.keys(STORES);
  const unknown = stores.find((name) => !(name in STORES));
  if (unknown !== undefined) {
    throw new Unmet(
      `--stores are some of ${Object.keys(STORES).join(', ')}; there is no ${unknown}.`,
    );
  }
  if (values.browser !== undefined && !(values.browser in BROWSERS)) {
    throw new Unmet(`--browser is one of ${Object.keys(BROWSERS).join(', ')}.`);
  }
  return {
    from: values.from,
    rounds,
    sizes: { ...sizes, valueBytes },
    stores,
    browsers: Object.keys(BROWSERS).filter((name) => (values.browser ?? name) === name),
    isWhole: !(values.stores ?? values.browser ?? values['no-report']),
  };
}

/** A store that is slow for each call makes fewer of them. */
function sizesFor(store, sizes) {
  if (!STORES[store].isSlow) return sizes;
  const few = (count) => Math.ceil(count / 5);
  return { ...sizes, singles: few(sizes.singles), lookups: few(sizes.lookups) };
}

/** All rounds in one browser: for each store what it was measured to do, round by round. */
async function rounds(name, url, { rounds, sizes, stores }) {
  const browser = await new BROWSERS[name]().start();
  const results = Object.fromEntries(stores.map((store) => [store, []]));
  try {
    const page = await browser.page(url);
    for (let round = 0; round < rounds; round++) {
      say(`${name}, round ${round + 1} of ${rounds} …`);
      const shift = round % stores.length;
      for (const store of [...stores.slice(shift), ...stores.slice(0, shift)]) {
        const task = [store, `bench-${store}-${round}`, sizesFor(store, sizes)];
        results[store].push(await measureIn(page, task));
      }
    }
    const version = await page.evaluate(() => navigator.userAgent);
    const [, number = ''] = /(?:Chrome|Firefox)\/([\d.]+)/.exec(version) ?? [];
    return { name, version: number, results };
  } finally {
    await browser.stop();
  }
}

const versionOf = (name) =>
  createRequire(path('js', 'package.json'))(`${name}/package.json`).version;

async function bench() {
  const wanted = options();
  if (wanted.from !== undefined) return writeReport(JSON.parse(readFileSync(wanted.from, 'utf8')));
  await setup();
  await buildJs();
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-bench-'));
  const start = performance.now();
  const load = loadavg()[0];
  await site(directory);
  const { port, stop } = await serve(directory, { headers: ISOLATED });
  const browsers = [];
  try {
    for (const name of wanted.browsers) {
      if (name === 'Firefox' && !(await Firefox.isThere())) {
        throw new Unmet('Firefox cannot be run here; measure without it: --browser Chromium');
      }
      browsers.push(await rounds(name, `http://localhost:${port}/`, wanted));
    }
  } finally {
    stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  const machine = { processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
  const versions = { levelscope: versionOf('.'), sqlite: versionOf('@sqlite.org/sqlite-wasm') };
  const run = { ...wanted, browsers, machine, versions };
  say(`\n${wanted.rounds} rounds in ${since(start)}\n`);
  for (const each of browsers) say(shown(each, run.stores));
  mkdirSync(path('test-results'), { recursive: true });
  writeFileSync(path('test-results', 'bench.json'), JSON.stringify(run));
  if (wanted.isWhole) await writeReport(run);
}

asScript(import.meta.url, bench);
