// `npm run profile`: visits the page with a module that notes which of its functions run, and writes their names into
// wasm/first-visit.txt. By this profile the module is divided: the functions in it are what every visitor downloads.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser } from './browser.mjs';
import { buildPage } from './build.mjs';
import { buildWasm, linkModule, PROFILE, wbg } from './build-wasm.mjs';
import { asScript, path, say } from './lib.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';
import { visitor } from './visitor.mjs';

/** Goes before the script of the worker: keeps what the module exports, for `read`. */
const KEEP = `{
  const keep = (name) => {
    const given = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = async (...all) => {
      const made = await given(...all);
      self.counting = (made.instance ?? made).exports;
      return made;
    };
  };
  keep('instantiate');
  keep('instantiateStreaming');
}
`;

/** Which functions of the counting module have run, by number. */
const read = () => {
  const exported = Object.entries(self.counting);
  return exported
    .filter(([name, global]) => /^ran\d+$/.test(name) && global.value === 1)
    .map(([name]) => Number(name.slice(3)));
};

/** What a first visit does: it opens the page, writes, steps, reads. */
async function visit({ page, prompt, run, key }) {
  const step = async () => {
    await page.getByRole('button', { name: /Step$/ }).click();
    await page.waitForTimeout(60);
    await prompt();
  };
  await prompt();
  await page.waitForTimeout(500);
  await run('put apple red');
  await run('get apple');
  await run('put pear green; del pear; scan');
  await run('fill 40 --words --seed 7');
  for (let count = 0; count < 30; count += 1) await step();
  await run('run');
  await run('fill 120 --words --seed 8');
  for (let count = 0; count < 30; count += 1) await step();
  await run('run');
  await run('get apple');
  // The way back, and Play.
  for (let count = 0; count < 3; count += 1) await key('ArrowLeft');
  await page.waitForTimeout(500);
  for (let count = 0; count < 3; count += 1) await key('ArrowRight');
  await run('fill 60 --words --seed 9');
  await page.getByRole('button', { name: /Play$/ }).click();
  await page.waitForTimeout(1500);
  await run('now');
  await page.waitForTimeout(300);
  // The next visit begins with what is there.
  await page.reload();
  await prompt();
  await run('get apple');
}

/** The functions that a visit of the page runs, by number; the module of the page is replaced by `counting`. */
async function record(counting) {
  const { chromium: driver } = await import('playwright-core');
  const chromium = await driver.launch({ executablePath: await browser() });
  const site = await serve(path('dist'));
  const ran = new Set();
  try {
    const context = await chromium.newContext({
      viewport: { width: 1280, height: 720 },
      serviceWorkers: 'block',
    });
    await context.route(/\/levelscope_wasm_bg-[^/]*\.wasm$/, (route) =>
      route.fulfill({ body: counting, contentType: 'application/wasm' }),
    );
    await context.route(/\/worker-[^/]*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: KEEP + (await response.text()) });
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const note = async () => {
      for (const worker of page.workers()) {
        for (const number of await worker.evaluate(read)) ran.add(number);
      }
    };
    await page.goto(`http://localhost:${site.port}/`);
    const at = visitor(page);
    await visit({ ...at, page: noting(page, note) });
    await note();
  } finally {
    await chromium.close();
    site.stop();
  }
  return ran;
}

/** The page, which is asked for its functions before it is loaded again. */
function noting(page, note) {
  return new Proxy(page, {
    get(target, name) {
      if (name === 'reload') {
        return async () => {
          await note();
          await target.reload();
        };
      }
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function profile() {
  await setup();
  await buildWasm({ checks: false });
  await buildPage();
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-'));
  try {
    await wbg(['--count', await linkModule(), directory]);
    const names = readFileSync(join(directory, 'functions.txt'), 'utf8').split('\n');
    const ran = await record(readFileSync(join(directory, 'counting.wasm')));
    const visited = [...new Set([...ran].map((number) => names[number]))].sort();
    writeFileSync(path(PROFILE), `${visited.join('\n')}\n`);
    say(`${PROFILE}: ${visited.length} names; ${ran.size} of ${names.length} functions have run.`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

asScript(import.meta.url, profile);
