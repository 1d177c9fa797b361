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

/** Also goes there: a browser that gives no files, as in a private window. */
const NO_FILES = `navigator.storage.getDirectory = async () => {
  throw new DOMException('there are none', 'SecurityError');
};
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
  // Text of all lengths and kinds, and a mistake.
  const texts = Array.from({ length: 24 }, (_, length) =>
    'abcdefghijklmnopqrstuvwxyz'.slice(0, length + 1),
  );
  await run(texts.map((text) => `put ${text} ${text}${text}; get ${text}`).join('; '));
  await run(
    'put "a key" "\\x00 \\xff"; get "a key"; put "€ ü" "—"; get "€ ü"; get none; scan b d; pit a',
  );
  await run('fill 40 --words --seed 7');
  for (let count = 0; count < 30; count += 1) await step();
  await run('run');
  await run('fill 120 --words --seed 8');
  for (let count = 0; count < 30; count += 1) await step();
  await run('run');
  // Keys all over the tables, and between them.
  await run([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `get ${letter}o`).join('; '));
  await run('get a; get apple; get pear; scan; del apple; scan');
  for (const seed of [11, 12, 13]) await run(`fill 200 --words --seed ${seed}; run`);
  await run([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `get ${letter}e`).join('; '));
  await run('get apple; scan; now');
  // Commands of the rest, which does not come.
  for (const line of ['check', 'lab ladder; get apple', 'stats', 'export', 'open x', 'help put']) {
    await run(line);
  }
  // The way back, and Play.
  for (let count = 0; count < 3; count += 1) await key('ArrowLeft');
  await page.waitForTimeout(500);
  for (let count = 0; count < 3; count += 1) await key('ArrowRight');
  await run('fill 60 --words --seed 9');
  await page.getByRole('button', { name: /Play$/ }).click();
  await page.waitForTimeout(1500);
  await run('now');
  await page.getByRole('textbox', { name: /^Command line/ }).focus();
  await page.keyboard.insertText('get');
  await page.keyboard.press('Tab');
  await page.waitForTimeout(200);
}

/** Makes a visit with `counting` in the place of the module; notes in `ran` the functions that have run, by number. */
async function record(chromium, url, { counting, before, ran }) {
  const context = await chromium.newContext({
    viewport: { width: 1280, height: 720 },
    serviceWorkers: 'block',
  });
  await context.route(/\/levelscope_wasm_bg-[^/]*\.wasm$/, (route) =>
    route.fulfill({ body: counting, contentType: 'application/wasm' }),
  );
  // What waits for the rest of the module waits in a first visit, too.
  await context.route(/\/levelscope_part-[^/]*\.wasm$/, (route) => route.abort());
  await context.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: before + (await response.text()) });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const note = async () => {
    for (const worker of page.workers()) {
      for (const number of await worker.evaluate(read)) ran.add(number);
    }
  };
  await page.goto(url);
  await visit(visitor(page));
  await note();
  // The next visit begins with what is there.
  await page.reload();
  await visitor(page).prompt();
  await visitor(page).run('get apple');
  await note();
  await context.close();
}

/** The functions that visits of the page run, by number. */
async function recorded(counting) {
  const { chromium: driver } = await import('playwright-core');
  const chromium = await driver.launch({ executablePath: await browser() });
  const site = await serve(path('dist'));
  const ran = new Set();
  try {
    const url = `http://localhost:${site.port}/`;
    for (const before of [KEEP, KEEP + NO_FILES]) {
      await record(chromium, url, { counting, before, ran });
    }
  } finally {
    await chromium.close();
    site.stop();
  }
  return ran;
}

async function profile() {
  await setup();
  await buildWasm({ checks: false });
  await buildPage();
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-'));
  try {
    await wbg(['--count', await linkModule(), directory]);
    const names = readFileSync(join(directory, 'functions.txt'), 'utf8').split('\n');
    const ran = await recorded(readFileSync(join(directory, 'counting.wasm')));
    const visited = [...new Set([...ran].map((number) => names[number]))].sort();
    writeFileSync(path(PROFILE), `${visited.join('\n')}\n`);
    say(`${PROFILE}: ${visited.length} names; ${ran.size} of ${names.length} functions have run.`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

asScript(import.meta.url, profile);
