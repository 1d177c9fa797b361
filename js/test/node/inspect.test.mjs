// Watching the engine at work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Levelscope, MemoryLevelscope } from '../../dist/node.js';
import { place } from './program.mjs';

test('events tell of a flush in sentences, in their order', async (t) => {
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

test('without the option there is a sentence that says so', async () => {
  const db = new MemoryLevelscope();
  await db.open();
  await assert.rejects(db.levelscope.stats(), {
    code: 'LEVEL_NOT_SUPPORTED',
    message: /inspect: true/,
  });
  await db.close();
});
