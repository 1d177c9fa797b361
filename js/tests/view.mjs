// The element <levelscope-view> in Chromium, with databases in memory and in the origin's files.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { browser as chromiumPath } from '../../scripts/browser.mjs';
import { serve } from '../../scripts/serve.mjs';

const { port, stop } = await serve(fileURLToPath(new URL('..', import.meta.url)));
const address = `http://localhost:${port}/tests/view/page.html`;
const browser = await chromium.launch({
  executablePath: await chromiumPath(),
  args: ['--no-sandbox'],
});
// Axe needs a page of a context.
const context = await browser.newContext({ viewport: { width: 1000, height: 1200 } });

let [passed, failed] = [0, 0];

/** A page with the package; errors of its scripts fail the test. */
async function opened(path = address) {
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(path);
  await page.evaluate(async () => {
    const { Levelscope, MemoryLevelscope } = await import('/dist/browser.js');
    await import('/dist/view.js');
    window.small = {
      inspect: true,
      writeBufferSize: 4096,
      blockSize: 512,
      maxFileSize: 4096,
      engine: { l0_trigger: 2, level_base_bytes: 8192, level_multiplier: 3, level_count: 5 },
    };
    window.memory = (options) => new MemoryLevelscope({ ...window.small, ...options });
    window.origin = (name) => new Levelscope(name, window.small);
    window.at = (id) => document.getElementById(id).shadowRoot;
    window.fill = async (db, count) => {
      for (let number = 0; number < count; number++) {
        await db.put(`key ${String(number).padStart(5, '0')}`, `value ${number}`.repeat(4));
      }
    };
  });
  return { page, errors };
}

async function test(name, body) {
  const { page, errors } = await opened();
  try {
    await body(page);
    assert.deepEqual(errors, []);
    passed += 1;
    console.log(`passed: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}\n${error.stack}`);
  } finally {
    await page.close();
  }
}

const show = (page, make = 'memory') =>
  page.evaluate((how) => {
    window.db = window[how]();
    document.getElementById('first').database = window.db;
  }, make);

const seen = (page, text) =>
  page.waitForFunction((wanted) => window.at('first').textContent.includes(wanted), text);

/** Waits until the memtable on top has so many entries. */
const entries = (page, text, id = 'first') =>
  page.waitForFunction(
    ([wanted, which]) =>
      window.at(which).querySelector('[data-object^="memtable:"]')?.ariaLabel.includes(wanted),
    [`, ${text}`, id],
  );

/** Waits until the tables and entries that are drawn are those of the state. */
const sameTables = (page, id = 'first') =>
  page.waitForFunction(async (which) => {
    const { levels, jobs, memtables } = await window.db.levelscope.view();
    const [{ memtable, entries }] = memtables;
    const top = window.at(which).querySelector(`[data-object="memtable:${memtable}"]`);
    if (!top?.ariaLabel.includes(`, ${entries} entr`)) return false;
    const wanted = levels
      .flatMap(({ tables }) => tables.map(({ table }) => `table:${table}`))
      .sort();
    const drawn = [...window.at(which).querySelectorAll('[data-object^="table:"]')];
    const found = drawn.map((element) => element.dataset.object).sort();
    return (
      jobs.length === 0 && wanted.length > 0 && wanted.join() === found.join() && wanted.length
    );
  }, id);

await test('a put makes the memtable grow', async (page) => {
  await show(page);
  await entries(page, '0 entries');
  await page.evaluate(() => window.db.put('a key', 'a value'));
  await entries(page, '1 entry');
  await seen(page, 'a key');
});

for (const place of ['memory', 'origin']) {
  await test(`tables of all levels are drawn, ${place}`, async (page) => {
    if (place === 'origin') {
      await page.evaluate(() => {
        window.inOrigin = () => window.origin(`view ${Math.random()}`);
      });
      await show(page, 'inOrigin');
    } else {
      await show(page);
    }
    await page.evaluate(() => window.fill(window.db, 400));
    await sameTables(page);
    const levels = await page.evaluate(async () => {
      const { levels } = await window.db.levelscope.view();
      return levels.filter(({ tables }) => tables.length > 0).length;
    });
    assert.ok(levels >= 2, `${levels} levels have tables`);
  });
}

await test('a rush of writes ends in the picture of the state', async (page) => {
  await show(page);
  const most = await page.evaluate(async () => {
    let pictures = 0;
    const watcher = new MutationObserver(() => {
      pictures += 1;
    });
    watcher.observe(window.at('first'), {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    const start = performance.now();
    let number = 0;
    while (performance.now() - start < 2000) {
      const batch = Array.from({ length: 50 }, () => `rush ${(number++ * 7919) % 1500}`);
      await Promise.all(batch.map((key) => window.db.put(key, 'x'.repeat(20))));
    }
    return (pictures * 1000) / (performance.now() - start);
  });
  assert.ok(most <= 25, `${most} changes a second`);
  await sameTables(page);
});

await test('keys are only text', async (page) => {
  await show(page);
  await page.evaluate(async () => {
    window.alert = () => {
      throw new Error('a key was run');
    };
    await window.db.put('<img src=x onerror=alert(1)>', '<script>alert(2)</script>');
  });
  await seen(page, '(1)>');
  await page.evaluate(() => window.fill(window.db, 200));
  await sameTables(page);
  const images = await page.evaluate(
    () => window.at('first').querySelectorAll('img, script').length,
  );
  assert.equal(images, 0);
});

await test('an element outside of the document does not listen', async (page) => {
  await show(page);
  await entries(page, '0 entries');
  const asked = await page.evaluate(async () => {
    const { levelscope } = window.db;
    const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    const element = document.getElementById('first');
    element.remove();
    await rest(400);
    // The questions of another listener show whether the engine kept events: it gets none from before.
    let questions = 0;
    const { parse } = JSON;
    JSON.parse = (text) => {
      questions += 1;
      return parse(text);
    };
    await window.db.put('b', '1');
    await rest(400);
    JSON.parse = parse;
    const events = levelscope.events();
    const first = events.next();
    await rest(100);
    await window.db.put('c', '2');
    const { value } = await first;
    await events.return();
    document.querySelector('main').append(element);
    return { questions, sentence: value.sentence };
  });
  assert.equal(asked.questions, 0);
  assert.match(asked.sentence, /c/);
  // And it goes on when it is back.
  await entries(page, '2 entries');
});

await test('the element reports closing, and goes on after opening again', async (page) => {
  await show(page);
  await page.evaluate(() => window.db.put('a', '1'));
  await entries(page, '1 entry');
  await page.evaluate(() => window.db.close());
  await seen(page, 'The database is closed.');
  await page.evaluate(async () => {
    await window.db.open();
    await window.db.put('after opening', '2');
  });
  await seen(page, 'after opening');
  assert.ok(await page.evaluate(() => !window.at('first').textContent.includes('is closed')));
});

await test('another database takes the place of the first', async (page) => {
  await show(page);
  await page.evaluate(() => window.db.put('of the first', '1'));
  await seen(page, 'of the first');
  await show(page);
  await page.evaluate(() => window.db.put('of the second', '1'));
  await seen(page, 'of the second');
  assert.ok(await page.evaluate(() => !window.at('first').textContent.includes('of the first')));
  await page.evaluate(() => {
    document.getElementById('first').database = null;
  });
  await seen(page, 'No database is on show.');
});

await test('the element refuses what is no database, and names a missing option', async (page) => {
  await assert.rejects(
    page.evaluate(() => Object.assign(document.getElementById('first'), { database: 5 }) && null),
    /TypeError: database must be a Levelscope database or null/,
  );
  await page.evaluate(() => {
    document.getElementById('first').database = window.memory({ inspect: false });
  });
  await seen(page, 'inspect: true');
});

await test('the element reports an opening that fails', async (page) => {
  await page.evaluate(async () => {
    window.one = window.origin('taken');
    await window.one.open();
    window.db = window.origin('taken');
    document.getElementById('first').database = window.db;
  });
  await seen(page, 'could not be opened: the database "taken" is open in another tab');
  await page.evaluate(async () => {
    await window.one.close();
    await window.db.open();
    await window.db.put('now', 'open');
  });
  await seen(page, 'now');
});

await test('two elements and a listener follow one database', async (page) => {
  await show(page);
  const ids = await page.evaluate(async () => {
    document.getElementById('second').database = window.db;
    const found = [];
    const listening = (async () => {
      for await (const { id } of window.db.levelscope.events()) found.push(id);
    })();
    await new Promise((done) => setTimeout(done, 300));
    await window.fill(window.db, 300);
    await new Promise((done) => setTimeout(done, 500));
    window.found = found;
    void listening;
    return found;
  });
  const [first] = ids;
  assert.deepEqual(
    ids,
    ids.map((_, index) => first + index),
    'no event is missing for the listener',
  );
  await sameTables(page, 'first');
  await sameTables(page, 'second');
});

await test('a property that was set before the element was defined counts', async (page) => {
  await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<levelscope-view id="early"></levelscope-view>';
    await new Promise((loaded) => {
      frame.onload = loaded;
      document.body.append(frame);
    });
    window.db = window.memory();
    const early = frame.contentDocument.getElementById('early');
    early.database = window.db;
    const script = frame.contentDocument.createElement('script');
    script.type = 'module';
    script.src = '/dist/view.js';
    frame.contentDocument.head.append(script);
    window.early = early;
  });
  await page.waitForFunction(() =>
    window.early.shadowRoot?.querySelector('[data-object^="memtable:"]'),
  );
});

await test('the styles of page and element stay apart', async (page) => {
  const before = await page.evaluate(() => getComputedStyle(document.querySelector('h1')).cssText);
  await show(page);
  await entries(page, '0 entries');
  const found = await page.evaluate(() => {
    const text = window.at('first').querySelector('.row-label');
    const { fontStyle, letterSpacing, fill } = getComputedStyle(text);
    const panel = getComputedStyle(
      window.at('first').querySelector('.view-caption'),
    ).backgroundColor;
    return { fontStyle, letterSpacing, fill, panel };
  });
  assert.deepEqual(found, {
    fontStyle: 'normal',
    letterSpacing: 'normal',
    fill: 'rgb(19, 26, 36)',
    panel: 'rgb(255, 255, 255)',
  });
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.querySelector('h1')).cssText),
    before,
  );
});

await test('the theme follows the system and the attribute', async (page) => {
  const colour = () =>
    page.evaluate(
      () => getComputedStyle(window.at('first').querySelector('.view')).backgroundColor,
    );
  await show(page);
  await entries(page, '0 entries');
  const [light, dark] = ['rgb(253, 252, 249)', 'rgb(22, 24, 29)'];
  assert.equal(await colour(), light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(
    (wanted) =>
      getComputedStyle(window.at('first').querySelector('.view')).backgroundColor === wanted,
    dark,
  );
  await page.evaluate(() => {
    document.getElementById('first').theme = 'light';
  });
  await page.waitForFunction(
    (wanted) =>
      getComputedStyle(window.at('first').querySelector('.view')).backgroundColor === wanted,
    light,
  );
});

await test('the keyboard gets in and out', async (page) => {
  await show(page);
  await page.evaluate(() => window.fill(window.db, 200));
  await sameTables(page);
  await page.evaluate(() => {
    const after = Object.assign(document.createElement('button'), {
      id: 'after',
      textContent: 'After',
    });
    document.querySelector('main').append(after);
  });
  const places = [];
  for (let presses = 0; presses < 6 && places.at(-1) !== 'after'; presses++) {
    await page.keyboard.press('Tab');
    if (presses === 0)
      for (const key of ['ArrowDown', 'ArrowRight', 'Enter', 'Escape'])
        await page.keyboard.press(key);
    places.push(await page.evaluate(() => document.activeElement.id));
  }
  assert.equal(places[0], 'first');
  assert.equal(places.at(-1), 'after');
});

for (const width of [360, 900]) {
  await test(`axe finds nothing at ${width} pixels`, async (page) => {
    await page.addStyleTag({
      content: `* { all: revert } levelscope-view { width: ${width}px !important }`,
    });
    await show(page);
    await page.evaluate(async () => {
      document.getElementById('second').database = window.db;
      await window.fill(window.db, 300);
    });
    await sameTables(page);
    await page.waitForTimeout(400);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id} ${target}: ${html}`),
    );
    assert.deepEqual(found, []);
  });
}

await browser.close();
stop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
