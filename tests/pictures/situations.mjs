// The steps of a visitor to each view of the page.

/** Opens the sample of RocksDB in the view for directories of other engines. */
async function lens({ page }) {
  await page.evaluate(() => {
    window.location.hash = '#directory/rocksdb';
  });
  await page.getByRole('listbox', { name: /^Levels of the family/ }).waitFor();
  await page.getByRole('slider', { name: 'History' }).waitFor();
}

/** Opens one of the ten questions about the sample. */
async function question(at, text) {
  await lens(at);
  await at.tab('Questions');
  await at.page.getByRole('button', { name: text }).click();
  await at.page.getByRole('article', { name: text }).getByRole('status').waitFor();
}

/** The way to each view, as a visitor would go it. */
export const VIEWS = {
  async first() {},
  async lab(at) {
    await at.run('fill 90 --words --seed 7; run; fill 40 --words --seed 9; step phase 14');
    await at.option(/^table \d+, /).click();
  },
  async lesson(at) {
    await at.run('lesson start deleting');
    for (let acts = 0; acts < 6; acts += 1) await at.run('next');
    await at.run('answer 1');
    for (let acts = 0; acts < 3; acts += 1) await at.run('next');
    await at.key('Escape');
  },
  async many(at) {
    await at.run('fill 3000; run');
    await at.run('stats');
  },
  async past(at) {
    await at.run('fill 90 --words --seed 7; run; fill 25 --words --seed 9; flush; run');
    await at.run('goto 570');
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
    await at.key('PageDown');
  },
  async compare(at) {
    await at.run('compare leveled tiered { fill 300 --words --seed 7; run }');
    await at.page.locator('.compare-stage').nth(1).waitFor();
  },
  async memtable(at) {
    await at.run('options set memtable_bytes 65536');
    await at.run('fill 600 --words --seed 7; put apple red; put apple green; del apple');
    await at.option(/^memtable/).dblclick();
    await at.option(/^leaf 1,/).waitFor();
  },
  async log(at) {
    await at.run(
      'fill 8 --words --seed 7; sync; put fig blue --sync off; put pear green --sync off',
    );
    await at.option(/^WAL/).dblclick();
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
    await at.page.locator('.drawing svg').first().waitFor();
    await at.prompt();
    await at.page.locator('.lab-found').evaluate((found) => found.scrollIntoView());
  },
  async table(at) {
    await at.run('fill 90 --words --seed 7; run; fill 40 --words --seed 9; step phase 14');
    await at.page.getByRole('button', { name: 'As table' }).click();
    await at.tab('Stats');
  },
  async 'lens-levels'(at) {
    await lens(at);
    await at.option(/^table 130 /).click();
  },
  async 'lens-level0'(at) {
    await question(at, /Why do files pile up/);
    await at.page.locator('.drawing svg').first().waitFor();
  },
  async 'lens-step'(at) {
    await lens(at);
    await at.page.getByLabel('Number of the step').fill('34');
    await at.page.keyboard.press('Enter');
    await at.option(/^table \d+ in L1, .* new in this step/).waitFor();
  },
  async 'lens-deleted'(at) {
    await question(at, /I deleted data/);
    await at.page.locator('.drawing svg').first().waitFor();
  },
  async 'lens-cover'(at) {
    await question(at, /Which tables cover/);
    await at.page.getByLabel('About the key', { exact: true }).fill('user:000875');
    await at.page.keyboard.press('Enter');
    await at.page.getByText(/^Key "user:000875"/).waitFor();
  },
  async 'lens-bytes'(at) {
    await lens(at);
    await at.tab('Bytes');
    await at.page.getByLabel('File', { exact: true }).selectOption('000134.sst');
    for (const name of [/^data blocks/, /^data block 1/, /^block content/, /^entries/, /^entry/]) {
      const part = at.page.getByRole('treeitem', { name }).first();
      await part.click();
      await part.and(at.page.locator('[aria-selected=true]')).waitFor();
      await at.page.keyboard.press('ArrowRight');
    }
  },
  async 'lens-read'(at) {
    await lens(at);
    await at.tab('Read');
    await at.page.getByRole('radio', { name: 'get one key' }).check();
    await at.page.getByLabel('Key', { exact: true }).fill('user:000875');
    await at.page.keyboard.press('Enter');
    await at.page.locator('.stops').waitFor();
  },
};
