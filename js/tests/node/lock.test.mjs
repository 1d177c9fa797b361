// The lock of a database: across network and process namespaces, as between containers that share a volume, and without
// the program `flock`, where Node holds a lease.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Levelscope } from '../../dist/node.js';
import { native, other, place } from './program.mjs';

/** The absolute path: some programs here are started without a PATH. */
const unshare = spawnSync('sh', ['-c', 'command -v unshare'], { encoding: 'utf8' }).stdout?.trim();
const NETWORK = [unshare, '-n'];
/** A process there dies with `unshare` when that is killed. */
const PROCESSES = [unshare, '-n', '-p', '-f', '--kill-child', '--mount-proc'];
/** A PATH without any program. */
const BARE = { PATH: '/nonexistent' };

const mayUnshare =
  Boolean(unshare) && spawnSync(PROCESSES[0], [...PROCESSES.slice(1), 'true']).status === 0;
const isolated = {
  skip: mayUnshare ? false : 'this system does not let a test make namespaces (unshare)',
};
const onLinux = { skip: process.platform === 'linux' ? false : 'leases are for Linux' };

/** A program that holds `directory`, has written `a`, and then puts one key for each line it is sent. */
async function holder(t, directory, { within = [], env = {} } = {}) {
  const source = `const db = new levelscope.Levelscope(${JSON.stringify(directory)}, { durability: 'strict', writeBufferSize: 1 << 14 });
    await db.put('a', '1');
    console.log('open');
    process.stdin.on('data', async (keys) => {
      for (const key of String(keys).trim().split('\\n')) {
        await db.put(key, 'x'.repeat(1000)).then(() => console.log('put'), (error) => console.log(error.code + ' ' + error.message));
      }
    });`;
  const program = other(t, source, { within, env });
  assert.equal(await program.line(), 'open');
  return {
    ...program,
    put: (key) => {
      program.child.stdin.write(`${key}\n`);
      return program.line();
    },
  };
}

/** Tries to open `directory` in another program: `ok`, or the code of the cause; and how long it took [ms]. */
async function attempt(t, directory, options) {
  const start = performance.now();
  const program = other(
    t,
    `const db = new levelscope.Levelscope(${JSON.stringify(directory)});
     await db.open().then(async () => { console.log('ok'); await db.close(); }, ({ cause }) => console.log(cause.code));`,
    options,
  );
  const outcome = await program.line();
  await program.ended;
  return { outcome, took: performance.now() - start };
}

const cli = (directory, within, ...commands) => {
  const [program, ...args] = [...within, native, directory, '-c', ...commands];
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, text: stderr + stdout };
};

for (const [where, within] of Object.entries({ network: NETWORK, process: PROCESSES })) {
  test(`a program in another ${where} namespace is refused`, isolated, async (t) => {
    const directory = place(t);
    const first = await holder(t, directory);
    assert.equal((await attempt(t, directory, { within })).outcome, 'LEVEL_LOCKED');
    const refused = cli(directory, within, 'put b 2');
    assert.notEqual(refused.status, 0);
    assert.match(refused.text, /open already/);
    assert.equal(await first.put('more'), 'put');
    first.child.kill('SIGKILL');
    await first.ended;
    assert.equal((await attempt(t, directory, { within })).outcome, 'ok');
  });

  test(
    `a program of another ${where} namespace that is killed leaves no lock`,
    isolated,
    async (t) => {
      const directory = place(t);
      const first = await holder(t, directory, { within });
      const db = new Levelscope(directory);
      await assert.rejects(db.open(), ({ cause }) => cause.code === 'LEVEL_LOCKED');
      first.child.kill('SIGKILL');
      await first.ended;
      const start = performance.now();
      while (
        await db.open().then(
          () => false,
          () => true,
        )
      )
        assert.ok(performance.now() - start < 2000);
      assert.equal(await db.get('a'), '1');
      await db.close();
    },
  );

  test(`the native program holds it against another ${where} namespace`, isolated, async (t) => {
    const directory = place(t);
    const child = spawn(native, [directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    child.stdin.write('put a 1\n');
    await once(child.stdout, 'data');
    for (
      let tries = 0;
      tries < 500 && readFileSync(join(directory, 'LOCK'), 'latin1') === '';
      tries++
    ) {
      await wait(20);
    }
    assert.equal((await attempt(t, directory, { within })).outcome, 'LEVEL_LOCKED');
    assert.equal((await attempt(t, directory, { within, env: BARE })).outcome, 'LEVEL_LOCKED');
    child.stdin.end('put b 2\n');
    await once(child, 'exit');
    assert.equal((await attempt(t, directory, { within, env: BARE })).outcome, 'ok');
  });
}

test('a stopped program keeps the database', onLinux, async (t) => {
  const directory = place(t);
  const first = await holder(t, directory);
  first.child.kill('SIGSTOP');
  assert.equal((await attempt(t, directory)).outcome, 'LEVEL_LOCKED');
  assert.equal((await attempt(t, directory, { env: BARE })).outcome, 'LEVEL_LOCKED');
  first.child.kill('SIGCONT');
  assert.equal(await first.put('more'), 'put');
});

for (const [where, within] of Object.entries({ 'another program': [], 'a container': PROCESSES })) {
  const needs = within.length > 0 ? isolated : onLinux;
  test(
    `a lease is respected by programs that lock and by those that cannot (in ${where})`,
    needs,
    async (t) => {
      const directory = place(t);
      const first = await holder(t, directory, { env: BARE });
      const outcomes = await Promise.all([
        attempt(t, directory, { within }),
        attempt(t, directory, { within, env: BARE }),
      ]);
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['LEVEL_LOCKED', 'LEVEL_LOCKED'],
      );
      assert.match(cli(directory, within, 'put b 2').text, /open already/);
      assert.equal(await first.put('more'), 'put');
      first.child.kill('SIGKILL');
      await first.ended;
      const { outcome, took } = await attempt(t, directory, { within, env: BARE });
      assert.equal(outcome, 'ok', 'it is dead after 5 seconds');
      assert.ok(took > 4900, `${took} ms`);
      assert.equal(
        (await attempt(t, directory, { within, env: BARE })).outcome,
        'ok',
        'and was closed',
      );
    },
  );
}

for (const [by, env] of Object.entries({ 'a lock': {}, 'another lease': BARE })) {
  test(
    `a lease lost to ${by} while its holder was stopped is an error before anything is lost`,
    onLinux,
    async (t) => {
      const directory = place(t);
      const first = await holder(t, directory, { env: BARE });
      for (let key = 0; key < 20; key++) assert.equal(await first.put(`first${key}`), 'put');
      first.child.kill('SIGSTOP');
      const second = await holder(t, directory, { env });
      for (let key = 0; key < 40; key++) assert.equal(await second.put(`second${key}`), 'put');
      first.child.kill('SIGCONT');
      assert.match(await first.put('late'), /LEVEL_LOCKED/);
      for (let key = 0; key < 40; key++) assert.doesNotMatch(await first.put(`late${key}`), /^put/);
      for (let key = 40; key < 80; key++) assert.equal(await second.put(`second${key}`), 'put');
      second.child.kill('SIGKILL');
      first.child.kill('SIGKILL');
      await Promise.all([first.ended, second.ended]);
      assert.match(
        cli(directory, [], 'check').text,
        /no damage|undamaged|is whole|sound|no errors/i,
      );
      const db = new Levelscope(directory);
      const keys = await db.keys().all();
      for (let key = 0; key < 20; key++) assert.ok(keys.includes(`first${key}`), `first${key}`);
      for (let key = 0; key < 80; key++) assert.ok(keys.includes(`second${key}`), `second${key}`);
      assert.ok(!keys.some((key) => key.startsWith('late')));
      await db.close();
    },
  );
}

test('a mark that a killed program left refuses a lease with the way out', onLinux, async (t) => {
  const directory = place(t);
  mkdirSync(directory);
  writeFileSync(join(directory, 'LOCK'), 'locked');
  const program = other(
    t,
    `await new levelscope.Levelscope(${JSON.stringify(directory)}).open().catch(({ cause }) => console.log(cause.message));`,
    { env: BARE },
  );
  assert.match(await program.line(), /empty that file.*util-linux/);
  assert.equal(
    (await attempt(t, directory)).outcome,
    'ok',
    'a program that locks sees that it is dead',
  );
  assert.match(readFileSync(join(directory, 'LOCK'), 'utf8'), /^free /);
  assert.equal((await attempt(t, directory, { env: BARE })).outcome, 'ok');
});

test('a program that ends without closing leaves nothing to wait for', onLinux, async (t) => {
  const directory = place(t);
  const leave = `const db = new levelscope.Levelscope(${JSON.stringify(directory)}); await db.put('a', '1');`;
  for (const env of [{}, BARE, {}, BARE]) {
    const program = other(t, leave, { env });
    assert.deepEqual(await program.ended, [0, null]);
    assert.doesNotMatch(readFileSync(join(directory, 'LOCK'), 'utf8'), /locked|leased/);
  }
});
