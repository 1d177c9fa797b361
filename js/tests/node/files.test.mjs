// Files that other programs write and read, and what happens when programs meet or die.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import { Levelscope, LevelscopeError } from '../../dist/node.js';
import { native, other, place } from './program.mjs';

function command(directory, line) {
  const { status, stdout, stderr } = spawnSync(native, [directory, '-c', line], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${line}: ${stderr}${stdout}`);
  return stdout;
}

const causeOf = async (opening) => {
  const error = await opening.then(
    () => assert.fail('it opens'),
    (thrown) => thrown,
  );
  assert.equal(error.code, 'LEVEL_DATABASE_NOT_OPEN');
  return error.cause;
};

test('the native program reads what the package has written, and writes what it reads', async (t) => {
  const directory = place(t);
  const db = new Levelscope(directory, { writeBufferSize: 1 << 16 });
  for (let index = 0; index < 3000; index++) await db.put(`key${index}`, `value ${index}`);
  await db.del('key7');
  await db.close();
  assert.match(command(directory, 'check'), /no damage|undamaged|is whole|sound|no errors/i);
  assert.match(command(directory, 'get key2999'), /value 2999/);
  command(
    directory,
    'expect get key7 -> found == false; put from native; flush; run; compact; run',
  );
  const again = new Levelscope(directory);
  assert.equal(await again.get('from'), 'native');
  assert.equal(await again.get('key1234'), 'value 1234');
  assert.equal((await again.keys().all()).length, 3000);
  await again.close();
});

test('a database is open in one place at a time', async (t) => {
  const directory = place(t);
  const first = new Levelscope(directory);
  await first.open();
  const second = new Levelscope(directory);
  const cause = await causeOf(second.open());
  assert.ok(cause instanceof LevelscopeError);
  assert.equal(cause.code, 'LEVEL_LOCKED');
  const { status, stderr, stdout } = spawnSync(native, [directory, '-c', 'put a 1'], {
    encoding: 'utf8',
  });
  assert.notEqual(status, 0);
  assert.match(stderr + stdout, /open already/);
  await first.close();
  await second.open();
  await second.close();
  command(directory, 'put a 1');
});

test('another program meets the lock, and a killed one leaves none', async (t) => {
  const directory = place(t);
  const holder = other(
    t,
    `const db = new levelscope.Levelscope(${JSON.stringify(directory)});
     await db.put('a', '1', { sync: true });
     console.log('open');
     setInterval(() => {}, 1000);`,
  );
  assert.equal(await holder.line(), 'open');
  const db = new Levelscope(directory);
  assert.equal((await causeOf(db.open())).code, 'LEVEL_LOCKED');
  holder.child.kill('SIGKILL');
  await holder.ended;
  assert.equal(await new Levelscope(directory).get('a'), '1');
});

for (const sync of [true, false]) {
  test(`a program that is killed while it writes loses nothing that has resolved (sync: ${sync})`, async (t) => {
    const directory = place(t);
    const writer = other(
      t,
      `const db = new levelscope.Levelscope(${JSON.stringify(directory)}, { writeBufferSize: 1 << 16 });
       for (let index = 0; ; index++) {
         await db.put(String(index), 'x'.repeat(index % 500), { sync: ${sync} });
         console.log(index);
       }`,
    );
    let last = -1;
    for await (const line of writer.lines) {
      last = Number(line);
      if (last === (sync ? 300 : 5000)) writer.child.kill('SIGKILL');
    }
    const db = new Levelscope(directory);
    for (let index = 0; index <= last; index++) {
      assert.equal((await db.get(String(index)))?.length, index % 500, `${index} of ${last}`);
    }
    await db.close();
  });
}

test('a program that ends without closing keeps what has resolved', async (t) => {
  const directory = place(t);
  const writer = other(
    t,
    `const db = new levelscope.Levelscope(${JSON.stringify(directory)});
     await db.batch(Array.from({ length: 1000 }, (_, index) => ({ type: 'put', key: 'k' + index, value: 'v' })));`,
  );
  assert.deepEqual(await writer.ended, [0, null], 'an open database keeps no program alive');
  const db = new Levelscope(directory);
  assert.equal((await db.keys().all()).length, 1000);
  await db.close();
});

test('directories of other programs are refused and left as they are', async (t) => {
  const directory = place(t);
  mkdirSync(directory);
  writeFileSync(join(directory, 'CURRENT'), 'MANIFEST-000002\n');
  writeFileSync(join(directory, 'MANIFEST-000002'), 'edits');
  const cause = await causeOf(new Levelscope(directory).open());
  assert.match(cause.message, /LevelDB/);
  assert.deepEqual(readdirSync(directory), ['CURRENT', 'MANIFEST-000002']);
});

test('an opening that is refused creates no file', async (t) => {
  const directory = place(t);
  mkdirSync(directory);
  const empty = await causeOf(new Levelscope(directory, { createIfMissing: false }).open());
  assert.equal(empty.code, 'LEVEL_NOT_FOUND');
  assert.match(empty.message, /does not exist/);
  assert.deepEqual(readdirSync(directory), []);
  writeFileSync(join(directory, 'mine.txt'), 'mine');
  const cause = await causeOf(new Levelscope(directory).open());
  assert.equal(cause.code, 'LEVEL_INVALID_ARGUMENT');
  assert.match(cause.message, /"mine.txt".*nothing was changed/);
  await assert.rejects(Levelscope.destroy(directory), { code: 'LEVEL_INVALID_ARGUMENT' });
  assert.deepEqual(readdirSync(directory), ['mine.txt']);
});

test('a file is no directory for a database', async (t) => {
  const file = place(t);
  writeFileSync(file, 'mine');
  const refused = { code: 'LEVEL_IO_ERROR', message: `${file} is a file: name a directory` };
  for (const location of [file, join(file, 'db')]) {
    const { code, message } = await causeOf(new Levelscope(location).open());
    assert.deepEqual({ code, message }, refused);
  }
  await assert.rejects(Levelscope.repair(file, place(t)), refused);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
});

test('an error about damage has file and offset', async (t) => {
  const directory = place(t);
  const db = new Levelscope(directory);
  await db.put('a', 'x'.repeat(1000));
  await db.close();
  command(directory, 'flush; run');
  const table = readdirSync(directory).find((name) => name.endsWith('.sst'));
  const bytes = readFileSync(join(directory, table));
  bytes[10] ^= 0xff;
  writeFileSync(join(directory, table), bytes);
  await assert.rejects(new Levelscope(directory).get('a'), (error) => {
    assert.equal(error.code, 'LEVEL_CORRUPTION');
    assert.equal(error.file, table);
    assert.equal(error.offset, 0);
    return true;
  });
});

test('destroy refuses the files of another program, and leaves them', async (t) => {
  const directory = place(t);
  const level = new ClassicLevel(directory);
  await level.put('a', '1');
  await assert.rejects(Levelscope.destroy(directory), /LevelDB/);
  await level.close();
  await assert.rejects(Levelscope.destroy(directory), /LevelDB/);
  const again = new ClassicLevel(directory);
  assert.equal(await again.get('a'), '1');
  await again.close();
});

test('a file of another program beside a database is no obstacle', async (t) => {
  const directory = place(t);
  const db = new Levelscope(directory);
  await db.put('a', '1');
  await db.close();
  writeFileSync(join(directory, 'LOG'), 'of a program that was started here by mistake');
  await db.open();
  assert.equal(await db.get('a'), '1');
  await db.close();
});

test('destroy removes a database and nothing else', async (t) => {
  const directory = place(t);
  const db = new Levelscope(directory);
  await db.put('a', '1');
  await assert.rejects(Levelscope.destroy(directory), { code: 'LEVEL_LOCKED' });
  await db.close();
  writeFileSync(join(directory, 'notes.txt'), 'mine');
  await Levelscope.destroy(directory);
  assert.deepEqual(readdirSync(directory), ['notes.txt']);
  const empty = place(t);
  await new Levelscope(empty).close();
  const other = new Levelscope(empty);
  await other.open();
  await other.close();
  await Levelscope.destroy(empty);
  assert.equal(existsSync(empty), false);
  await Levelscope.destroy(empty);
});
