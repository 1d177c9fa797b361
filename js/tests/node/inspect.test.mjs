// Watching the engine at work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Levelscope, MemoryLevelscope } from '../../dist/node.js';
import { BlockingLevelscope } from '../../dist/test/blocking.js';
import { place } from './program.mjs';

test('events describe a flush in sentences, in their order', async (t) => {
  const db = new Levelscope(place(t), { inspect: true, writeBufferSize: 1 << 12 });
  await db.open();
  const seen = [];
  const watching = (async () => {
    for await (const event of db.levelscope.events()) seen.push(event);
  })();
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let index = 0; index < 300; index++) await db.put(`key${index}`, 'x'.repeat(50));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await db.close();
  await watching;
  const names = seen.map(({ name }) => name);
  assert.ok(names.includes('memtable.rotate'), names.slice(0, 50).join());
  assert.ok(names.includes('flush.done'));
  assert.ok(seen.every(({ sentence }) => /^[A-Z].*\.$/s.test(sentence)));
  const ids = seen.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
});

test('several loops hear every event, from before the opening on, each in its grain', {
  timeout: 120_000,
}, async () => {
  const db = new MemoryLevelscope({ inspect: true, writeBufferSize: 1 << 12 });
  const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const follow = async (options, seen) => {
    for await (const event of db.levelscope.events(options)) seen.push(event);
  };
  const [first, second, detailed] = [[], [], []];
  const loops = [follow({}, first), follow({ details: true }, detailed)];
  await db.open();
  await rest(50);
  loops.push(follow({}, second));
  await rest(50);
  for (let index = 0; index < 300; index++) {
    await db.put(`key${index}`, 'x'.repeat(50));
    // A loop that lags is left out of what is too old, and a busy machine makes any loop lag.
    while (index % 20 === 19 && !detailed.some(({ sentence }) => sentence.includes(`key${index}"`)))
      await rest(5);
  }
  await db.close();
  await Promise.all(loops);
  const phases = detailed.filter(({ detail }) => detail === 0).map(({ id }) => id);
  assert.ok(phases.length > 300 && detailed.length > phases.length);
  for (const seen of [first, second]) {
    assert.deepEqual(
      seen.map(({ id, detail }) => [id, detail]),
      phases.map((id) => [id, 0]),
    );
  }
});

test('a loop that is left ends the listening, and the others go on', async () => {
  const db = new MemoryLevelscope({ inspect: true });
  await db.open();
  const [first, second] = [db.levelscope.events(), db.levelscope.events()];
  const heard = [first.next(), second.next()];
  await new Promise((resolve) => setTimeout(resolve, 20));
  await db.put('a', '1');
  const [one, other] = await Promise.all(heard);
  assert.equal(one.value.id, other.value.id);
  await first.return();
  await db.put('b', '2');
  const ids = [];
  for await (const { id, sentence } of second) {
    ids.push(id);
    if (sentence.includes('"b"')) break;
  }
  assert.ok(ids.length > 0);
  await db.close();
});

test('a lookup is explained, the state and the figures are there', async () => {
  const db = new MemoryLevelscope({ inspect: true });
  await db.put('apple', 'red');
  const { found, stops } = await db.levelscope.explain('apple');
  assert.equal(found, true);
  assert.equal(stops[0].stop, 'memtable');
  assert.equal((await db.levelscope.explain('pear')).found, false);
  assert.equal((await db.levelscope.stats()).puts, 1);
  assert.equal((await db.levelscope.view()).memtables.length, 1);
  await db.close();
});

test('a checkpoint is a database of its own', async (t) => {
  const [directory, copy] = [place(t), place(t)];
  const db = new Levelscope(directory, { writeBufferSize: 1 << 12 });
  for (let index = 0; index < 500; index++) await db.put(`key${index}`, 'before');
  const { sequence } = await db.levelscope.checkpoint(copy);
  assert.equal(sequence, 500);
  await db.put('key7', 'after');
  const other = new Levelscope(copy);
  assert.equal((await other.keys().all()).length, 500);
  assert.equal(await other.get('key7'), 'before');
  await other.put('key7', 'its own');
  assert.equal(await db.get('key7'), 'after');
  await assert.rejects(db.levelscope.checkpoint(copy), { code: 'LEVEL_LOCKED' });
  await other.close();
  await assert.rejects(db.levelscope.checkpoint(copy), { code: 'LEVEL_INVALID_ARGUMENT' });
  const levels = await db.levelscope.levels();
  assert.equal(levels[0].level, 0);
  assert.ok(levels.some(({ tables }) => tables.length > 0));
  await db.close();
});

test('a call that waits for an opening gets the reason when it fails', async (t) => {
  const directory = place(t);
  const first = new Levelscope(directory);
  await first.open();
  await assert.rejects(new Levelscope(directory).levelscope.stats(), ({ code, cause }) => {
    assert.deepEqual([code, cause.code], ['LEVEL_DATABASE_NOT_OPEN', 'LEVEL_LOCKED']);
    return true;
  });
  await first.close();
});

test('a module without inspection refuses events with a sentence', async () => {
  const db = new BlockingLevelscope();
  await db.open();
  await assert.rejects(db.levelscope.stats(), {
    code: 'LEVEL_NOT_SUPPORTED',
    message: /inspect: true/,
  });
  await assert.rejects(db.levelscope.checkpoint('elsewhere'), { code: 'LEVEL_NOT_SUPPORTED' });
  await db.close();
});
