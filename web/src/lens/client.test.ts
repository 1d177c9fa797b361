import { describe, expect, it, vi } from 'vitest';
import { opened, SOURCE, started } from '../testing/lensWorker';
import { LensClient } from './client';

const OVERVIEW = { ask: 'overview' } as const;
const CHECK = { ask: 'check', deep: false } as const;

/** A client whose directory is open, after two calls. */
async function openClient() {
  const { workers, start } = started();
  const client = new LensClient(start);
  const opening = client.open(SOURCE, null);
  const [worker] = workers;
  worker?.answer(0, opened);
  await vi.waitFor(() => expect(worker?.asked).toHaveLength(2));
  worker?.answer(1, '{"problems":[]}');
  return { client, workers, result: await opening };
}

describe('the client', () => {
  it('gives answers to their questions, and progress before', async () => {
    const { client, workers, result } = await openClient();
    const overviewed = { overview: { problems: [] }, work: null };
    expect(result).toEqual({
      state: { state: 'open', name: 'db', folder: 'db/', ...overviewed },
      leftOut: [],
    });
    const heard = vi.fn();
    const check = client.ask(CHECK, heard);
    const overview = client.ask(OVERVIEW);
    const [worker] = workers;
    worker?.report(2, { done: 5, total: 9 });
    worker?.answer(3, '{"engine":"pebble"}');
    worker?.answer(2, '[]');
    expect(await check).toEqual([]);
    expect(await overview).toEqual({ engine: 'pebble' });
    expect(heard.mock.calls).toEqual([[{ done: 5, total: 9 }]]);
  });

  it('opens the same folder again after a stop', async () => {
    const { client, workers } = await openClient();
    const check = client.ask(CHECK);
    client.stop();
    await expect(check).rejects.toMatchObject({ kind: 'stopped', message: 'It was stopped.' });
    expect(workers[0]?.terminate).toHaveBeenCalled();
    const overview = client.ask(OVERVIEW);
    expect(workers[1]?.asked).toEqual([
      ['open', SOURCE, 'db/'],
      ['ask', OVERVIEW],
    ]);
    workers[1]?.answer(1, '{}');
    expect(await overview).toEqual({});
  });

  it('ends a worker whose module failed, and rejects every question', async () => {
    const { client, workers } = await openClient();
    const first = client.ask(OVERVIEW);
    const second = client.ask(CHECK);
    const failure = { kind: 'panic', message: 'It failed.' } as const;
    workers[0]?.fail(2, failure);
    await expect(first).rejects.toMatchObject(failure);
    await expect(second).rejects.toMatchObject(failure);
    expect(workers[0]?.terminate).toHaveBeenCalled();
    client.ask(OVERVIEW).catch(() => undefined);
    workers[1]?.onerror?.({ message: 'no script' } as ErrorEvent);
    expect(workers[1]?.terminate).toHaveBeenCalled();
  });
});

describe('the client of a terminal', () => {
  it('runs a line about what is on show, with progress before its end', async () => {
    const { client, workers } = await openClient();
    const [worker] = workers;
    const heard = vi.fn();
    const running = client.run('levels', { family: 2, step: null }, heard);
    expect(worker?.asked[2]).toEqual(['run', 'levels', { family: 2, step: null }]);
    worker?.report(2, { done: 5, total: null });
    const ran = { lines: [], failure: null, hasChecked: false, family: 2, step: 7 };
    worker?.answer(2, { text: JSON.stringify(ran), saved: [] });
    expect(await running).toEqual({ ...ran, saved: [] });
    expect(heard).toHaveBeenCalledWith({ done: 5, total: null });
  });

  it('opens the same folder again for a line after a stop', async () => {
    const { client, workers } = await openClient();
    const running = client.run('check', { family: 0, step: null });
    client.stop();
    await expect(running).rejects.toMatchObject({ kind: 'stopped' });
    void client.run('stats', { family: 0, step: null });
    expect(workers[1]?.asked.map(([name]) => name)).toEqual(['open', 'run']);
  });

  it('counts letters as the terminal does, and bytes as the module does', async () => {
    const { client, workers } = await openClient();
    const completing = client.complete('family größe "𝛼', 16);
    expect(workers[0]?.asked[2]).toEqual(['complete', expect.any(String), 20]);
    const items = [{ text: '"𝛼𝛽"', kind: 'word', from: 15 }];
    workers[0]?.answer(2, JSON.stringify(items));
    expect(await completing).toEqual([{ text: '"𝛼𝛽"', kind: 'word', from: 13 }]);
  });
});
