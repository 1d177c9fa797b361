// @vitest-environment node
// The rest of the module, which is fetched after the engine is ready, with the real engine.

import { beforeAll, expect, it } from 'vitest';
import type { Message } from '../model/engine.generated';
import { inMemory, loadPart, loadWasm, type Page, server } from '../testing/hostPage';

let page: Page;
/** How often the part was asked of the server, by commands that need it and by functions that are called before. */
let fetched = 0;
let readAtOnce = 0;
let fetch: () => Promise<void> = loadPart;
const read = server.read;

/** How the rest is told that does not come. */
const TOLD = /rest of Levelscope could not be fetched .*Failed to fetch.* Run the command again/i;

beforeAll(async () => {
  await loadWasm();
  server.read = () => {
    readAtOnce += 1;
    throw new TypeError('Failed to fetch');
  };
});

async function start(): Promise<void> {
  page = inMemory();
  page.fetchPart = () => {
    fetched += 1;
    return fetch();
  };
  await page.open();
}

// The tests share one module, and what was fetched stays: their order matters.

it('is not needed by a first visit: writing, stepping, reading, what the stage asks, going back', async () => {
  await start();
  await page.command('put apple red; get apple; put pear green; del pear; scan');
  await page.command('fill 40 --words --seed 7; step; step; run; get apple');
  await page.ask({ type: 'query', query: { ask: 'recent', limit: 8 }, at: null });
  await page.ask({ type: 'complete', line: 'ge', cursor: 2 });
  await page.command('fill 120 --words --seed 8');
  page.tell({ type: 'play', grain: 'phase', stepsPerSecond: 0 });
  await page.ask({ type: 'query', query: { ask: 'recent', limit: 8 }, at: null });
  page.tell({ type: 'pause' });
  expect({ fetched, readAtOnce }).toEqual({ fetched: 0, readAtOnce: 0 });
});

it('that does not come is told in a sentence, and the database is as it was', async () => {
  await start();
  fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  await page.command('put apple red');
  const lines = ['lab ladder', 'convert ladder-varint', 'check', 'stats', 'export', 'help put'];
  for (const [count, line] of lines.entries()) {
    const { error } = await page.command(`${line}; put apple green`);
    expect(error).toMatchObject({ kind: 'absent' });
    expect(error?.message).toMatch(TOLD);
    expect(fetched).toBe(count + 1);
  }
  expect((await page.command('get apple')).result).toMatchObject({ value: 'red' });
  expect(readAtOnce).toBe(0);
});

it('that is slow does not keep Stop from working', async () => {
  await start();
  let asked: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  fetch = () => {
    asked();
    return new Promise(() => undefined);
  };
  page.tell({ type: 'command', line: 'lab ladder', at: null });
  await waiting;
  const done = page.until((message): message is Message => message.type === 'done');
  page.tell({ type: 'cancel' });
  expect(await done).toMatchObject({ error: { kind: 'cancelled' } });
});

it('that does not come amid a call stops the engine with a sentence, before the call has done anything', async () => {
  await start();
  await page.command('put apple red');
  // Memtables as text are not among what a first visit does, although their newest entries are.
  page.tell({ type: 'command', line: 'mem; put apple green', at: null });
  const failed = await page.until(
    (message): message is Message => message.type === 'failed' && message.id === null,
  );
  expect(failed).toMatchObject({ kind: 'panic' });
  expect(failed).toHaveProperty(
    'message',
    expect.stringMatching(/could not be fetched .*Failed to fetch.*Reload the page/),
  );
  expect(readAtOnce).toBe(1);
  page.tell({ type: 'close' });
  expect(page.of('failed').at(-1)).toMatchObject({ kind: 'closed' });
});

it('comes at the next attempt, once for all commands', async () => {
  await start();
  fetch = loadPart;
  fetched = 0;
  expect((await page.command('put bar 1; convert ladder-varint --name t.sst')).error).toBeNull();
  expect((await page.command('lookup @t.sst bar')).result).toMatchObject({ value: '1' });
  expect((await page.command('lab ladder; stats; check; mem')).error).toBeNull();
  const completed = await page.ask({ type: 'complete', line: 'open --as ladder-v', cursor: 18 });
  expect(completed).toMatchObject({ items: [{ text: 'ladder-varint' }] });
  expect({ fetched, readAtOnce }).toEqual({ fetched: 1, readAtOnce: 1 });
  server.read = read;
});
