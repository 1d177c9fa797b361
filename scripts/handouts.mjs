// Every lesson on paper, for learners and for teachers, as PDF: `node scripts/handouts.mjs DIRECTORY [ID...]`.
// `--at URL` says where the page is published: address and QR code on them lead there.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './browser.mjs';
import { build } from './build.mjs';
import { asScript, path, say, Unmet } from './lib.mjs';
import { serve } from './serve.mjs';

const READERS = ['learner', 'teacher'];

/** The lessons of the library, by id, in their order. */
function library() {
  const names = readdirSync(path('lessons')).filter((name) => name.endsWith('.md'));
  const texts = names.sort().map((name) => readFileSync(path(`lessons/${name}`), 'utf8'));
  return texts.map((text) => /^id: (.*)$/m.exec(text)[1]);
}

function order(words) {
  const at = words.indexOf('--at');
  const published = at < 0 ? null : words[at + 1];
  if (published === undefined || (published !== null && !/^https?:.*\/$/.test(published))) {
    throw new Unmet('--at needs the URL of the page, with / at its end.');
  }
  const [directory, ...ids] = at < 0 ? words : [...words.slice(0, at), ...words.slice(at + 2)];
  if (directory === undefined) {
    throw new Unmet('Say where: node scripts/handouts.mjs DIRECTORY [ID...] [--at URL]');
  }
  const known = library();
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new Unmet(`There is no lesson ${unknown}; there are ${known.join(', ')}.`);
  }
  return { directory, published, ids: ids.length > 0 ? ids : known };
}

/** Prints what `served` shows at `place`, as if it were published at `published`. */
async function print(chromium, { served, published, place, file }) {
  const context = await chromium.newContext({ serviceWorkers: 'block' });
  const shown = published ?? served;
  if (published !== null) {
    await context.route(`${published}**`, async (route) => {
      const url = served + route.request().url().slice(published.length);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  }
  const page = await context.newPage();
  await page.goto(`${shown}#handout/${place}`);
  await page.locator('main.handout').waitFor();
  await page.pdf({ path: file, format: 'A4' });
  await context.close();
}

async function handouts() {
  const { directory, published, ids } = order(process.argv.slice(2));
  mkdirSync(directory, { recursive: true });
  await build();
  const { chromium: driver } = await import('playwright-core');
  const chromium = await driver.launch({ executablePath: await browser() });
  const { port, stop } = await serve(path('dist'));
  try {
    for (const id of ids) {
      for (const reader of READERS) {
        const place = reader === 'teacher' ? `${id}/teacher` : id;
        const file = join(directory, `${id}-${reader}.pdf`);
        await print(chromium, { served: `http://localhost:${port}/`, published, place, file });
      }
      say(`${id}: for learners and for teachers.`);
    }
  } finally {
    await chromium.close();
    stop();
  }
}

asScript(import.meta.url, handouts);
