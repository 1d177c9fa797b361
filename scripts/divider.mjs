// Tests of what divides the module of the page (wasm/wbg): a small module is divided, and does the same as undivided.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { target, wbg } from './build-wasm.mjs';
import { asScript, path, say, stream, Unmet } from './lib.mjs';

const SOURCE = 'tests/fixtures/divide/small.rs';
/** What a visit of the small module runs. */
const VISITED = [
  'call',
  'draw',
  'calls',
  'small::choose',
  'small::usual',
  'small::sum',
  '<small::Square as small::Shape>::area',
  '<small::Square as small::Shape>::name',
];

async function compile(directory) {
  const options = ['--edition', '2024', '--crate-type', 'cdylib', '--target', target];
  const codegen = ['opt-level=1', 'panic=abort', 'symbol-mangling-version=v0'];
  codegen.push('link-arg=--emit-relocs');
  const linked = join(directory, 'small.wasm');
  const flags = codegen.flatMap((option) => ['-C', option]);
  const { code } = await stream('rustc', [...options, ...flags, '-o', linked, path(SOURCE)]);
  if (code !== 0) throw new Unmet(`${SOURCE} could not be compiled.`);
  return linked;
}

async function divide(linked, directory, visited) {
  const profile = join(directory, 'profile.txt');
  writeFileSync(profile, `${visited.join('\n')}\n`);
  await wbg(['--divide', linked, directory, profile]);
  const part = (name) => readFileSync(join(directory, `${name}.wasm`));
  return { first: part('first'), rest: part('rest') };
}

/** The first part at work; the rest comes with the first call into it, unless `fails`. */
function begin({ first, rest }) {
  const host = { fetched: 0, fails: false };
  const fetchNow = () => {
    host.fetched += 1;
    if (host.fails) throw new Error('the server is away');
    new WebAssembly.Instance(new WebAssembly.Module(rest), { '': host.exports });
    host.exports.restIsThere.value = 1;
  };
  const module = new WebAssembly.Module(first);
  host.exports = new WebAssembly.Instance(module, { './part.js': { fetchNow } }).exports;
  return host;
}

/** What a module answers to many calls, in an order that reaches the rest late. */
function answers({ call, draw, calls, rare_calls }) {
  const found = [];
  const note = (answer) => found.push(answer, calls());
  for (let one = 0; one < 60; one += 3) note(call(one, BigInt(one) * 17n));
  for (let size = 0; size < 5; size += 1) note(draw(0, size));
  for (let one = 0; one < 200; one += 1) note(call(one, BigInt(one)));
  for (let size = 0; size < 9; size += 1) note(draw(size, size));
  note(rare_calls(0.25));
  return found;
}

const tests = {
  'both parts do what the module does'({ whole, parts }) {
    const host = begin(parts);
    assert.deepEqual(answers(host.exports), answers(whole()));
    assert.equal(host.fetched, 1);
  },
  'what a visit runs needs only the first part'({ whole, parts }) {
    const host = begin(parts);
    const { call, draw } = whole();
    for (let one = 0; one < 60; one += 3) assert.equal(host.exports.call(one, 5n), call(one, 5n));
    assert.equal(host.exports.draw(0, 12), draw(0, 12));
    assert.equal(host.fetched, 0);
  },
  'a rest that does not come stops the call before it has done anything, and can come later'({
    whole,
    parts,
  }) {
    const host = begin(parts);
    host.fails = true;
    const before = host.exports.calls();
    assert.throws(() => host.exports.call(1, 5n), /the server is away/);
    assert.throws(() => host.exports.rare_calls(1), /the server is away/);
    assert.equal(host.exports.calls(), before);
    host.fails = false;
    assert.deepEqual(answers(host.exports), answers(whole()));
    assert.equal(host.fetched, 3);
  },
  'each part has its own constants'({ parts }) {
    const common = 'a square, which all see';
    const words = ['words that only the rest', 'a circle, which is rare'];
    assert.ok(parts.first.includes(common));
    assert.ok(!parts.rest.includes(common));
    for (const word of words) {
      assert.ok(!parts.first.includes(word), word);
      assert.ok(parts.rest.includes(word), word);
    }
  },
  'with everything visited, nothing is ever fetched'({ whole, all }) {
    const host = begin(all);
    assert.deepEqual(answers(host.exports), answers(whole()));
    assert.equal(host.fetched, 0);
    assert.ok(all.rest.length < 1024);
  },
  'with nothing visited, the first call fetches the rest'({ whole, none }) {
    const host = begin(none);
    assert.deepEqual(answers(host.exports), answers(whole()));
    assert.equal(host.fetched, 1);
  },
};

/** Runs all; how many passed and failed. */
export async function dividerTests() {
  const directory = mkdtempSync(join(tmpdir(), 'levelscope-'));
  let failed = 0;
  try {
    const linked = await compile(directory);
    const names = ['rare', 'back', 'scaled'].map((name) => `small::${name}`);
    const circle = ['area', 'name'].map((name) => `<small::Circle as small::Shape>::${name}`);
    const every = [...VISITED, ...names, ...circle, 'rare_calls'];
    const given = {
      whole: () => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(linked))).exports,
      parts: await divide(linked, directory, VISITED),
      all: await divide(linked, directory, every),
      none: await divide(linked, directory, []),
    };
    for (const [name, test] of Object.entries(tests)) {
      try {
        test(given);
        say(`ok     ${name}`);
      } catch (error) {
        failed += 1;
        say(`FAILED ${name}: ${error.stack}`);
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return { passed: Object.keys(tests).length - failed, failed };
}

asScript(import.meta.url, async () => {
  if ((await dividerTests()).failed > 0) process.exitCode = 1;
});
