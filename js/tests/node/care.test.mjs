// Occasional calls: compaction, sizes, repair; and the errors of wrong ones.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import { Levelscope, MemoryLevelscope } from '../../dist/node.js';
import { BlockingLevelscope } from '../../dist/test/blocking.js';
import { place } from './program.mjs';

const causeOf = (opening) =>
  opening.then(
    () => assert.fail('it opens'),
    ({ cause }) => cause,
  );

const filled = async (db, count = 3000) => {
  const entry = (index) => ({
    type: 'put',
    key: `k${1000 + index}`,
    value: `value ${index}`.repeat(9),
  });
  await db.batch(Array.from({ length: count }, (_, index) => entry(index)));
};

for (const make of [
  (t) => new Levelscope(place(t), { compression: false }),
  () => new MemoryLevelscope({ compression: false }),
  () => new BlockingLevelscope({ compression: false }),
]) {
  test(`a compaction gives the space of deleted entries back (${make})`, async (t) => {
    const db = make(t);
    await filled(db);
    const before = await db.approximateSize('k', 'l');
    assert.ok(before > 3000 * 70 && before < 3000 * 140, `${before} bytes`);
    const half = await db.approximateSize('k', 'k2500');
    assert.ok(half > before * 0.4 && half < before * 0.6, `${half} of ${before} bytes`);
    await db.compactRange('k', 'l');
    await db.clear({ lt: 'k3900' });
    await db.compactRange('k', 'l');
    const after = await db.approximateSize('k', 'l');
    assert.ok(after < before / 10, `${after} of ${before} bytes`);
    assert.equal((await db.keys().all()).length, 100);
    assert.equal(await db.approximateSize('l', 'm'), 0);
    await db.close();
  });
}

test('compactRange and approximateSize take two keys, encoded as the others', async () => {
  const db = new MemoryLevelscope({ keyEncoding: 'json' });
  await db.put({ a: 1 }, 'value');
  assert.ok((await db.approximateSize({ a: 0 }, { a: 2 })) > 0);
  assert.equal(await db.approximateSize('x', 'y', { keyEncoding: 'utf8' }), 0);
  assert.throws(() => db.compactRange('a'), { code: 'LEVEL_INVALID_ARGUMENT' });
  assert.throws(() => db.approximateSize(null, 'b'), { code: 'LEVEL_INVALID_ARGUMENT' });
  await db.close();
  await assert.rejects(db.compactRange('a', 'b'), { code: 'LEVEL_DATABASE_NOT_OPEN' });
});

test('writes go on while a range is compacted', async (t) => {
  const db = new Levelscope(place(t), { writeBufferSize: 1 << 15 });
  await filled(db);
  const compacting = db.compactRange('k', 'l');
  for (let index = 0; index < 500; index++) await db.put(`later${index}`, 'x');
  await compacting;
  assert.equal((await db.keys().all()).length, 3500);
  await db.close();
});

test('properties have the names of LevelDB', async (t) => {
  const db = new Levelscope(place(t));
  await filled(db);
  assert.equal(db.getProperty('leveldb.num-files-at-level0'), '0');
  assert.ok(Number(db.getProperty('leveldb.approximate-memory-usage')) > 200_000);
  await db.compactRange('k', 'l');
  assert.equal(db.getProperty('leveldb.num-files-at-level1'), '1');
  assert.match(db.getProperty('leveldb.stats'), /^Level {2}Files {2}Size\(MB\)\n {4}0 {6}0 /);
  assert.match(
    db.getProperty('leveldb.sstables'),
    /--- level 1 ---\n\d+:\d+\[.*k1000.* \.\. .*k3999.*\]\n/,
  );
  assert.equal(db.getProperty('leveldb.nothing'), '');
  await db.close();
});

test('a damaged database is repaired into a new one', async (t) => {
  const [damaged, whole] = [place(t), place(t)];
  const db = new Levelscope(damaged, { writeBufferSize: 1 << 16 });
  await filled(db);
  await db.compactRange('k', 'l');
  await db.close();
  const table = readdirSync(damaged).find((name) => name.endsWith('.sst'));
  const bytes = readFileSync(join(damaged, table));
  bytes[10] ^= 0xff;
  writeFileSync(join(damaged, table), bytes);
  const report = await Levelscope.repair(damaged, whole);
  assert.equal(report.losses.length, 1);
  assert.equal(report.losses[0].file, table);
  assert.ok(report.keys > 2900 && report.keys < 3000, `${report.keys} keys`);
  const again = new Levelscope(whole);
  assert.equal((await again.keys().all()).length, report.keys);
  await assert.rejects(Levelscope.repair(damaged, whole), { code: 'LEVEL_LOCKED' });
  await again.close();
  await assert.rejects(Levelscope.repair(damaged, whole), { code: 'LEVEL_INVALID_ARGUMENT' });
  await assert.rejects(Levelscope.repair(join(damaged, 'x'), whole), { code: 'LEVEL_NOT_FOUND' });
});

test('a database that is closed gives its memory back', async (t) => {
  const root = place(t);
  const open = Array.from({ length: 24 }, (_, index) => new Levelscope(`${root}/${index}`));
  await Promise.all(open.map((db) => filled(db)));
  const before = process.memoryUsage().external;
  await Promise.all(open.map((db) => db.close()));
  let freed = 0;
  // Objects that a finalizer still sees are freed one turn later.
  for (let turn = 0; turn < 100 && freed < 24 << 21; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc();
    freed = before - process.memoryUsage().external;
  }
  assert.ok(freed >= 24 << 21, `${freed} bytes were freed`);
});

test('a database in memory is open a few microtasks after it was made', async () => {
  const db = new MemoryLevelscope();
  for (let turn = 0; turn < 50 && db.status !== 'open'; turn++) await undefined;
  assert.equal(db.status, 'open');
  await db.close();
});

test('a database in memory keeps its entries while it is closed', async () => {
  const db = new MemoryLevelscope();
  await db.put('a', '1');
  await db.close();
  await db.open();
  assert.equal(await db.get('a'), '1');
  await db.close();
});

test('programs that live for one write do not leave more and more logs', async (t) => {
  const directory = place(t);
  for (let run = 0; run < 25; run++) {
    const db = new Levelscope(directory);
    await db.put(`run ${run}`, 'x');
    await db.close();
  }
  const logs = readdirSync(directory).filter((name) => name.endsWith('.wal'));
  assert.ok(logs.length <= 6, `${logs.length} logs`);
  const db = new Levelscope(directory);
  assert.equal((await db.keys().all()).length, 25);
  await db.close();
});

test('errors name options as the program did', async () => {
  assert.throws(() => new MemoryLevelscope({ writeBufferSize: -1 }), {
    name: 'TypeError',
    message: "The option 'writeBufferSize' must be a whole number of bytes, not -1",
  });
  const small = await causeOf(new MemoryLevelscope({ blockSize: 1 }).open());
  assert.equal(small.code, 'LEVEL_INVALID_ARGUMENT');
  assert.match(small.message, /^blockSize is 1, but must be /);
  const own = await causeOf(new MemoryLevelscope({ engine: { block_bytes: 1 } }).open());
  assert.match(own.message, /^block_bytes is 1, but must be /);
  const unknown = await causeOf(new MemoryLevelscope({ engine: { bogus: 1 } }).open());
  assert.match(unknown.message, /no option "bogus"; there are: .*bloom_bits/);
});

test('a directory of LevelDB is sound, and not supported', async (t) => {
  const directory = place(t);
  const level = new ClassicLevel(directory);
  await level.put('a', '1');
  await level.close();
  const cause = await causeOf(new Levelscope(directory).open());
  assert.equal(cause.code, 'LEVEL_NOT_SUPPORTED');
  assert.match(cause.message, /LevelDB/);
  assert.doesNotMatch(cause.message, /`levelscope/);
});
