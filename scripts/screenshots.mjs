// The pictures of docs/images, taken from the built page: every view at two sizes, light and dark.
// `node scripts/screenshots.mjs` makes all of them, `node scripts/screenshots.mjs lab merge` some.

import { writeFileSync } from 'node:fs';
import { browser } from './browser.mjs';
import { build } from './build.mjs';
import { asScript, path, say, Unmet } from './lib.mjs';
import { withPalette } from './png.mjs';
import { serve } from './serve.mjs';

const SIZES = [
  { suffix: '', width: 1440, height: 900 },
  { suffix: '-1280', width: 1280, height: 720 },
];

/** A file that another program wrote. */
const FOREIGN = path('tests/fixtures/formats/leveldb/p_snapshot_head/000005.ldb');

/** What leads to each view; all of it as a visitor would do it. */
const VIEWS = {
  async first() {},
  async lab(at) {
    await at.run('fill 90 --words --seed 7; run; fill 40 --words --seed 9; step phase 14');
    await at.key('l');
    await at.option(/^table \d+, .* B, /).click();
  },
  async many(at) {
    await at.run('fill 3000; run');
    await at.run('stats');
  },
  async past(at) {
    await at.run('fill 90 --words --seed 7; run; fill 25 --words --seed 9; flush; run');
    await at.run('goto 670');
    await at.key('w');
  },
  async charts(at) {
    for (let seed = 1; seed <= 8; seed += 1) await at.run(`fill 40 --words --seed ${seed}; run`);
    await at.tab('Charts');
  },
  async merge(at) {
    await at.run('fill 90 --words --seed 7; run; fill 60 --words --seed 9; flush');
    await at.run('break before compaction.begin');
    await at.run('run');
    await at.run('now');
    await at.run('step phase 2');
    await at.run('step entry 5');
  },
  async flush(at) {
    await at.run('fill 40 --words --seed 7; step 5');
    await at.key('F5');
  },
  async lookup(at) {
    await at.run('fill 200 --words --seed 7; run; put apple red; flush; run');
    await at.run('explain get apple --detail');
    for (let stop = 0; stop < 3; stop += 1) await at.key('ArrowRight');
  },
  async compare(at) {
    await at.run('compare leveled tiered { fill 300 --words --seed 7; run }');
    await at.page.locator('.compare-stage').nth(1).waitFor();
  },
  async memtable(at) {
    await at.run('options set memtable_bytes 65536');
    await at.run('fill 600 --words --seed 7; put apple red; put apple green; del apple');
    await at.option(/^memtable/).click();
    await at.page.getByLabel('Way to key').fill('apple');
    await at.key('Enter');
  },
  async log(at) {
    await at.run(
      'fill 8 --words --seed 7; sync; put fig blue --sync off; put pear green --sync off',
    );
    await at.option(/^WAL/).click();
  },
  async bytes(at) {
    await at.run('options set compression none');
    await at.run('fill 90 --words --seed 7; run');
    await at.option(/^table \d+, /).click();
    await at.key('b');
    await at.page.getByRole('treeitem', { name: /^data block 2/ }).click();
    await at.page.locator('[role=gridcell].pin').nth(4).click();
  },
  async crash(at) {
    await at.run('put apple red; put fig blue --sync off; fill 20 --words --seed 7; flush');
    await at.page.getByRole('button', { name: 'Crash' }).click();
    await at.page.getByLabel('When').selectOption('after manifest.append');
  },
  async open(at) {
    const chooser = at.page.waitForEvent('filechooser');
    await at.type('open');
    await (await chooser).setFiles([FOREIGN]);
    await at.prompt();
    await at.page.getByRole('button', { name: 'Look up' }).click();
    await at.page.getByRole('textbox', { name: 'Key' }).fill('accusamusveritatis');
    await at.key('Enter');
  },
  async experiment(at) {
    await at.key('x');
    await at.page.getByRole('button', { name: /^L3 / }).click();
    await at.page.getByRole('button', { name: 'Run experiment' }).click();
    await at.page.locator('.lab-found').waitFor();
    await at.prompt();
    await at.page.locator('.lab-found').scrollIntoViewIfNeeded();
  },
  async ladder(at) {
    await at.key('x');
    await at.page.getByRole('button', { name: /^ladder / }).click();
    await at.page.getByRole('button', { name: 'Run experiment' }).click();
    await at.page.locator('.lab-chart svg').first().waitFor();
    await at.prompt();
    await at.page.locator('.lab-found').evaluate((found) => found.scrollIntoView());
  },
  async table(at) {
    await at.run('fill 90 --words --seed 7; run; fill 40 --words --seed 9; step phase 14');
    await at.page.getByRole('button', { name: 'As table' }).click();
    await at.tab('Stats');
  },
};

/** A visitor: types, presses keys, waits for the answer. */
function visitor(page) {
  const prompt = () =>
    page.waitForFunction(() => {
      const rows = [...document.querySelectorAll('.xterm-rows > div')];
      const texts = rows.map((row) => row.textContent.replaceAll('\u00a0', ' ').trimEnd());
      return texts.findLast((text) => text !== '') === 'lsm>';
    });
  const type = async (line) => {
    await page.getByRole('textbox', { name: /^Command line/ }).focus();
    await page.keyboard.insertText(line);
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
  };
  return {
    page,
    prompt,
    type,
    async run(line) {
      await type(line);
      await prompt();
    },
    async key(key) {
      // Single keys belong to whatever is typed in.
      if (key.length === 1) await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press(key);
    },
    tab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    option: (name) => page.getByRole('option', { name }).last(),
  };
}

async function take(chromium, url, name, colorScheme, { suffix, width, height }) {
  const context = await chromium.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(url);
  const at = visitor(page);
  await at.prompt();
  // The page reads single keys once it has answered a command.
  await at.run('clear');
  await VIEWS[name](at);
  // Answers of the engine, and what follows at leisure.
  await page.waitForTimeout(800);
  const png = withPalette(await page.screenshot());
  writeFileSync(path(`docs/images/${name}-${colorScheme}${suffix}.png`), png);
  await context.close();
  return png.length;
}

async function screenshots() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in VIEWS));
  if (unknown !== undefined) {
    throw new Unmet(`There is no view ${unknown}; there are ${Object.keys(VIEWS).join(', ')}.`);
  }
  await build();
  const { chromium: driver } = await import('playwright-core');
  const chromium = await driver.launch({ executablePath: await browser() });
  const { port, stop } = await serve(path('dist'));
  try {
    for (const name of wanted.length > 0 ? wanted : Object.keys(VIEWS)) {
      let bytes = 0;
      for (const size of SIZES) {
        for (const theme of ['light', 'dark']) {
          bytes += await take(chromium, `http://localhost:${port}/`, name, theme, size);
        }
      }
      say(`${name}: ${2 * SIZES.length} pictures, ${Math.round(bytes / 1024)} KiB.`);
    }
  } finally {
    await chromium.close();
    stop();
  }
}

asScript(import.meta.url, screenshots);
