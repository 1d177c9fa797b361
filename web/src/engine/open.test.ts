// Files from outside, with the real engine: in, looked at, and the database out and in again.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FILES_MAX } from '../model/engine.generated';
import { answersOf } from '../model/running';
import { unpacked } from '../share/zip';
import { resultOf } from '../testing/answers';
import { inMemory, loadWasm, type Page } from '../testing/hostPage';
import { openedLens } from '../testing/realLens';
import type { Wasm } from './wasm';

let wasm: Wasm;
let page: Page;

beforeAll(async () => {
  wasm = await loadWasm();
});

afterEach(async () => {
  await page.ask({ type: 'close' });
});

const FORMATS = '../../../tests/fixtures/formats';
const TABLE = Uint8Array.from([3, 0, 2, 0, 0x62, 0x61, 0x72, 1, 0x31]);

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

describe('files from outside', () => {
  it('are opened, listed and searched, and the database does not notice', async () => {
    await start();
    const files = [
      { name: 'dir/\u202ea b.sst', bytes: TABLE },
      { name: '', bytes: new Uint8Array() },
    ];
    const done = await page.openFiles(files);
    const [result] = answersOf(done.type === 'done' ? done.answers : [], 'opened');
    expect(result?.files.map(({ id, format }) => [id, format?.id])).toEqual([
      ['@dir/_a_b.sst', 'ladder-fixed'],
      ['@unnamed', undefined],
    ]);
    expect((await run('lookup @dir/_a_b.sst bar')).result).toMatchObject({ value: '1' });
    expect((await run('stats')).result).toMatchObject({ gets: 0 });
    expect((await run('close --all')).error).toBeNull();
  });

  it('are not read when they are of an engine that has a view of its own', async () => {
    await start();
    const file = new URL(`${FORMATS}/leveldb/p_snapshot_head/000005.ldb`, import.meta.url);
    const done = await page.openFiles([
      { name: '000005.ldb', bytes: Uint8Array.from(readFileSync(fileURLToPath(file))) },
    ]);
    const [result] = answersOf(done.type === 'done' ? done.answers : [], 'opened');
    expect(result?.files).toMatchObject([
      { format: null, damage: null, unread: { why: expect.stringMatching(/./) } },
    ]);
  });

  it('are asked for when open is typed alone', async () => {
    await start();
    expect((await run('open')).error).toBeNull();
    expect(page.heard.filter(({ type }) => type === 'pick')).toHaveLength(1);
    await run('get a');
    expect(page.heard.filter(({ type }) => type === 'pick')).toHaveLength(1);
  });

  it('are refused when they are too many, and forgotten', async () => {
    await start();
    const many = Array.from({ length: FILES_MAX + 1 }, () => ({ name: 'a', bytes: TABLE.slice() }));
    expect(await page.openFiles(many)).toMatchObject({ type: 'failed', kind: 'protocol' });
    const done = await page.openFiles([{ name: 'b', bytes: TABLE.slice() }]);
    const [result] = answersOf(done.type === 'done' ? done.answers : [], 'opened');
    expect(result?.files.map(({ id }) => id)).toEqual(['@b']);
  });
});

describe('the database', () => {
  it('goes out as an archive and comes in as a branch', async () => {
    await start();
    await run('fill 60 --start 1; flush; run; put apple 1');
    expect((await run('export')).error).toBeNull();
    const exported = page.heard.findLast((message) => message.type === 'exported');
    if (exported?.type !== 'exported') throw new Error('nothing was exported');
    const names = unpacked([{ name: 'x.zip', bytes: exported.bytes }]).map(({ name }) => name);
    expect(names).toContain('levelscope/CURRENT');
    await run('del apple');
    await page.openFiles([{ name: 'x.zip', bytes: exported.bytes }]);
    expect((await run('import @levelscope')).error).toBeNull();
    expect((await run('get apple')).result).toMatchObject({ found: true, value: '1' });
    expect((await run('branch main')).error).toBeNull();
    expect((await run('get apple')).result).toMatchObject({ found: false });
  });

  it('takes the entries of a directory of another engine as a branch', async () => {
    const lens = await openedLens('m_levels');
    const { table } = await lens.exportTable(0, { lossy: false, skipDamage: false }, 'log');
    await start();
    const bytes = new Uint8Array(await table.arrayBuffer());
    await page.openFiles([{ name: 'default.db', bytes }]);
    expect((await run('import @default.db; close @default.db')).error).toBeNull();
    expect((await run('get user:000002')).result).toMatchObject({ found: true });
    expect((await run('opened')).result).toMatchObject({ files: [] });
  });

  it('is left alone by an archive that cannot be unpacked', async () => {
    await start();
    const bytes = Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]);
    const failed = await page.openFiles([{ name: 'x.zip', bytes }]);
    expect(failed).toMatchObject({ type: 'failed', kind: 'corruption' });
    expect((await run('put a 1')).error).toBeNull();
  });
});
