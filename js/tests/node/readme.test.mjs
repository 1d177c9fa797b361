// The programs of README.md, run in their order in one directory; each part of a program gets the names that it leaves out.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import { Levelscope } from '../../dist/node.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const programs = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program]) => program);
const AsyncFunction = (async () => {}).constructor;

const opened = new Set();
class Recorded extends Levelscope {
  constructor(...given) {
    super(...given);
    opened.add(this);
  }
}

/** Runs the program that has `text` in it, with `names`; returns the lines that it prints. */
async function run(text, names = {}) {
  const found = programs.filter((program) => program.includes(text));
  assert.equal(found.length, 1, `programs with ${text}`);
  programs.splice(programs.indexOf(found[0]), 1);
  const lines = [];
  const console = { log: (...parts) => lines.push(parts.map((part) => JSON.stringify(part))) };
  const known = { console, Levelscope: Recorded, ClassicLevel, ...names };
  const body = found[0].replace(/^import .*;\n/gm, '');
  // In a function of its own, so that it may declare the names that others get.
  const program = new AsyncFunction(...Object.keys(known), `await (async () => {\n${body}})();`);
  await program(...Object.values(known));
  await Promise.all([...opened].map((db) => db.close()));
  opened.clear();
  return lines.map((line) => line.join(' '));
}

const [home, directory] = [process.cwd(), mkdtempSync(join(tmpdir(), 'levelscope-readme-'))];
before(() => process.chdir(directory));
after(() => {
  process.chdir(home);
  rmSync(directory, { recursive: true, force: true });
});

test('the first program prints the entries that it has put', async () => {
  assert.deepEqual(await run('banana'), [
    '{"colour":"yellow"}',
    '"banana" "yellow"',
    '"cherry" "dark red"',
  ]);
});

test('packed reads give values and entries by their offsets', async () => {
  const db = new Levelscope('packed');
  await db.open();
  await db.batch(['a', 'c'].map((key) => ({ type: 'put', key, value: key.toUpperCase() })));
  const texts = [];
  const use = (bytes, ...offsets) => {
    for (const [index, end] of offsets.slice(1).entries()) {
      texts.push(new TextDecoder().decode(bytes.subarray(offsets[index], end)));
    }
  };
  await run('db.packed', { db, use });
  assert.deepEqual(texts, ['A', 'a', 'A', 'c', 'C']);
  await db.close();
});

test('a durable write and a sync', async () => {
  const db = new Levelscope('orders', { valueEncoding: 'json' });
  await run('order/17', { db, order: { pieces: 3 } });
  assert.deepEqual(await db.get('order/17'), { pieces: 3 });
  await db.close();
});

test('the events of 4,000 writes are sentences about flushes and compactions', async () => {
  const sentences = (await run('levelscope.events')).join('\n');
  assert.match(sentences, /flush/);
  assert.match(sentences, /compaction/i);
});

test('the entries of a database of classic-level are copied', async () => {
  const old = new ClassicLevel('old');
  await old.put('apple', 'red');
  await old.close();
  await run('ClassicLevel');
  const copy = new Levelscope('new');
  assert.deepEqual(await copy.iterator().all(), [['apple', 'red']]);
  await copy.close();
});

test('no program of the README is left out', () => assert.deepEqual(programs, []));
