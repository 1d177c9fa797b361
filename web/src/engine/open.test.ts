// Files that go out and come in, with the real engine and the real lens.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FILES_MAX } from '../model/engine.generated';
import { resultOf } from '../testing/answers';
import { inMemory, loadWasm, type Page } from '../testing/hostPage';
import { lensOn, openedLens } from '../testing/realLens';
import { blobOf } from '../testing/slices';
import type { Wasm } from './wasm';

let wasm: Wasm;
let page: Page;

beforeAll(async () => {
  wasm = await loadWasm();
});

afterEach(async () => {
  await page.ask({ type: 'close' });
});

async function start(): Promise<void> {
  expect(wasm).toBeDefined();
  page = inMemory();
  await page.open();
}

async function run(line: string) {
  const done = await page.ask({ type: 'command', line, at: null });
  if (done.type !== 'done') throw new Error(`${line} ended with ${done.type}`);
  return { ...done, result: resultOf(done.answers) };
}

it('files are asked for when open is typed', async () => {
  await start();
  expect((await run('open')).error).toBeNull();
  expect(page.heard.filter(({ type }) => type === 'pick')).toHaveLength(1);
  await run('get a');
  expect(page.heard.filter(({ type }) => type === 'pick')).toHaveLength(1);
});

it('too many files are refused', async () => {
  await start();
  const many = Array.from({ length: FILES_MAX + 1 }, () => ({
    name: 'a',
    bytes: new Uint8Array(1),
  }));
  expect(await page.importFiles(many)).toMatchObject({ type: 'failed', kind: 'protocol' });
  expect((await run('put a 1')).error).toBeNull();
});

describe('a database', () => {
  it('goes out as an archive, opens in the lens, and comes in as a branch', async () => {
    await start();
    await run('fill 60 --start 1; flush; run; put apple 1');
    expect((await run('export')).error).toBeNull();
    const exported = page.heard.findLast((message) => message.type === 'exported');
    if (exported?.type !== 'exported') throw new Error('nothing was exported');
    await run('del apple');
    const archive = blobOf(exported.bytes);
    const lens = await lensOn({ kind: 'zip', name: 'levelscope.zip', archive });
    expect(await lens.ask({ ask: 'overview' })).toMatchObject({
      engine: 'levelscope',
      problems: [],
    });
    const { levels, logs } = await lens.ask({ ask: 'levels', family: 0, step: null });
    expect(levels[0]?.tables.length).toBeGreaterThan(0);
    expect(logs.map(({ entries }) => entries)).toEqual([1]);
    const found = await lens.ask({ ask: 'get', family: 0, key: '6170706c65', sequence: null });
    expect(found).toMatchObject({ outcome: 'value' });
    const files = await lens.files();
    expect(files.map(({ name }) => name)).toContain('CURRENT');
    const done = await page.importFiles(files);
    expect(done).toMatchObject({ type: 'done', error: null });
    expect((await run('get apple')).result).toMatchObject({ found: true, value: '1' });
    expect((await run('branch main')).error).toBeNull();
    expect((await run('get apple')).result).toMatchObject({ found: false });
  });

  it('takes the entries of a directory of another engine as a branch', async () => {
    const lens = await openedLens('m_levels');
    const { table } = await lens.exportTable(0, { lossy: false, skipDamage: false }, 'log');
    await start();
    const bytes = new Uint8Array(await table.arrayBuffer());
    const done = await page.importFiles([{ name: 'default.db', bytes }]);
    expect(done).toMatchObject({ type: 'done', error: null });
    expect((await run('get user:000002')).result).toMatchObject({ found: true });
  });
});
