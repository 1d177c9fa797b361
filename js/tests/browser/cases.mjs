// One strange situation each. The functions given to `evaluate` run in the page.

/** In the page: opens the database `name`; the code of the error, or `open`. */
const open = async ({ name, options }) => {
  const { Levelscope } = await import('/browser.js');
  globalThis.db = new Levelscope(name, options);
  try {
    await globalThis.db.open();
    return 'open';
  } catch ({ cause }) {
    globalThis.trouble = cause;
    return cause.code;
  }
};

/** In the page: opens the database and writes until it is stopped, or fails; acknowledged writes are counted. */
const writeOn = async ({ name, options, bytes = 200, count = 1_000_000 }) => {
  const { Levelscope } = await import('/browser.js');
  const db = new Levelscope(name, options);
  globalThis.db = db;
  globalThis.acknowledged = 0;
  await db.open();
  let state = 1;
  /** Does not compress. */
  const noise = () => {
    let text = '';
    while (text.length < bytes) {
      state = (state * 48_271) % 2_147_483_647;
      text += state.toString(36);
    }
    return text.slice(0, bytes);
  };
  try {
    for (let at = 0; at < count; at++) {
      await db.put(String(at), `${at}:${noise()}`, { sync: true });
      globalThis.acknowledged = at + 1;
    }
  } catch (error) {
    return { acknowledged: globalThis.acknowledged, code: error.code, kind: error.kind };
  }
  return { acknowledged: globalThis.acknowledged };
};

/** In the page: how many of the first `count` writes are missing. */
const missing = async ({ name, count, bytes = 200 }) => {
  const { Levelscope } = await import('/browser.js');
  const db = new Levelscope(name, { createIfMissing: false });
  const isWhole = (value, at) =>
    value?.startsWith(`${at}:`) && value.length === bytes + `${at}:`.length;
  let lost = 0;
  for (let at = 0; at < count; at += 1000) {
    const keys = Array.from({ length: Math.min(1000, count - at) }, (_, index) =>
      String(at + index),
    );
    const values = await db.getMany(keys);
    lost += values.filter((value, index) => !isWhole(value, at + index)).length;
  }
  await db.close();
  return lost;
};

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const tabs = {
  title: 'the second tab gets LEVEL_LOCKED, and the database after the first has closed it',
  async run(browser, { url, check }) {
    const [first, second] = [await browser.page(url), await browser.page(url)];
    const name = 'a "name"/with\\any.Ünïcode ☃ \u0000';
    check.is(await first.evaluate(open, { name }), 'open', 'the first tab');
    await first.evaluate(() => globalThis.db.put('a', '1'));
    check.is(await second.evaluate(open, { name }), 'LEVEL_LOCKED', 'the second tab');
    const destroyed = await second.evaluate(async (location) => {
      const { Levelscope } = await import('/browser.js');
      return Levelscope.destroy(location).then(
        () => 'destroyed',
        ({ code }) => code,
      );
    }, name);
    check.is(destroyed, 'LEVEL_LOCKED', 'destroying what is open');
    await first.evaluate(() => globalThis.db.close());
    check.is(await second.evaluate(open, { name }), 'open', 'the second tab, after the first');
    check.is(
      await second.evaluate(() => globalThis.db.get('a')),
      '1',
      'what the first has written',
    );
    await second.close();
    check.is(await first.evaluate(open, { name }), 'open', 'the first tab, after the second went');
    const gone = await first.evaluate(async (location) => {
      const { Levelscope } = await import('/browser.js');
      await globalThis.db.close();
      await Levelscope.destroy(location);
      const again = new Levelscope(location, { createIfMissing: false });
      return again.open().then(
        () => 'open',
        ({ cause }) => `${cause.code} ${cause.message}`,
      );
    }, name);
    check.ok(/LEVEL_NOT_FOUND .* does not exist/s.test(gone), `after destroy: ${gone}`);
  },
};

const reload = {
  title: 'a reload keeps the data',
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    const name = 'reloaded';
    for (let round = 0; round < 5; round++) {
      check.is(await page.evaluate(open, { name }), 'open', `round ${round}`);
      const before = await page.evaluate(async (at) => {
        const found = await globalThis.db.get('round');
        await globalThis.db.put('round', String(at));
        return found;
      }, round);
      check.is(
        before ?? 'none',
        round === 0 ? 'none' : String(round - 1),
        `found in round ${round}`,
      );
      await page.reload();
    }
  },
};

const denied = {
  title: 'denied storage is an error with a way out, or a database in memory',
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    /** The worker meets a private window, which denies its files. */
    const start = async () => {
      const deny = `StorageManager.prototype.getDirectory = async () => {
        throw new DOMException('Security error when calling GetDirectory', 'SecurityError');
      };`;
      const script = `${deny} import(${JSON.stringify(new URL('/worker.js', location.href).href)})
        .then(() => { ready = true; for (const data of early) dispatchEvent(new MessageEvent('message', { data })); });
        let ready = false; const early = [];
        addEventListener('message', ({ data }) => { if (!ready) early.push(data); });`;
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const { Levelscope } = await import('/browser.js');
      const worker = () => new Worker(address, { type: 'module' });
      const closed = new Levelscope('private', { worker });
      const trouble = await closed.open().then(
        () => ({}),
        ({ cause }) => cause,
      );
      const db = new Levelscope('private', { worker, fallback: 'memory' });
      await db.put('a', '1');
      const refusal = { code: trouble.code, kind: trouble.kind, message: trouble.message };
      const found = { inMemory: db.inMemory, value: await db.get('a') };
      await db.close();
      return { ...refusal, ...found };
    };
    const { code, kind, message, inMemory, value } = await page.evaluate(start);
    check.is(code, 'LEVEL_IO_ERROR', 'code');
    check.is(kind, 'io', 'kind');
    check.ok(/rivate window.*fallback: 'memory'/.test(message), `the message: ${message}`);
    check.is(inMemory, true, 'the database with a fallback is in memory');
    check.is(value, '1', 'what was written there');
  },
};

const quotaIn = (isPrivate) => ({
  title: `a quota that is used up is an error, and loses nothing${isPrivate ? ' (private window)' : ''}`,
  isPrivate,
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    const protocol = await browser.protocol(page);
    const { origin } = new URL(url);
    const limit = (quotaSize) =>
      protocol.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
    await limit(24 << 20);
    const name = 'full';
    const bytes = 20_000;
    const { acknowledged, code, kind } = await page.evaluate(writeOn, { name, bytes, count: 4000 });
    check.ok(acknowledged > 50, `${acknowledged} writes before the quota`);
    check.is(code, 'LEVEL_IO_ERROR', 'code');
    check.is(kind, 'outOfSpace', 'kind');
    await page.evaluate(() => globalThis.db.close().catch(() => {}));
    await limit(1 << 30);
    const lost = await page.evaluate(missing, { name, count: acknowledged, bytes });
    check.is(lost, 0, `lost of ${acknowledged} acknowledged writes`);
    check.is(await page.evaluate(open, { name }), 'open', 'reopened for writes');
    await page.evaluate(() => globalThis.db.put('after', '1'));
    await page.evaluate(() => globalThis.db.close());
  },
});

const killedWorker = {
  title: 'a worker that dies in the middle of writes loses no acknowledged write',
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    const outcome = await page.evaluate(async () => {
      const { Levelscope } = await import('/browser.js');
      let last;
      const worker = () => {
        last = new Worker('/worker.js', { type: 'module' });
        return last;
      };
      const db = new Levelscope('killed', { worker });
      await db.open();
      let acknowledged = 0;
      const codes = new Set();
      const write = async (at) => {
        try {
          await db.put(String(at), `${at}:`.padEnd(200, 'x'));
          acknowledged += 1;
        } catch ({ code }) {
          codes.add(code);
        }
      };
      for (let at = 0; at < 500; at++) await write(at);
      const flying = Array.from({ length: 300 }, (_, at) => write(500 + at));
      await flying[0];
      const before = acknowledged;
      const more = Array.from({ length: 300 }, (_, at) => write(800 + at));
      last.terminate();
      await Promise.all([...flying, ...more]);
      const later = await db.get('0').then(
        () => 'found',
        ({ code }) => code,
      );
      await db.close();
      await db.open();
      const found = await db.keys().all();
      const values = await db.getMany(found);
      const wrong = found.filter((key, at) => values[at] !== `${key}:`.padEnd(200, 'x')).length;
      await db.close();
      return { before, acknowledged, codes: [...codes], later, found: found.length, wrong };
    });
    check.is(outcome.codes.join(), 'LEVEL_CONNECTION_LOST', 'what was in flight');
    check.is(outcome.later, 'LEVEL_CONNECTION_LOST', 'what came later');
    check.ok(outcome.found >= outcome.acknowledged, `${JSON.stringify(outcome)}`);
    check.is(outcome.wrong, 0, 'wrong values');
  },
};

const killedBrowser = {
  title: 'a browser that is killed during durable writes loses no acknowledged write',
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    const name = 'power';
    page.evaluate(writeOn, { name }).catch(() => {});
    let acknowledged = 0;
    const [enough, late] = [Date.now() + 1000, Date.now() + 20_000];
    while (Date.now() < late && (Date.now() < enough || acknowledged < 50)) {
      await wait(20);
      acknowledged = (await page.evaluate(() => globalThis.acknowledged)) ?? 0;
    }
    await browser.kill();
    await browser.start();
    const later = await browser.page(url);
    check.ok(acknowledged > 20, `${acknowledged} writes were acknowledged`);
    const lost = await later.evaluate(missing, { name, count: acknowledged });
    check.is(lost, 0, `lost of ${acknowledged} acknowledged writes`);
  },
};

const openings = {
  title: 'opening and closing again and again keeps memory bounded',
  async run(browser, { url, check }) {
    const page = await browser.page(url);
    const protocol = await browser.protocol(page);
    const rounds = async (count) => {
      const { Levelscope } = await import('/browser.js');
      for (let at = 0; at < count; at++) {
        const db = new Levelscope('again');
        await db.put(String(at % 50), 'x'.repeat(100));
        await db.close();
      }
    };
    const heap = async () => {
      await protocol.send('HeapProfiler.collectGarbage');
      return page.evaluate(() => performance.memory.usedJSHeapSize);
    };
    await page.evaluate(rounds, 20);
    const before = await heap();
    await page.evaluate(rounds, 80);
    const grown = ((await heap()) - before) / 1024;
    check.ok(grown < 1024, `the heap of the page grew by ${grown.toFixed(0)} KiB in 80 rounds`);
    const files = await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const all = await root.getDirectoryHandle('levelscope-databases');
      const names = [];
      for await (const name of (await all.getDirectoryHandle('again')).keys()) names.push(name);
      return names;
    });
    const logs = files.filter((file) => file.endsWith('.wal'));
    check.ok(logs.length < 8, `logs at the end: ${logs.join(' ')}`);
    // All in one thread: the engine's memory must not grow with the databases that it has had.
    const memory = await page.evaluate(async () => {
      const script = `import { Levelscope } from '${location.origin}/browser.js';
        const sizes = [];
        let memory;
        const Real = WebAssembly.Instance;
        WebAssembly.Instance = class extends Real {
          constructor(...given) { super(...given); memory = this.exports.memory; }
        };
        for (let at = 0; at <= 300; at++) {
          const db = new Levelscope('again');
          await db.put(String(at % 50), 'x'.repeat(100));
          await db.close();
          if (at === 50 || at === 300) sizes.push(memory.buffer.byteLength);
        }
        postMessage(sizes);`;
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const worker = new Worker(address, { type: 'module' });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      });
    });
    check.is(memory[1], memory[0], 'memory of the engine after 50 and 300 openings [bytes]');
  },
};

/** By name; in the order in which they run. */
export const cases = {
  tabs,
  reload,
  denied,
  quota: quotaIn(false),
  privateQuota: quotaIn(true),
  killedWorker,
  killedBrowser,
  openings,
};
