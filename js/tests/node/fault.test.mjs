// Closing, removing and copying a database when something is in the way: a database whose files fail, another program, a call that
// is still under way.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Levelscope, MemoryLevelscope } from '../../dist/node.js';
import { other, place } from './program.mjs';

/** No file may become longer than 64 KiB: a full disk, as far as a program sees. */
const LIMITED = ['sh', '-c', 'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"'];
const onLinux = { skip: process.platform === 'linux' ? false : 'the program `flock` is for Linux' };
const limits = { skip: process.platform === 'win32' ? 'ulimit is for other systems' : false };

/** The lines of a program that fills `db` until a write fails, and then runs `code`. */
async function afterFailure(t, directory, code) {
  const program = other(
    t,
    `const db = new levelscope.Levelscope(${JSON.stringify(directory)}, { compression: false, writeBufferSize: 1 << 15, engine: { l0_trigger: 2 } });
     const codes = async (...calls) => { for (const call of calls) await call().then(() => console.log('ok'), ({ code }) => console.log(code)); };
     let written = 0;
     for (; written < 5000; written++) {
       const refused = await db.put(String(written), 'x'.repeat(1000)).then(() => false, () => true);
       if (refused) break;
     }
     ${code}
     console.log('end');`,
    { within: LIMITED },
  );
  const lines = [];
  for await (const line of program.lines) lines.push(line);
  assert.equal(lines.pop(), 'end');
  return lines;
}

for (const calls of [
  '() => db.close(), () => db.open()',
  '...[db.close(), db.open()].map((call) => () => call)',
]) {
  test(
    `a database whose closing fails is closed, and opens again (${calls})`,
    limits,
    async (t) => {
      const lines = await afterFailure(
        t,
        place(t),
        `await codes(${calls});
       let there = 0;
       for (let key = 0; key < written; key++) if ((await db.get(String(key)))?.length === 1000) there++;
       console.log(there === written && written > 0);`,
      );
      assert.deepEqual(lines, ['LEVEL_DATABASE_NOT_CLOSED', 'ok', 'true']);
    },
  );
}

test('after a failure each call that writes fails with the same error', limits, async (t) => {
  const lines = await afterFailure(
    t,
    place(t),
    `await codes(() => db.put('a', 'b'), () => db.del('a'), () => db.batch([{ type: 'del', key: 'a' }]), () => db.clear(),
       () => db.clear({ limit: 1 }), () => db.sync(), () => db.compactRange('0', '9'));`,
  );
  assert.deepEqual(lines, Array(7).fill('LEVEL_IO_ERROR'));
});

test('a checkpoint that a close overtakes is rejected', async (t) => {
  for (const again of [false, true]) {
    const db = new Levelscope(place(t));
    await db.put('a', '1');
    const refused = assert.rejects(db.levelscope.checkpoint(place(t)), {
      code: 'LEVEL_DATABASE_NOT_OPEN',
    });
    await db.close();
    if (again) await db.open();
    await refused;
    await db.close();
  }
});

test('a compaction that a close gives up does not resolve', async () => {
  const db = new MemoryLevelscope({ compression: false });
  const value = 'x'.repeat(1000);
  const half = (from) =>
    Array.from({ length: 3000 }, (_, key) => ({ type: 'put', key: `${2 * key + from}`, value }));
  for (const from of [0, 1]) {
    await db.batch(half(from));
    await db.compactRange('0', '00');
  }
  const outcome = db.compactRange('0', ':').then(
    () => 'done',
    ({ code }) => code,
  );
  while ((await db.levelscope.view()).jobs.length === 0) await wait(0);
  await db.close();
  assert.equal(await outcome, 'LEVEL_DATABASE_NOT_OPEN');
});

test('destroy reports why it removed nothing', async (t) => {
  const root = place(t);
  mkdirSync(root);
  const file = join(root, 'file');
  writeFileSync(file, 'mine');
  await assert.rejects(Levelscope.destroy(file), { code: 'LEVEL_IO_ERROR' });
  assert.ok(existsSync(file));
  for (const location of [undefined, null, '', 5]) {
    await assert.rejects(Levelscope.destroy(location), TypeError);
    await assert.rejects(Levelscope.repair(location, root), TypeError);
    await assert.rejects(Levelscope.repair(root, location), TypeError);
  }
  await Levelscope.destroy(join(root, 'absent'));
  assert.deepEqual(readdirSync(root), ['file']);
});

test('a database stays where it is when its program goes elsewhere', async (t) => {
  const [here, elsewhere] = [place(t), place(t)];
  for (const root of [here, elsewhere]) mkdirSync(root);
  const program = other(
    t,
    `process.chdir(${JSON.stringify(here)});
     const db = new levelscope.Levelscope('notes', { writeBufferSize: 1 << 14 });
     await db.put('a', '1');
     process.chdir(${JSON.stringify(elsewhere)});
     for (let key = 0; key < 1000; key++) await db.put(String(key), 'x'.repeat(100));
     await db.compactRange('0', '9');
     await db.close();
     await db.open();
     console.log(await db.get('a'), db.location);`,
  );
  assert.equal(await program.line(), '1 notes');
  assert.deepEqual([readdirSync(here), readdirSync(elsewhere)], [['notes'], []]);
});

test('destroy leaves a link to the directory', async (t) => {
  const directory = place(t);
  const db = new Levelscope(directory);
  await db.put('a', '1');
  await db.close();
  symlinkSync(directory, `${directory}-link`, 'junction');
  await Levelscope.destroy(`${directory}-link`);
  assert.deepEqual(readdirSync(directory), []);
});

test('a lock on a file that was removed meanwhile is none', onLinux, async (t) => {
  const [directory, slow] = [place(t), place(t)];
  const found = spawnSync('sh', ['-c', 'command -v flock'], { encoding: 'utf8' }).stdout.trim();
  mkdirSync(slow);
  const script = `#!/bin/sh\ntouch ${slow}/asked\nsleep 1\nexec ${found} "$@"\n`;
  writeFileSync(join(slow, 'flock'), script, { mode: 0o755 });
  const first = new Levelscope(directory);
  await first.put('a', '1');
  await first.close();
  const program = other(
    t,
    `const db = new levelscope.Levelscope(${JSON.stringify(directory)});
     await db.open().then(() => console.log('open'), ({ cause }) => console.log(cause.code));`,
    { env: { PATH: `${slow}:${process.env.PATH}` } },
  );
  while (!existsSync(join(slow, 'asked'))) await wait(10);
  await Levelscope.destroy(directory);
  await first.open();
  assert.equal(await program.line(), 'LEVEL_LOCKED');
  await first.close();
});

test('a file that closes badly gives the database back all the same', onLinux, async (t) => {
  const directory = place(t);
  const program = other(
    t,
    `import fs from 'node:fs';
     import { syncBuiltinESMExports } from 'node:module';
     const close = fs.closeSync;
     let isFaulty = false;
     fs.closeSync = (descriptor) => {
       const name = fs.readlinkSync('/proc/self/fd/' + descriptor);
       close(descriptor);
       if (isFaulty && name.endsWith('.wal')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
     };
     syncBuiltinESMExports();
     const db = new levelscope.Levelscope(${JSON.stringify(directory)});
     await db.put('a', '1');
     isFaulty = true;
     await db.close().catch(({ cause }) => console.log(cause.code));
     isFaulty = false;
     await db.open();
     console.log(await db.get('a'));
     await db.close();
     console.log(fs.readdirSync('/proc/self/fd').filter((fd) => fs.existsSync('/proc/self/fd/' + fd) && fs.readlinkSync('/proc/self/fd/' + fd).startsWith(db.location)).length);`,
  );
  const lines = [];
  for await (const line of program.lines) lines.push(line);
  assert.deepEqual(lines, ['EIO', '1', '0']);
});

const unshare = spawnSync('sh', ['-c', 'command -v unshare'], { encoding: 'utf8' }).stdout?.trim();
/** Options of tests on read-only directories. */
const readOnly = (directory) => [
  unshare,
  ...['-r', '-m', 'sh', '-c'],
  `mount --bind ${directory} ${directory} && mount -o remount,ro,bind ${directory} && exec "$0" "$@"`,
];
const mayMount = Boolean(unshare) && spawnSync(unshare, ['-r', '-m', 'true']).status === 0;
const mounting = { skip: mayMount ? false : 'this system does not let a test mount (unshare)' };

test('a database is repaired from where nothing can be written', mounting, async (t) => {
  const [directory, whole] = [place(t), place(t)];
  const db = new Levelscope(directory);
  await db.put('a', '1');
  await db.compactRange('a', 'b');
  await db.put('b', '2');
  await db.close();
  rmSync(join(directory, 'LOCK'));
  const before = readdirSync(directory);
  const program = other(
    t,
    `const [from, to] = ${JSON.stringify([directory, whole])};
     await new levelscope.Levelscope(from).open().catch(({ cause }) => console.log(cause.code));
     const { keys, losses } = await levelscope.Levelscope.repair(from, to);
     console.log(keys, losses.length);`,
    { within: readOnly(directory) },
  );
  assert.equal(await program.line(), 'EROFS');
  assert.equal(await program.line(), '2 0');
  assert.deepEqual(readdirSync(directory), before);
  const again = new Levelscope(whole);
  assert.deepEqual(await again.values().all(), ['1', '2']);
  await again.close();
});
