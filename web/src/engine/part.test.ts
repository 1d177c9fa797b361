// @vitest-environment node
// The part of the module that is fetched when a command first needs it, with the real engine.

import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Message } from '../model/engine.generated';
import { inMemory, loadPart, loadWasm, type Page } from '../testing/hostPage';

let page: Page;
/** How often the part was asked of the server. */
let fetched = 0;
let server: () => Promise<void> = loadPart;

beforeAll(async () => {
  await loadWasm();
});

afterEach(async () => {
  await page.ask({ type: 'close' });
});

async function start(): Promise<void> {
  page = inMemory();
  page.fetchPart = () => {
    fetched += 1;
    return server();
  };
  await page.open();
}

// The tests share one module, and what was fetched stays: their order matters.

it('is not fetched for the engine, its files, lists, completion and saving', async () => {
  await start();
  await page.command('fill 200 --words --seed 7; run; get apple; check; layout CURRENT; stats');
  await page.command('fork; goto 3; help open; formats; lab; opened; close --all; export');
  await page.ask({ type: 'query', query: { ask: 'labs' }, at: null });
  const completed = await page.ask({ type: 'complete', line: 'open --as ladder-v', cursor: 18 });
  expect(completed).toMatchObject({ items: [{ text: 'ladder-varint' }] });
  expect(fetched).toBe(0);
});

it('that does not come is told in a sentence, and the database is as it was', async () => {
  await start();
  server = () => Promise.reject(new TypeError('Failed to fetch'));
  await page.command('put apple red');
  for (const [count, line] of [
    'lab ladder',
    'convert ladder-varint',
    'export --leveldb',
  ].entries()) {
    const { error } = await page.command(`${line}; put apple green`);
    expect(error).toMatchObject({ kind: 'absent' });
    expect(error?.message).toMatch(
      /could not be fetched .*Failed to fetch.* Run the command again/,
    );
    expect(fetched).toBe(count + 1);
  }
  const bytes = Uint8Array.from([3, 0, 2, 0, 0x62, 0x61, 0x72, 1, 0x31]);
  const dropped = await page.openFiles([{ name: 'a.sst', bytes }]);
  expect(dropped).toMatchObject({ error: { kind: 'absent' } });
  expect((await page.command('get apple')).result).toMatchObject({ value: 'red' });
});

it('that is slow does not keep Stop from working', async () => {
  await start();
  let asked: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  server = () => {
    asked();
    return new Promise(() => undefined);
  };
  page.tell({ type: 'command', line: 'lab ladder', at: null });
  await waiting;
  const done = page.until((message): message is Message => message.type === 'done');
  page.tell({ type: 'cancel' });
  expect(await done).toMatchObject({ error: { kind: 'cancelled' } });
});

it('comes at the next attempt, once for all commands', async () => {
  await start();
  server = loadPart;
  fetched = 0;
  expect((await page.command('put bar 1; convert ladder-varint --name t.sst')).error).toBeNull();
  expect((await page.command('lookup @t.sst bar')).result).toMatchObject({ value: '1' });
  expect((await page.command('lab ladder')).error).toBeNull();
  expect(fetched).toBe(1);
});
