// Uses of a database beyond the official suite.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Levelscope, MemoryLevelscope } from '../../dist/node.js';
import { BlockingLevelscope } from '../../dist/test/blocking.js';
import { place } from './program.mjs';

const stores = {
  files: (t, options) => new Levelscope(place(t), options),
  memory: (_, options) => new MemoryLevelscope(options),
  blocking: (_, options) => new BlockingLevelscope(options),
};

/** Numbers that look random; a failure prints the seed. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

for (const [where, make] of Object.entries(stores)) {
  test(`packed reads give what single reads give (${where})`, async (t) => {
    const db = make(t);
    await db.open();
    const keys = Array.from({ length: 2500 }, (_, index) => `k${String(index).padStart(5, '0')}`);
    await db.batch(keys.map((key) => ({ type: 'put', key, value: `value of ${key}` })));
    const text = (bytes) => Buffer.from(bytes).toString();

    const values = await db.packed.getMany([keys[7], 'absent', keys[2000]]);
    const found = [];
    while (values.next()) found.push(values.value && text(values.value));
    assert.deepEqual(found, [`value of ${keys[7]}`, undefined, `value of ${keys[2000]}`]);

    for (const reverse of [false, true]) {
      const scan = db.packed.scan({ gte: keys[3], lt: keys[2400], reverse });
      const entries = [];
      for (let page = await scan.next(); page; page = await scan.next()) {
        while (page.next()) entries.push([text(page.key), text(page.value)]);
      }
      assert.equal(await scan.next(), undefined);
      const range = await db.iterator({ gte: keys[3], lt: keys[2400], reverse }).all();
      assert.deepEqual(entries, range);
    }
    const cut = db.packed.scan();
    assert.equal((await cut.next()).count, 1000);
    cut.close();
    await db.close();
  });

  test(`packed reads refuse what is no key (${where})`, async (t) => {
    const db = make(t);
    await db.open();
    for (const key of [5, null, undefined, new Uint16Array([53]), {}]) {
      const refused = { code: 'LEVEL_INVALID_ARGUMENT' };
      assert.throws(() => db.packed.getMany([key]), refused);
      if (key !== undefined) assert.throws(() => db.packed.scan({ gte: key }), refused);
    }
    for (const keys of [null, 'abc']) assert.throws(() => db.packed.getMany(keys), TypeError);
    const found = await db.packed.getMany([Buffer.from('a'), new Uint8Array(1), '']);
    while (found.next()) assert.equal(found.isPresent, false);
    await db.close();
  });

  test(`any text and any bytes come back as they were (${where})`, async (t) => {
    const db = make(t);
    const texts = ['', 'a', '\ufefffirst', 'ä€😀', '\0\u0001', 'x'.repeat(47), 'ß'.repeat(60)];
    for (const text of texts) {
      await db.put(`k${text}`, text);
      assert.equal(await db.get(`k${text}`), text);
    }
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const binary = { keyEncoding: 'view', valueEncoding: 'view' };
    await db.put(bytes, bytes, binary);
    assert.deepEqual(await db.get(bytes, binary), bytes);
    await db.put('empty', new Uint8Array(), { valueEncoding: 'view' });
    assert.equal((await db.get('empty', { valueEncoding: 'buffer' })).length, 0);
    await db.close();
  });

  test(`values of megabytes, and pages full of them (${where})`, async (t) => {
    const db = make(t, { valueEncoding: 'view', writeBufferSize: 1 << 20 });
    const value = new Uint8Array(3 << 20).fill(7);
    for (let index = 0; index < 6; index++) await db.put(String(index), value);
    const all = await db.values().all();
    assert.deepEqual(
      all.map((found) => found.length),
      Array(6).fill(value.length),
    );
    assert.deepEqual(
      (await db.getMany(['1', 'none', '5'])).map((found) => found?.length),
      [value.length, undefined, value.length],
    );
    await db.close();
  });

  test(`a model agrees through flushes and compactions (${where})`, async (t) => {
    const seed = Number(process.env.SEED ?? 20260101);
    t.diagnostic(`SEED=${seed}`);
    const random = numbers(seed);
    const db = make(t, {
      writeBufferSize: 1 << 12,
      maxFileSize: 1 << 12,
      engine: { level_base_bytes: 1 << 13, l0_trigger: 2, l0_slowdown: 4, l0_stall: 6 },
    });
    await db.open();
    const model = new Map();
    for (let turn = 0; turn < 400; turn++) {
      const operations = Array.from({ length: 1 + random(40) }, () => {
        const key = `key${random(300)}`;
        return random(4) === 0
          ? { type: 'del', key }
          : { type: 'put', key, value: `${turn}`.repeat(1 + random(30)) };
      });
      const written = [];
      for (const operation of operations) {
        const { type, key, value } = operation;
        if (type === 'put') model.set(key, value);
        else model.delete(key);
        if (turn % 3 === 0) written.push(type === 'put' ? db.put(key, value) : db.del(key));
      }
      if (turn % 3 !== 0) written.push(db.batch(operations));
      if (random(5) === 0) await db.close().then(() => db.open());
      await Promise.all(written);
      const key = `key${random(300)}`;
      assert.equal(await db.get(key), model.get(key), `turn ${turn}`);
      if (turn % 40 === 0) {
        const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(await db.iterator().all(), expected, `turn ${turn}`);
        const [from, to] = [`key${random(300)}`, `key${random(300)}`].sort();
        const part = expected.filter(([name]) => name >= from && name < to);
        const found = await db.iterator({ gte: from, lt: to, reverse: true }).all();
        assert.deepEqual(found, part.reverse(), `turn ${turn}`);
      }
    }
    await db.close();
  });

  test(`writes that are not awaited keep their order (${where})`, async (t) => {
    const db = make(t, { writeBufferSize: 1 << 12, engine: { immutable_count_max: 1 } });
    await db.open();
    const writes = [];
    for (let index = 0; index < 3000; index++) {
      writes.push(db.put(`k${index % 10}`, `${index}`.padEnd(200)));
    }
    await Promise.all(writes);
    for (let index = 0; index < 10; index++) {
      assert.equal((await db.get(`k${index}`)).trim(), String(2990 + index));
    }
    await db.close();
  });

  test(`closing waits for what is under way and ends the rest (${where})`, async (t) => {
    const db = make(t);
    await db.open();
    const puts = Array.from({ length: 500 }, (_, index) => db.put(`k${index}`, 'v'));
    const iterator = db.iterator();
    await Promise.all([...puts, db.close()]);
    await assert.rejects(iterator.next(), { code: 'LEVEL_ITERATOR_NOT_OPEN' });
    await assert.rejects(db.sync(), { code: 'LEVEL_DATABASE_NOT_OPEN' });
    await db.open();
    assert.equal((await db.keys().all()).length, 500);
    await db.close();
  });
}

test('keys and values that are too long are refused, and the database goes on', async () => {
  const db = new MemoryLevelscope();
  await assert.rejects(db.put('k'.repeat(70_000), 'v'), {
    code: 'LEVEL_INVALID_ARGUMENT',
    message: /64 KiB|65,536|65,535/,
  });
  await db.put('k', 'v');
  assert.equal(await db.get('k'), 'v');
  await db.close();
});

test('a wrong value of an option is refused with the right ones', () => {
  const refused = (options, message) =>
    assert.throws(() => new MemoryLevelscope(options), { name: 'TypeError', message });
  refused('json', "The argument 'options' must be an object");
  for (const [options, words] of [
    [{ durability: 'strikt' }, "'durability' must be 'relaxed' or 'strict', not 'strikt'"],
    [
      { durability: "relaxed' or 'strict" },
      "'durability' must be 'relaxed' or 'strict', not 'relaxed' or 'strict'",
    ],
    [{ compression: 'none' }, "'compression' must be true or false, not the text 'none'"],
    [{ engine: 'tiered' }, "'engine' must be an object, not the text 'tiered'"],
    [{ engine: null }, "'engine' must be an object, not null"],
    [{ fallback: 'indexeddb' }, "'fallback' must be 'memory', not 'indexeddb'"],
    [{ cacheSize: '10' }, "'cacheSize' must be a whole number of bytes, not the text '10'"],
    [{ maxOpenFiles: 1.5 }, "'maxOpenFiles' must be a whole number of tables, not 1.5"],
    [
      { engine: { bloom_bits: '10' } },
      "'engine.bloom_bits' must be the number 10, not the text '10'",
    ],
  ]) {
    refused(options, `The option ${words}`);
  }
});

test('a misspelt option is refused with the right name, and other unknown ones pass', async () => {
  for (const [name, meant] of [
    ['writeBuferSize', 'writeBufferSize'],
    ['keyencoding', 'keyEncoding'],
    ['inspcet', 'inspect'],
    ['maxFilesSize', 'maxFileSize'],
    ['errorIfExist', 'errorIfExists'],
  ]) {
    assert.throws(() => new MemoryLevelscope({ [name]: 1 }), {
      name: 'TypeError',
      message: `There is no option '${name}'; did you mean '${meant}'?`,
    });
  }
  const known = { valueEncoding: 'json', createIfMissing: true, errorIfExists: false };
  const unknown = { userland: 1, multithreading: true, toString: 1 };
  const db = new MemoryLevelscope({ ...known, ...unknown, passive: false, cacheSize: undefined });
  await db.open();
  await db.close();
});

test('a snapshot of another database is refused', async () => {
  const [one, other] = [new MemoryLevelscope(), new MemoryLevelscope()];
  await Promise.all([one.put('k', 'one'), other.put('k', 'other')]);
  const snapshots = [one.snapshot(), other.snapshot()];
  await assert.rejects(one.get('k', { snapshot: snapshots[1] }), /another database/);
  assert.equal(await one.get('k', { snapshot: snapshots[0] }), 'one');
  await Promise.all([one.close(), other.close()]);
});

test('opening and closing often takes no more and more memory', async (t) => {
  const db = new Levelscope(place(t));
  const after = [];
  for (let round = 0; round < 600; round++) {
    await db.open();
    await db.put('round', String(round));
    await db.close();
    if (round % 200 === 199) {
      // Objects that a finalizer still sees are freed one turn later.
      for (let turn = 0; turn < 5; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        globalThis.gc?.();
      }
      after.push(process.memoryUsage().arrayBuffers + process.memoryUsage().external);
    }
  }
  // The first rounds may all fit into what the collector leaves alone.
  assert.ok(after[2] - after[1] < 8 << 20, `${after} bytes`);
  await db.open();
  assert.equal(await db.get('round'), '599');
  await db.close();
});

test('timers and background work go on beside loops of awaited calls', async (t) => {
  const db = new Levelscope(place(t), { writeBufferSize: 1 << 16 });
  await db.open();
  const ticks = async (act) => {
    let count = 0;
    const timer = setInterval(() => count++, 1);
    await act();
    clearInterval(timer);
    return count;
  };
  const value = 'x'.repeat(100);
  const loops = {
    put: async (key) => db.put(key, value),
    get: async (key) => assert.equal(await db.get(key), value),
    has: async (key) => assert.equal(await db.has(key), true),
  };
  for (const [name, act] of Object.entries(loops)) {
    const seen = await ticks(async () => {
      for (let index = 0; index < 40_000; index++) await act(`key${index}`);
    });
    assert.ok(seen > 0, `no timer came between 40,000 times ${name}`);
  }
  const seen = await ticks(async () => {
    for (let round = 0; round < 5; round++) {
      for await (const [, found] of db.iterator()) assert.equal(found, value);
    }
  });
  assert.ok(seen > 0, 'no timer came between 200,000 entries');
  assert.ok((await db.levelscope.stats()).flushes > 10, 'flushes were done meanwhile');
  await db.close();
});

test('it can be required', () => {
  const { Levelscope: required } = createRequire(import.meta.url)('../../dist/node.js');
  assert.equal(required, Levelscope);
});
